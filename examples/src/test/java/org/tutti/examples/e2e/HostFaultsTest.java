/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Jobs over TCP on three hosts with faults of the network, a host or a rank: each has correct results, or ends with an
 * error that names a rank, and leaves nothing. {@link HostsTest} has those that are tested in every build.
 */
@Tag("torture")
@Timeout(600)
class HostFaultsTest extends HostsFixture
{
    private static final int SHORT = 2_000;
    private static final long STOPPED_MS = 30_000;

    @ParameterizedTest
    @ValueSource(strings = { "loss 2", "loss 20", "delay 1ms b", "delay 1ms a b c", "rate 100mbit b" })
    void shouldComputeCorrectlyWhenNetworkBecomesPoor(final String fault) throws Exception
    {
        try (TuttiJob job = jobs().startWith(SHORT, Map.of(), "a,b,c"))
        {
            order(fault);
            jobs().endCorrectly(job, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "loss 2", "loss 20", "delay 1ms b", "delay 1ms a b c", "rate 100mbit b" })
    void shouldStartAndComputeCorrectlyWhenNetworkIsPoor(final String fault) throws Exception
    {
        order(fault);
        try (TuttiJob job = jobs().startWith(SHORT, Map.of(), "a,b,c"))
        {
            jobs().endCorrectly(job, 3);
        }
    }

    /** Long buffers: all frames are long, so that connections are reset in the middle of one. */
    @Test
    void shouldNameThePeerWhenConnectionIsReset() throws Exception
    {
        try (TuttiJob job = jobs().startWith(4_000_000, Map.of(), "a,b"))
        {
            hosts().run("reset", "b");
            jobs().assertFails(job, 1, List.of(0));
            assertTrue(job.output().lines().anyMatch(line -> line.matches("\\[1] .*Exception: .*\\brank 0\\b.*")),
                job.output());
        }
    }

    @Test
    void shouldNameRankWhoseCableIsCutWithDefaultHeartbeat() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            hosts().run("cut", "b");
            jobs().assertFails(job, 1, List.of(0, 2));
        }
    }

    /** The launcher's host loses its cable: the others end by themselves. */
    @Test
    void shouldEndOnAllHostsWhenCableOfLauncherIsCut() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            hosts().run("cut", "a");
            jobs().assertFails(job, 0, List.of());
        }
    }

    @Test
    void shouldLeaveNothingWhenHostOfLauncherIsKilled() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            hosts().run("kill", "a");
            try
            {
                assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
                hosts().awaitNothingLeft();
            }
            finally
            {
                hosts().run("start", "a");
            }
        }
    }

    @Test
    void shouldContinueWhenRankWasStoppedForLongerThanTheHeartbeat() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            final String rank = Long.toString(job.pid(1));
            kill("STOP", rank);
            try
            {
                assertEquals(-1, job.await(STOPPED_MS), job.output());
            }
            finally
            {
                kill("CONT", rank);
            }
            jobs().endCorrectly(job, 3);
        }
    }

    /** Neither the rank nor the agent of this host answers. */
    @Test
    void shouldContinueWhenHostWasStoppedForLessThanTheHeartbeat() throws Exception
    {
        try (TuttiJob job = jobs().startWith(
            FaultJobs.LONG, Map.of("TUTTI_HEARTBEAT_TIMEOUT", "60s"), "a,b,c"))
        {
            hosts().run("on", "b", "sh", "-c", "kill -s STOP -- -1");
            try
            {
                assertEquals(-1, job.await(STOPPED_MS), job.output());
            }
            finally
            {
                hosts().run("on", "b", "sh", "-c", "kill -s CONT -- -1");
            }
            jobs().endCorrectly(job, 3);
        }
    }

    @Test
    void shouldNameRankOfHostThatIsStoppedForLongerThanTheHeartbeat() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            hosts().run("on", "b", "sh", "-c", "kill -s STOP -- -1");
            try
            {
                assertTrue(job.await(FaultJobs.LIMIT_MS) > 0, job.output());
            }
            finally
            {
                hosts().run("on", "b", "sh", "-c", "kill -s CONT -- -1");
            }
            jobs().assertFails(job, 1, List.of(0, 2));
        }
    }

    /** A host that is killed, and again when the job has started again, is left out; nothing is left on the others. */
    @Test
    void shouldRestartWithoutHostThatWasKilledTwice() throws Exception
    {
        final Path end = directory().resolve("end-of-restarts");
        try (TuttiJob job = hosts().job(Map.of(), "a,b,c",
            List.of("--max-restarts", "3", "--min-nodes", "2", "-cp", System.getProperty("java.class.path")),
            FaultTarget.class.getName(), end.toString(), Integer.toString(SHORT)))
        {
            await(job, "[2] running 2", 1);
            hosts().run("kill", "c");
            hosts().run("start", "c");
            await(job, "; restart 1 of 3", 1);
            // The launcher may have been faster than the host; then it has lost it twice.
            awaitAny(job, List.of("[2] running 2", "; restart 2 of 3"), 2);
            hosts().run("kill", "c");
            try
            {
                await(job, "tutti: leaving out c, lost twice: 2 ranks of 3 on 2 hosts\n", 1);
                final int former = count(job.output(), "[1] running 1");
                await(job, "[1] running 1", former + 1);
                Files.createFile(end);

                assertEquals(0, job.await(FaultJobs.LIMIT_MS), job.output());
                assertTrue(job.output().endsWith("[0] correct 0\n[1] correct 1\n") ||
                    job.output().endsWith("[1] correct 1\n[0] correct 0\n"), job.output());
                jobs().assertNothingLeft(job);
            }
            finally
            {
                hosts().run("start", "c");
            }
        }
    }

    private static void await(final TuttiJob job, final String text, final int times) throws Exception
    {
        awaitAny(job, List.of(text), times);
    }

    /** Waits until the output contains the texts this number of times, all together. */
    private static void awaitAny(final TuttiJob job, final List<String> texts, final int times) throws Exception
    {
        final long startNs = System.nanoTime();
        while (texts.stream().mapToInt(text -> count(outputOf(job), text)).sum() < times)
        {
            assertTrue(job.launcher().isAlive(), job.output());
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(FaultJobs.LIMIT_MS), job.output());
            Thread.sleep(10);
        }
    }

    private static String outputOf(final TuttiJob job)
    {
        try
        {
            return job.output();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static int count(final String output, final String text)
    {
        return output.split(Pattern.quote(text), -1).length - 1;
    }

    /** More than a rank accepts at a time, before and while the ranks connect. */
    @Test
    void shouldConnectWhileManyStrangersDo() throws Exception
    {
        final List<Process> strangers = new ArrayList<>();
        try (TuttiJob job = jobs().startWith(SHORT, Map.of(), "a,b"))
        {
            for (final int port : hosts().ports("b"))
            {
                strangers.add(hosts().start("on", "c", "bash", "-c",
                    "for i in {1..200}; do exec {fd}<>/dev/tcp/10.77.0.2/" + port + "; done; wc -c <&$fd"));
            }
            assertTrue(!strangers.isEmpty(), job.output());
            for (final Process stranger : strangers)
            {
                stranger.waitFor();
            }
            jobs().endCorrectly(job, 2);
        }
    }

    /**
     * The commands of the document, as written, with hosts of the names that it uses. All sizes with four ranks take
     * minutes on two cores.
     */
    @Test
    @Timeout(2400)
    void shouldRunCommandsOfDocumentOnSeveralHosts() throws Exception
    {
        final List<String> commands = commands();
        assertEquals(2, commands.size(), commands.toString());
        try (NamespaceHosts documented =
            NamespaceHosts.start(Files.createDirectory(directory().resolve("documented")), "node0", "node1", "node2"))
        {
            final Path home = documented.installation();
            Files.writeString(home.resolve("hosts"), "node0 slots=2\nnode1 slots=2 # as node0\nnode2\n");
            for (final String command : commands)
            {
                final String output = documented.run("on", "node0", "sh", "-c", "cd " + home + " && " + command);
                assertTrue(command.contains("perf") ? output.contains("# Out of bounds values : 0 OK\n") :
                    output.lines().sorted().toList().equals(List.of("node0", "node1", "node2")), output);
            }
            documented.awaitNothingLeft();
        }
    }

    private static List<String> commands() throws IOException
    {
        final String text =
            Files.readString(Path.of(System.getProperty("tutti.root"), "docs", "configuration.md"));
        final String section = text.substring(text.indexOf("\n## Several hosts\n"));
        final int start = section.indexOf("```sh\n") + "```sh\n".length();
        return section.substring(start, section.indexOf("```", start)).lines().toList();
    }

    private void order(final String fault) throws Exception
    {
        final String[] words = fault.split(" ", -1);
        hosts().run(words[0], List.of(words).subList(1, words.length).toArray(String[]::new));
    }

    private static void kill(final String signal, final String pid) throws Exception
    {
        assertEquals(0, new ProcessBuilder("kill", "-s", signal, pid).inheritIO().start().waitFor());
    }
}
