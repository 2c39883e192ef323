/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.bootstrap.store.SizeFormat;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * How a communicator is set up. Each value is taken from the system property, else from the environment, else it is
 * the default; what is blank counts as not set.
 *
 * @param transport        {@code tutti.transport}, {@code TUTTI_TRANSPORT}: the providers, default those that suit
 *                         where the ranks are.
 * @param host             {@code tutti.host}, {@code TUTTI_HOST}: what this rank's host is called; ranks with the same
 *                         are on one. Default its name.
 * @param portRequest      {@code TUTTI_DEVICE}, {@code TUTTI_PORT}, {@code TUTTI_GID_INDEX}: the port, default the
 *                         best.
 * @param path             parameters of connections.
 * @param selector         {@code tutti.algorithm}, {@code TUTTI_ALGORITHM}: overrides the choice of algorithms, default
 *                         none; {@code tutti.tuning}, {@code TUTTI_TUNING}: a table of measured ones, default none.
 * @param reproducible     {@code tutti.reproducible}, {@code TUTTI_REPRODUCIBLE}: whether reductions that round give
 *                         the same bits whatever the algorithm.
 * @param resultHashes     {@code tutti.result.hashes}, {@code TUTTI_RESULT_HASHES}: how the files begin to which
 *                         ranks write hashes of their results; empty for none, the default.
 * @param timeoutNs        {@code tutti.timeout}, {@code TUTTI_TIMEOUT}: the deadline of every call, default 5 minutes,
 *                         at most 365 days.
 * @param connectTimeoutNs {@code TUTTI_JOIN_TIMEOUT}: how long to wait for the other ranks to connect.
 * @param scratchBytes     {@code tutti.scratch}, {@code TUTTI_SCRATCH}: memory that peers write into, for one call;
 *                         there is twice as much. Default 4 MiB; a multiple of 64.
 * @param fusionBytes      {@code tutti.fusion}, {@code TUTTI_FUSION}: how long calls of a group that are made as one
 *                         are together, at most. Default 64 KiB; 0 for none.
 * @param direct           {@code tutti.direct}, {@code TUTTI_DIRECT}: whether messages go straight into the memory of
 *                         peers that this process can store into. Default 1.
 * @param verbose          {@code tutti.verbose}, {@code TUTTI_VERBOSE}: whether rank 0 says what is chosen.
 */
public record EngineConfiguration(
    TransportSetting transport, String host, PortRequest portRequest, PathSettings path, AlgorithmSelector selector,
    boolean reproducible, String resultHashes, long timeoutNs, long connectTimeoutNs, long scratchBytes,
    long fusionBytes, boolean direct, boolean verbose)
{
    private static final Duration MAX_TIMEOUT = Duration.ofDays(365);
    private static final long MIN_SCRATCH_BYTES = 64L << 10;
    private static final long MAX_SCRATCH_BYTES = 1L << 40;
    private static final long MAX_FUSION_BYTES = 1L << 30;
    private static final long ALIGNMENT = 64;

    /**
     * Reads the settings.
     *
     * @param environment environment of the rank.
     * @throws org.tutti.collectives.ConfigurationException if one of them is wrong.
     */
    public static EngineConfiguration of(final Map<String, String> environment)
    {
        return new EngineConfiguration(
            transport(environment),
            Setting.value(environment, "host", Hosts.local()).text(),
            portRequest(environment),
            PathSettings.of(environment),
            AlgorithmSelector.of(
                Setting.value(environment, "algorithm", "").text(), Setting.value(environment, "tuning", "").text()),
            isReproducible(environment),
            Setting.value(environment, "result.hashes", "").text(),
            timeoutNs(Setting.value(environment, "timeout", "5m")),
            JobEnvironment.joinTimeoutNs(environment),
            scratchBytes(Setting.value(environment, "scratch", "4M")),
            fusionBytes(Setting.value(environment, "fusion", "64K")),
            direct(environment),
            isSet(Setting.value(environment, "verbose", "0")));
    }

    public static boolean isReproducible(final Map<String, String> environment)
    {
        return isSet(Setting.value(environment, "reproducible", "0"));
    }

    /** Whether ranks load and store one another's memory, if they are on one host. */
    public static boolean isDirect(final Map<String, String> environment)
    {
        return direct(environment) && transport(environment).isSharedWithinHosts();
    }

    private static boolean direct(final Map<String, String> environment)
    {
        return isSet(Setting.value(environment, "direct", "1"));
    }

    public static TransportSetting transport(final Map<String, String> environment)
    {
        return TransportSetting.of(Setting.value(environment, "transport", TransportNames.AUTO));
    }

    /** The nanoseconds of a deadline: those of 365 days if it is longer. */
    public static long timeoutNs(final Duration timeout)
    {
        return timeout.compareTo(MAX_TIMEOUT) < 0 ? timeout.toNanos() : MAX_TIMEOUT.toNanos();
    }

    private static long timeoutNs(final Setting setting)
    {
        final long ns = DurationFormat.parse(setting.text());
        if (ns <= 0)
        {
            throw setting.wrong("no duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m");
        }
        return timeoutNs(Duration.ofNanos(ns));
    }

    private static long scratchBytes(final Setting setting)
    {
        final long bytes = SizeFormat.parse(setting.text());
        if (bytes < MIN_SCRATCH_BYTES || bytes > MAX_SCRATCH_BYTES)
        {
            throw setting.wrong("no size from " + SizeFormat.format(MIN_SCRATCH_BYTES) + " to " +
                SizeFormat.format(MAX_SCRATCH_BYTES) + ": give a number and a unit (K, M, G), such as 4M");
        }
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private static long fusionBytes(final Setting setting)
    {
        final long bytes = SizeFormat.parse(setting.text());
        if (bytes < 0 || bytes > MAX_FUSION_BYTES)
        {
            throw setting.wrong("no size from 0 to " + SizeFormat.format(MAX_FUSION_BYTES) +
                ": give a number and a unit (K, M, G), such as 64K");
        }
        return bytes;
    }

    private static boolean isSet(final Setting setting)
    {
        return switch (setting.text().toLowerCase(Locale.ROOT))
        {
            case "1", "true", "yes", "on" -> true;
            case "0", "false", "no", "off" -> false;
            default -> throw setting.wrong("neither 1 nor 0");
        };
    }

    private static PortRequest portRequest(final Map<String, String> environment)
    {
        try
        {
            return PortRequest.of(environment);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException(e.getMessage(), e);
        }
    }
}
