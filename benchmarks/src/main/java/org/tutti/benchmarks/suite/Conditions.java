/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Conditions of a measurement besides the case.
 *
 * @param date   date in UTC, such as 2026-11-22.
 * @param commit commit of Tutti.
 * @param jvm    name and version of the JVM.
 * @param host   processor, cores, memory and kernel; over TCP also the congestion control that connections use unless
 *               they choose one.
 */
record Conditions(String date, String commit, String jvm, String host)
{
    private static final double GIBIBYTE = 1 << 30;
    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    static Conditions current(final Wire wire)
    {
        final Environment own = Environment.current();
        return new Conditions(LocalDate.now(ZoneOffset.UTC).toString(), own.commit(), own.jvm(),
            own.cpu() + ", " + own.cores() + " cores, " + Math.round(own.memory() / GIBIBYTE) + " GiB, " + own.os() +
            (wire == Wire.TCP ? ", TCP " + congestionControl() : ""));
    }

    private static String congestionControl()
    {
        try
        {
            return Files.readString(CONGESTION_CONTROL).strip();
        }
        catch (final IOException ex)
        {
            return "with unknown congestion control";
        }
    }
}
