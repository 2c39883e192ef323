/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Jobs on two hosts, started by ssh, over a link that is good, lossy or down. Ranks communicate by shared memory within
 * a host and by RDMA between hosts, as by default.
 */
@Tag("two-hosts")
@Tag("torture")
class TwoHostsTest
{
    private static final String OTHER = "node1";
    private static final int VICTIM = 2;
    private static final long TIMEOUT_MS = 600_000;
    /** A host that is silent for 10 s counts as failed. */
    private static final long END_MS = 180_000;
    /** Longer than that, so that each host ends its ranks without a message of the other. */
    private static final int CUT_S = 18;
    private static final String TWO_EACH = "node0:2," + OTHER + ":2";
    private static final String ONE_EACH = "node0," + OTHER;
    private static final List<String> OPTIONS =
        List.of("-q", "--tag", "--grace", "90s", "-J" + TuttiJob.FAST_TO_START, "-x", "TUTTI_JOIN_TIMEOUT");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @AfterEach
    void mendTheWire() throws Exception
    {
        here("wire", "clean");
        there("wire clean");
    }

    @Test
    void shouldRunAcrossHosts() throws Exception
    {
        final String output = succeed(ONE_EACH, "hello");

        assertTrue(hasLine(output, "\\[1\\] hello from rank 1 of 2 on " + OTHER), output);
        assertTrue(output.contains("[0] together over verbs/rxe0: the ranks sum up to 1\n"), output);
    }

    @Test
    void shouldTrainAcrossHosts() throws Exception
    {
        final String output = succeed(TWO_EACH, "mnist --epochs 1 --hidden 16 --batch 400 --target 30");

        assertTrue(output.contains("4 ranks over shm/shm0+verbs/rxe0"), output);
        assertTrue(output.contains("the weights of all ranks are bitwise equal"), output);
    }

    @Test
    void shouldReduceAcrossHostsWhenPacketsAreLost() throws Exception
    {
        here("wire", "loss", "5%");
        order("wire loss 5%");

        // Only tests that depend on the link: to start, each takes emulated processors seconds.
        final String output = succeed(ONE_EACH, "perf allreduce --check -b 32 -e 128k -f 16 -n 5 -w 1");

        assertTrue(output.contains("] # Using transport verbs/rxe0\n"), output);
        assertTrue(output.contains("] # Out of bounds values : 0 OK\n"), output);
        for (int rank = 0; rank < 2; rank++)
        {
            assertTrue(output.matches("(?s).*# +Rank +" + rank + " Pid +\\d+ on +node" + rank + "\n.*"), output);
        }
        assertTrue(here("wire", "show").matches("(?s).*loss 5%.*dropped [1-9].*"), () -> "nothing lost: " + output);
    }

    @Test
    void shouldReduceAcrossHostsWithDisni() throws Exception
    {
        final String output =
            succeed(ONE_EACH, "--transport disni perf allreduce --check -b 32 -e 128k -f 16 -n 5 -w 1");

        assertTrue(output.contains("] # Using transport disni/rxe0\n"), output);
        assertTrue(output.contains("] # Out of bounds values : 0 OK\n"), output);
    }

    /** RemoteRunTest and KillTest test the same faster, in namespaces of this host. */
    @Test
    void shouldEndWhenARankOnAnotherHostIsKilled() throws Exception
    {
        try (TuttiJob job = target(TWO_EACH, 4))
        {
            // Only the rank's own process has this in its environment.
            order("kill -s KILL $(grep -lszxF RANK=" + VICTIM + " /proc/[0-9]*/environ | sed 's:[^0-9]::g')");

            final int code = job.await(END_MS);
            final String output = job.output();
            assertEquals(137, code, output);
            assertTrue(output.lines().anyMatch(line -> line.startsWith("tutti: rank " + VICTIM + " on " + OTHER) &&
                line.endsWith(" failed: killed by SIGKILL")), output);
            for (final int rank : List.of(0, 1, 3))
            {
                // The device may report it before the launcher does.
                assertTrue(output.lines().anyMatch(line ->
                    line.matches("\\[" + rank + "] .*Exception: .*\\brank " + VICTIM + "\\b.*")),
                    "rank " + rank + " does not name the victim\n" + output);
            }
            assertNothingLeft(job, output);
        }
    }

