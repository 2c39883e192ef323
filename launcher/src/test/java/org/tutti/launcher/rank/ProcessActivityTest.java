/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessState;

/** Tests the observed activity of real JVMs. */
@Timeout(120)
class ProcessActivityTest
{
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void kill()
    {
        processes.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @EnumSource(value = ProcessState.class, names = {"COLLECTING", "RUNNING", "IDLE"})
    void shouldReportActivityOfThreads(final ProcessState state) throws IOException
    {
        awaitState(state, start(state));
    }

    @Test
    void shouldReportStoppedAndEndedProcess() throws Exception
    {
        final Process process = start(ProcessState.RUNNING);
        final ProcessIdentity identity = ProcessIdentity.of(process.pid());
        final ProcessActivity activity = new ProcessActivity(identity);

        assertEquals(0, new ProcessBuilder("kill", "-s", "STOP", Long.toString(process.pid())).start().waitFor());
        while (!identity.isStopped() && !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertEquals(ProcessState.STOPPED, activity.state());

        process.destroyForcibly().waitFor();
        assertEquals(ProcessState.GONE, activity.state());
    }

    private static void awaitState(final ProcessState state, final Process process)
    {
        ProcessState seen;
        do
        {
            final ProcessActivity activity = new ProcessActivity(ProcessIdentity.of(process.pid()));
            LockSupport.parkNanos(INTERVAL_NS);
            seen = activity.state();
        }
        while (seen != state && !Thread.currentThread().isInterrupted());
        assertEquals(state, seen);
    }

    private Process start(final ProcessState state) throws IOException
    {
        final Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), Busy.class.getName(), state.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        // A starting JVM is running, whatever it does later.
        assertEquals('.', process.getInputStream().read());
        return process;
    }

    /** A program that stays in one state forever. */
    static final class Busy
    {
        private static final int LIVE_OBJECTS = 1_000_000;

        private Busy()
        {
        }

        /**
         * Runs the program.
         *
         * @param arguments the name of the state.
         */
        public static void main(final String[] arguments)
        {
            final Object[] live = new Object[LIVE_OBJECTS];
            System.out.print('.');
            System.out.flush();
            while (true)
            {
                switch (ProcessState.valueOf(arguments[0]))
                {
                    case COLLECTING ->
                    {
                        live[0] = new Object[LIVE_OBJECTS];
                        System.gc();
                    }
                    case RUNNING -> Thread.onSpinWait();
                    default -> LockSupport.parkNanos(Long.MAX_VALUE);
                }
            }
        }
    }
}
