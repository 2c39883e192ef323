/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProcessWatchTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int POLLS = 1_000;

    @Test
    void shouldDetectEndOfProcess() throws Exception
    {
        final Process process = new ProcessBuilder("sleep", "1000").start();
        try (ProcessWatch watch = new ProcessWatch(ProcessIdentity.of(process.pid())))
        {
            assertTrue(watch.isAlive());
            process.destroyForcibly().waitFor();
            assertFalse(watch.isAlive());
            assertFalse(watch.isAlive());
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldDetectZombie() throws Exception
    {
        // The child's parent executes a program that never waits for it.
        final Process parent = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec sleep 1000").start();
        try (BufferedReader output = parent.inputReader())
        {
            final ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            try (ProcessWatch watch = new ProcessWatch(ProcessIdentity.of(child.pid())))
            {
                assertTrue(watch.isAlive());
                child.destroyForcibly();
                final long startNs = System.nanoTime();
                while (watch.isAlive())
                {
                    assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "a zombie counts as alive");
                    Thread.onSpinWait();
                }
            }
        }
        finally
        {
            parent.destroyForcibly();
        }
    }

    @Test
    void shouldReadStateAfterAnyName(@TempDir final Path directory) throws Exception
    {
        final Path program = Files.copy(Path.of("/bin/sleep"), directory.resolve("a) Z (b) X 1"));
        assertTrue(program.toFile().setExecutable(true));
        final Process process = new ProcessBuilder(program.toString(), "1000").start();
        try (ProcessWatch watch = new ProcessWatch(ProcessIdentity.of(process.pid())))
        {
            assertTrue(watch.isAlive());
            process.destroyForcibly().waitFor();
            assertFalse(watch.isAlive());
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldDistinguishEndedProcessFromOneWithSamePid()
    {
        final ProcessIdentity current = ProcessIdentity.current();
        final ProcessIdentity earlier =
            new ProcessIdentity(current.pid(), current.startTime() - 1, current.namespace());
        try (ProcessWatch watch = new ProcessWatch(earlier))
        {
            assertFalse(watch.isAlive());
        }
    }

    @Test
    void shouldConsiderInvisibleProcessAlive()
    {
        try (ProcessWatch watch = new ProcessWatch(new ProcessIdentity(1L << 30, 1, "pid:[1]")))
        {
            assertTrue(watch.isAlive());
        }
    }

    @Test
    void shouldNotAllocate()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (ProcessWatch watch = new ProcessWatch(ProcessIdentity.current()))
        {
            poll(watch);
            final long before = threads.getCurrentThreadAllocatedBytes();
            poll(watch);
            final long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < POLLS, bytes + " bytes for " + POLLS + " polls");
        }
    }

    private static void poll(final ProcessWatch watch)
    {
        for (int i = 0; i < POLLS; i++)
        {
            assertTrue(watch.isAlive());
        }
    }
}
