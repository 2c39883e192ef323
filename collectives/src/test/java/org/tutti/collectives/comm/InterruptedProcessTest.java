/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks in separate processes, with a media driver each, one of which has a thread interrupted. */
@Timeout(300)
class InterruptedProcessTest
{
    private static final long LIMIT_S = 120;

    /** A rank that has waited for long, and sleeps; InterruptTest interrupts at other times, within one process. */
    static Stream<Arguments> interruptions()
    {
        final Stream<Arguments> few = Stream.of(Arguments.of(1, 1500));
        return !Boolean.getBoolean("tutti.test.torture") ? few : Stream.concat(few, Stream.of(Arguments.of(0, 0)));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void shouldFailOnBothRanksWhenInterruptedAtAnyTime(final int interrupted, final int leastMs)
        throws Exception
    {
        final List<Process> ranks = new ArrayList<>();
        final String port = FreePort.choose();
        try
        {
            for (int rank = 0; rank < 2; rank++)
            {
                ranks.add(start(Map.of(
                    "RANK", Integer.toString(rank), "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1",
                    "MASTER_PORT", port), interrupted, leastMs));
            }
            final String own = output(ranks.get(interrupted));
            final String other = output(ranks.get(1 - interrupted));

            assertTrue(own.startsWith("interrupted=true rank " + interrupted + " ("), own);
            assertTrue(own.contains("recv(1 × int") && own.contains("thread main was interrupted"), own);
            assertTrue(other.startsWith("failed rank " + (1 - interrupted) + " ("), other);
            assertTrue(other.contains("rank " + interrupted + " on ") && other.contains("was interrupted"), other);
            assertEquals(0, ranks.get(0).exitValue());
            assertEquals(0, ranks.get(1).exitValue());
        }
        finally
        {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(final Map<String, String> environment, final int interrupted, final int leastMs)
        throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), InterruptedRank.class.getName(),
            Integer.toString(interrupted), Integer.toString(leastMs));
        builder.environment().putAll(environment);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static String output(final Process rank) throws IOException, InterruptedException
    {
        // Reading is not interruptible; the output of a rank fits into the pipe.
        assertTrue(rank.waitFor(LIMIT_S, TimeUnit.SECONDS), "the rank does not end");
        return new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