    @Test
    void shouldEndOnBothHostsWhenTheLinkIsDown() throws Exception
    {
        try (TuttiJob job = target(ONE_EACH, 2))
        {
            // The other host restores the link, because it cannot be reached in the meantime.
            order("(sleep 2; wire down; sleep " + CUT_S + "; wire up) </dev/null >/dev/null 2>&1 &");

            final int code = job.await(END_MS);
            final String output = job.output();
            assertEquals(1, code, output);
            // Reported by the device, or by the launcher that misses the host, with its rank.
            assertTrue(hasLine(output, "\\[0] .*Exception: .*\\brank 1\\b"), "rank 0 does not name rank 1\n" + output);
            assertTrue(hasLine(output, "tutti: .*\\brank [01]\\b"), output);
            assertNothingLeft(job, output);
        }
    }

    /** Waits until all ranks are connected and make calls. */
    private static TuttiJob target(final String hosts, final int ranks) throws Exception
    {
        final List<String> words = new ArrayList<>(OPTIONS);
        words.addAll(List.of(
            // Emulated processors often answer after more than 67 ms, and the driver of Linux 6.1, after repeated
            // needless retransmissions, may end an intact connection because of an invalid request.
            "-x", "TUTTI_ACK_TIMEOUT=18",
            "--host", hosts, "-cp", CLASS_PATH, KillTarget.class.getName(), Long.toString(TIMEOUT_MS)));
        final TuttiJob job = TuttiJob.startScript(words);
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        for (int rank = 0; rank < ranks; rank++)
        {
            while (!job.output().contains("[" + rank + "] running " + rank + "\n"))
            {
                assertTrue(job.launcher().isAlive() && System.nanoTime() - deadline < 0, job.output());
                Thread.sleep(100);
            }
        }
        return job;
    }

    private static String succeed(final String hosts, final String words) throws Exception
    {
        final List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(List.of("--host", hosts));
        all.addAll(List.of(words.split(" ", -1)));
        try (TuttiJob job = TuttiJob.startScript(all))
        {
            final int code = job.await(TIMEOUT_MS);
            final String output = job.output();
            assertEquals(0, code, output);
            assertNothingLeft(job, output);
            return output;
        }
    }

    private static void assertNothingLeft(final TuttiJob job, final String output) throws Exception
    {
        assertEquals(List.of(), job.remaining(END_MS), output);
        assertEquals(List.of(), job.sharedMemory(), output);
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
        String left = left();
        while (!left.isEmpty() && System.nanoTime() - deadline < 0)
        {
            Thread.sleep(200);
            left = left();
        }
        assertEquals("", left, output);
    }

    /** Processes and shared-memory files of jobs on the other host, where no other processes run. */
    private static String left() throws Exception
    {
        return there("pgrep -a java; pgrep -af '^sh -c .* tutti-reaper'; ls /dev/shm");
    }

    private static boolean hasLine(final String output, final String start)
    {
        return output.lines().anyMatch(line -> line.matches(start + ".*"));
    }

    /** Runs a command on the other host, which may take long if the host is busy. */
    private static void order(final String words) throws IOException, InterruptedException
    {
        final Process ssh = new ProcessBuilder("ssh", "-o", "ConnectTimeout=60", OTHER, words).inheritIO().start();
        assertEquals(0, ssh.waitFor(), words);
    }

    private static String there(final String words) throws IOException, InterruptedException
    {
        return here("ssh", "-o", "ConnectTimeout=5", OTHER, words);
    }

    private static String here(final String... words) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
