/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Three hosts a, b and c with Slurm, by {@code launcher/hosts/slurm}, for the tests of a class. */
abstract class SlurmFixture extends HostsFixture
{
    private static final String SCRIPT =
        Path.of(System.getProperty("tutti.root"), "launcher/hosts/slurm").toString();
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String DAEMONS = ".*: process \\d+: (: |\\S*/)?(slurmctld|slurmd|slurmscriptd|munged)\\b.*";

    private String tutti;
    private String target;
    private Path end;

    @BeforeAll
    void startSlurm() throws Exception
    {
        final Process check = new ProcessBuilder(SCRIPT, "check").redirectErrorStream(true).start();
        final String reason = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (check.waitFor() != 0)
        {
            System.out.println("skipping tests of Slurm: " + reason);
            Assumptions.abort(reason);
        }
        // Not the output of this process, which daemons would hold open.
        final Path log = directory().resolve("slurm.log");
        final Process up = new ProcessBuilder(SCRIPT, "up", hostsDirectory())
            .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        assertEquals(0, up.waitFor(), () -> text(log));
        tutti = hosts().installation().resolve("tutti").toString();
        end = directory().resolve("end");
        // A program that joins without Tutti's launcher.
        final List<String> words = new ArrayList<>(TuttiJob.COMMAND.subList(0, TuttiJob.COMMAND.size() - 1));
        words.addAll(List.of(FaultTarget.class.getName(), end.toString(), Integer.toString(FaultJobs.LONG)));
        final Path file = directory().resolve("target");
        Files.setPosixFilePermissions(
            Files.writeString(file, "#!/bin/sh\nexec '" + String.join("' '", words) + "'\n"),
            PosixFilePermissions.fromString("rwxr-xr-x"));
        target = file.toString();
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    private String hostsDirectory()
    {
        return directory().resolve("hosts").toString();
    }

    /** Path of the script {@code tutti}. */
    final String tutti()
    {
        return tutti;
    }

    /** Path of a program that joins a job, and reduces until {@link #endTargets}. */
    final String target()
    {
        return target;
    }

    /** Words after {@code tutti run} that run {@link FaultTarget}. */
    final List<String> targetWords()
    {
        return List.of("-cp", CLASS_PATH, FaultTarget.class.getName(), end.toString(),
            Integer.toString(FaultJobs.LONG));
    }

    final void endTargets() throws IOException
    {
        Files.createFile(end);
    }

    /** Starts a command on host a, where Slurm's commands can be used. */
    final TuttiJob start(final List<String> words) throws IOException
    {
        Files.deleteIfExists(end);
        final List<String> command = new ArrayList<>(List.of(SCRIPT, "on", hostsDirectory(), "a"));
        command.addAll(words);
        return TuttiJob.startCommand(command, Map.of());
    }

    /** Runs a command, which must succeed and leave nothing; returns its output. */
    final String succeed(final String... words) throws Exception
    {
        try (TuttiJob job = start(List.of(words)))
        {
            assertEquals(0, job.await(FaultJobs.LIMIT_MS), job.output());
            assertNothingLeft(job);
            return job.output();
        }
    }

    /** Runs a command of Slurm on host a, and returns its output. */
    final String slurm(final String... words) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(SCRIPT, "on", hostsDirectory(), "a"));
        command.addAll(List.of(words));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return output;
    }

    /** Kills Slurm's daemon of a host, but not the processes of steps there. */
    final void killDaemon(final String host) throws Exception
    {
        hosts().run("on", host, "sh", "-c", "kill -KILL $(cat /run/slurmd.pid) && rm /run/slurmd.pid");
    }

    /** Starts Slurm's daemon of a host again, and waits until all hosts can be used. */
    final void startDaemon(final String host) throws Exception
    {
        hosts().run("on", host, "sh", "-c", "SLURM_CONF='" + hostsDirectory() +
            "/slurm/slurm.conf' slurmd </dev/null >/dev/null 2>&1");
        awaitIdleNodes();
    }

    private void awaitIdleNodes() throws Exception
    {
        final long startNs = System.nanoTime();
        while (!slurm("sinfo", "-h", "-t", "idle", "-o", "%D").equals("3"))
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(FaultJobs.LIMIT_MS),
                slurm("sinfo", "-N", "-l"));
            Thread.sleep(50);
        }
    }

    /** Waits until the output of a running job contains a text. */
    final void await(final TuttiJob job, final String text) throws Exception
    {
        final long startNs = System.nanoTime();
        while (!job.output().contains(text))
        {
            assertTrue(job.launcher().isAlive(), job.output());
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(FaultJobs.LIMIT_MS), job.output());
            Thread.sleep(10);
        }
    }

    /** Waits until nothing of a job is left: no process, no file in shared memory, no job in Slurm's queue. */
    final void assertNothingLeft(final TuttiJob job) throws Exception
    {
        assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
        final long startNs = System.nanoTime();
        String left = left();
        while (!left.isEmpty() && System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(FaultJobs.LIMIT_MS))
        {
            Thread.sleep(50);
            left = left();
        }
        assertEquals("", left, job.output());
    }

    private String left() throws Exception
    {
        final String processes =
            hosts().run("left").lines().filter(line -> !line.matches(DAEMONS)).collect(Collectors.joining("\n"));
        return processes + slurm("squeue", "--noheader");
    }
}
