/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.bootstrap.store.SizeFormat;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.tcp.TcpOptions;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Settings of a communicator. Each value is that of the property, else of the environment variable, else the default; a
 * blank value counts as not set.
 *
 * @param transport        {@code tutti.transport}, {@code TUTTI_TRANSPORT}: providers; the default depends on which
 *                         hosts the ranks are on.
 * @param host             {@code tutti.host}, {@code TUTTI_HOST}: ranks with the same name count as being on one host.
 *                         Empty, the default: those that share memory.
 * @param shmDirectory     {@code tutti.shm.dir}, {@code TUTTI_SHM_DIR}: directory for shared memory; empty, the
 *                         default, for the job's.
 * @param oversubscribed   {@code tutti.oversubscribed}, {@code TUTTI_OVERSUBSCRIBED}: whether the ranks of this host
 *                         share cores; empty, the default, if there are more ranks than cores.
 * @param portRequest      {@code TUTTI_DEVICE}, {@code TUTTI_PORT}, {@code TUTTI_GID_INDEX}: the port to use; default:
 *                         the best one.
 * @param path             connection parameters.
 * @param tcp              {@code tutti.tcp.crc}, {@code TUTTI_TCP_CRC} and others: options of the transport tcp.
 * @param selector         {@code tutti.algorithm}, {@code TUTTI_ALGORITHM}: overrides the choice of algorithms, default
 *                         none; {@code tutti.tuning}, {@code TUTTI_TUNING}: table of measured algorithms, default none;
 *                         {@code tutti.model}, {@code TUTTI_MODEL}: parameters of the cost model, default the shipped
 *                         ones.
 * @param reproducible     {@code tutti.reproducible}, {@code TUTTI_REPRODUCIBLE}: whether rounding reductions give the
 *                         same bits with all algorithms.
 * @param resultHashes     {@code tutti.result.hashes}, {@code TUTTI_RESULT_HASHES}: prefix of the files to which ranks
 *                         write hashes of their results; empty, the default, for none.
 * @param timeoutNs        {@code tutti.timeout}, {@code TUTTI_TIMEOUT}: deadline of each call, default 5 minutes, at
 *                         most 365 days.
 * @param connectTimeoutNs {@code TUTTI_JOIN_TIMEOUT}: time limit for the other ranks to connect.
 * @param scratchBytes     {@code tutti.scratch}, {@code TUTTI_SCRATCH}: memory that peers write into during a call;
 *                         twice as much is registered. Default 4 MiB; a multiple of 64.
 * @param callsInProgress  {@code tutti.outstanding}, {@code TUTTI_OUTSTANDING}: maximum number of calls of a
 *                         communicator that are in progress at once, from 1 to 16. Default 8.
 * @param progress         {@code tutti.progress}, {@code TUTTI_PROGRESS}: whether a thread progresses requests while no
 *                         other thread is in a call. Default {@code caller}: no.
 * @param fusionBytes      {@code tutti.fusion}, {@code TUTTI_FUSION}: maximum total length of the calls of a group that
 *                         are fused into one. Default 64 KiB; 0 disables fusion.
 * @param direct           {@code tutti.direct}, {@code TUTTI_DIRECT}: whether messages are stored directly in peers'
 *                         memory that this process can map. Default 1.
 * @param verbose          {@code tutti.verbose}, {@code TUTTI_VERBOSE}: whether rank 0 prints which algorithms it
 *                         chooses, and which devices connect the hosts.
 */
