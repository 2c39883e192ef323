/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests steps of the wall clock during a job. Processes notice a step at different times, and the first one compares
 * its new time with older heartbeats of the others; so only the ranks' wall clock is changed here, not the
 * coordinator's.
 */
class WallClockTest
{
    private static final Path GCC = Path.of("/usr/bin/gcc");
    private static final String CLOCK = """
        #define _GNU_SOURCE
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long offset(void)
        {
            const char *const text = getenv("WALL_CLOCK_OFFSET_S");
            return text == NULL ? 0 : atol(text);
        }

        int clock_gettime(clockid_t clock, struct timespec *time)
        {
            const int result = (int)syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && clock == CLOCK_REALTIME)
            {
                time->tv_sec += offset();
            }
            return result;
        }

        int gettimeofday(struct timeval *restrict time, void *restrict zone)
        {
            const int result = (int)syscall(SYS_gettimeofday, time, zone);
            if (result == 0)
            {
                time->tv_sec += offset();
            }
            return result;
        }
        """;

    @TempDir
    private Path directory;
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses()
    {
        processes.forEach(Process::destroyForcibly);
    }

    /** That of one rank forwards, that of the other backwards. */
    @Test
    void shouldContinueWhenWallClocksJumpByHours() throws Exception
    {
        final String library = library().toString();
        try (LaunchedJob job = new LaunchedJob(2))
        {
            for (int rank = 0; rank < 2; rank++)
            {
                final Map<String, String> environment = new HashMap<>(job.environment(rank));
                environment.put("LD_PRELOAD", library);
                environment.put("WALL_CLOCK_OFFSET_S", rank == 0 ? "18000" : "-18000");
                processes.add(RankProcesses.start(RankMain.class, environment, "stay"));
            }
            for (final Process process : processes)
            {
                final String output = RankProcesses.output(process);
                assertEquals(0, process.exitValue(), output);
            }
            assertNull(job.coordinator.failure());
        }
    }

    private Path library() throws Exception
    {
        if (!Files.isExecutable(GCC))
        {
            System.err.println("skipped: needs " + GCC + " (package gcc)");
        }
        assumeTrue(Files.isExecutable(GCC), "skipped: needs " + GCC + ", to compile a modified wall clock");
        final Path source = Files.writeString(directory.resolve("clock.c"), CLOCK);
        final Path library = directory.resolve("clock.so");
        final Process compiler = new ProcessBuilder(
            GCC.toString(), "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .redirectErrorStream(true).start();
        assertEquals("", RankProcesses.output(compiler));
        return library;
    }
}