public record EngineConfiguration(
    TransportSetting transport, String host, String shmDirectory, String oversubscribed, PortRequest portRequest,
    PathSettings path, TcpOptions tcp, AlgorithmSelector selector, boolean reproducible, String resultHashes,
    long timeoutNs, long connectTimeoutNs, long scratchBytes, int callsInProgress, ProgressSetting progress,
    long fusionBytes, boolean direct, boolean verbose)
{
    private static final Duration MAX_TIMEOUT = Duration.ofDays(365);
    private static final long MIN_SCRATCH_BYTES = 64L << 10;
    private static final long MAX_SCRATCH_BYTES = 1L << 40;
    /** The number of calls that a rank describes to its peers: an error must be able to name any call in progress. */
    static final int MAX_CALLS_IN_PROGRESS = 16;
    private static final long MAX_FUSION_BYTES = 1L << 30;
    private static final long ALIGNMENT = 64;

    /**
     * Reads the settings.
     *
     * @param environment environment of the rank.
     * @throws org.tutti.collectives.ConfigurationException if a setting is invalid.
     */
    public static EngineConfiguration of(final Map<String, String> environment)
    {
        return new EngineConfiguration(
            transport(environment),
            Setting.value(environment, "host", "").text(),
            Setting.value(environment, "shm.dir", "").text(),
            Setting.value(environment, "oversubscribed", "").text(),
            portRequest(environment, transport(environment)),
            PathSettings.of(environment),
            checked(TcpOptions::of, environment),
            AlgorithmSelector.of(
                Setting.value(environment, "algorithm", "").text(), Setting.value(environment, "tuning", "").text(),
                Setting.value(environment, "model", "").text()),
            isReproducible(environment),
            Setting.value(environment, "result.hashes", "").text(),
            timeoutNs(Setting.value(environment, "timeout", "5m")),
            JobEnvironment.joinTimeoutNs(environment),
            scratchBytes(environment),
            Setting.value(environment, "outstanding", "8").number(1, MAX_CALLS_IN_PROGRESS),
            ProgressSetting.of(Setting.value(environment, "progress", "caller")),
            fusionBytes(Setting.value(environment, "fusion", "64K")),
            direct(environment),
            isSet(Setting.value(environment, "verbose", "0")));
    }

    public static boolean isReproducible(final Map<String, String> environment)
    {
        return isSet(Setting.value(environment, "reproducible", "0"));
    }

    /** Whether ranks of one host load from and store into each other's memory. */
    public static boolean isDirect(final Map<String, String> environment)
    {
        return direct(environment) && transport(environment).isSharedWithinHosts();
    }

    public static long scratchBytes(final Map<String, String> environment)
    {
        return scratchBytes(Setting.value(environment, "scratch", "4M"));
    }

    private static boolean direct(final Map<String, String> environment)
    {
        return isSet(Setting.value(environment, "direct", "1"));
    }

    public static TransportSetting transport(final Map<String, String> environment)
    {
        return TransportSetting.of(Setting.value(environment, "transport", TransportNames.AUTO));
    }

    /** Converts a timeout to nanoseconds, capped at 365 days. */
    public static long timeoutNs(final Duration timeout)
    {
        return timeout.compareTo(MAX_TIMEOUT) < 0 ? timeout.toNanos() : MAX_TIMEOUT.toNanos();
    }

    private static long timeoutNs(final Setting setting)
    {
        final long ns = DurationFormat.parse(setting.text());
        if (ns <= 0)
        {
            throw setting.wrong("not a duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m");
        }
        return timeoutNs(Duration.ofNanos(ns));
    }

    private static long scratchBytes(final Setting setting)
    {
        final long bytes = SizeFormat.parse(setting.text());
        if (bytes < MIN_SCRATCH_BYTES || bytes > MAX_SCRATCH_BYTES)
        {
            throw setting.wrong("not a size from " + SizeFormat.format(MIN_SCRATCH_BYTES) + " to " +
                SizeFormat.format(MAX_SCRATCH_BYTES) + ": give a number and a unit (K, M, G), such as 4M");
        }
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private static long fusionBytes(final Setting setting)
    {
        final long bytes = SizeFormat.parse(setting.text());
        if (bytes < 0 || bytes > MAX_FUSION_BYTES)
        {
            throw setting.wrong("not a size from 0 to " + SizeFormat.format(MAX_FUSION_BYTES) +
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

    private static <T> T checked(
        final Function<Map<String, String>, T> reader, final Map<String, String> environment)
    {
        try
        {
            return reader.apply(environment);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException(e.getMessage(), e);
        }
    }

    private static PortRequest portRequest(final Map<String, String> environment, final TransportSetting transport)
    {
        final PortRequest request = checked(PortRequest::of, environment);
        if (request.isTcp() && !transport.mayUse(TransportNames.TCP))
        {
            throw new ConfigurationException(request.sources().device() + " names a network interface for transport " +
                "tcp, but " + transport.setting().source() + "='" + transport + "': use transport tcp or shm+tcp, or " +
                "name an RDMA device; tutti devices lists them");
        }
        return request;
    }
}
