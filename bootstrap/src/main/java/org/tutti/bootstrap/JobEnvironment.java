/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A process's place in its job, as the environment tells it. Tutti's launcher says everything; torchrun, Open MPI,
 * Slurm, Hydra (PMI) and PMIx tell the ranks, and {@code MASTER_ADDR} and {@code MASTER_PORT} where rank 0 is.
 *
 * @param rank          rank of the process, from 0.
 * @param size          number of ranks, at least 1.
 * @param localRank     rank among those of this host; -1 if the environment does not tell.
 * @param localSize     number of ranks on this host; -1 if the environment does not tell.
 * @param jobId         the job's name, the same for all ranks.
 * @param jobDirectory  made by the launcher; null when there is none.
 * @param coordinator   where the coordinator listens by UDP, {@code host:port}; null when it is on this host.
 * @param secret        secret of the job; never printed; null where ranks of one host and user are to agree on one by a
 *                      {@link SecretFile}.
 * @param joinTimeoutNs maximum time to join, in nanoseconds.
 */
public record JobEnvironment(
    int rank,
    int size,
    int localRank,
    int localSize,
    String jobId,
    String jobDirectory,
    String coordinator,
    String secret,
    long joinTimeoutNs)
{
    /** Which rank this process is. */
    public static final String RANK = "RANK";
    /** How many ranks the job has. */
    public static final String WORLD_SIZE = "WORLD_SIZE";
    /** Which rank among those of its host. */
    public static final String LOCAL_RANK = "LOCAL_RANK";
    /** How many ranks its host has. */
    public static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";
    /** The host of rank 0, or of the launcher. */
    public static final String MASTER_ADDR = "MASTER_ADDR";
    /** The port of the coordinator there. */
    public static final String MASTER_PORT = "MASTER_PORT";
    /** The job's name. */
    public static final String TUTTI_JOB_ID = "TUTTI_JOB_ID";
    /** The job's directory on this host, made by the launcher, with the media driver's in it. */
    public static final String TUTTI_JOB_DIR = "TUTTI_JOB_DIR";
    /** What proves that a process belongs to the job. */
    public static final String TUTTI_SECRET = "TUTTI_SECRET";
    /** Set to 1, lets any process join a job without a secret that reaches its port, from wherever. */
    public static final String TUTTI_INSECURE = "TUTTI_INSECURE";
    /** Where the coordinator listens when it is on another host than this launched rank: {@code host:port}. */
    public static final String TUTTI_COORDINATOR = "TUTTI_COORDINATOR";
    /** How long a rank tries to join. */
    public static final String TUTTI_JOIN_TIMEOUT = "TUTTI_JOIN_TIMEOUT";
    /** How long a rank may be silent before it counts as failed; read where the coordinator is. */
    public static final String TUTTI_HEARTBEAT_TIMEOUT = "TUTTI_HEARTBEAT_TIMEOUT";

    /** How long a rank may wait for others before the launcher tells of it; read by the launcher. */
    public static final String TUTTI_STALL_TIMEOUT = "TUTTI_STALL_TIMEOUT";

    private static final long STALL_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(1);
    private static final int MAX_SIZE = 1 << 20;
    private static final String LOOPBACK = "127.0.0.1";
    private static final Pattern LOOPBACK_PATTERN = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final long JOIN_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Reads the environment.
     *
     * @param variables variables by name, as {@link System#getenv()} gives them.
     * @return what they say, or null when they say nothing: a world of one.
     * @throws BootstrapException naming the variable that is wrong, its value and its range.
     */
    public static JobEnvironment read(final Map<String, String> variables)
    {
        final EnvironmentReader reader = new EnvironmentReader(variables);
        for (final LauncherVariables names : LauncherVariables.ALL)
        {
            if (reader.has(names.marker()))
            {
                return read(reader, names);
            }
        }
        if (reader.has(WORLD_SIZE) && reader.number(WORLD_SIZE, 1, MAX_SIZE) > 1)
        {
            throw new BootstrapException(WORLD_SIZE + "=" + reader.text(WORLD_SIZE) + " is set, but " + RANK +
                " is not: each rank needs its own, from 0 to WORLD_SIZE - 1");
        }
        return null;
    }

    /**
     * How long a rank tries to join, and then to connect to the others.
     *
     * @param variables variables by name, as {@link System#getenv()} gives them.
     * @return nanoseconds.
     * @throws BootstrapException naming the variable, its value and its range.
     */
    public static long joinTimeoutNs(final Map<String, String> variables)
    {
        return joinTimeoutNs(new EnvironmentReader(variables));
    }

    /**
     * How long ranks and hosts may be silent before they count as failed; known where the coordinator is.
     *
     * @param variables variables by name, as {@link System#getenv()} gives them.
     * @return nanoseconds, at least one second.
     * @throws BootstrapException naming the variable, its value and its range.
     */
    public static long heartbeatTimeoutNs(final Map<String, String> variables)
    {
        return new EnvironmentReader(variables).duration(TUTTI_HEARTBEAT_TIMEOUT, TimeUnit.SECONDS.toNanos(1),
            LONGEST_NS, CoordinatorContext.HEARTBEAT_TIMEOUT_DEFAULT_NS);
    }

    /**
     * How long a rank may wait for others before the launcher tells of it.
     *
     * @param variables variables by name, as {@link System#getenv()} gives them.
     * @return nanoseconds; 0 for never.
     * @throws BootstrapException naming the variable, its value and its range.
     */
    public static long stallTimeoutNs(final Map<String, String> variables)
    {
        return new EnvironmentReader(variables).duration(TUTTI_STALL_TIMEOUT, 0, LONGEST_NS, STALL_TIMEOUT_DEFAULT_NS);
    }

    private static long joinTimeoutNs(final EnvironmentReader reader)
    {
        return reader.duration(
            TUTTI_JOIN_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1), LONGEST_NS, JOIN_TIMEOUT_DEFAULT_NS);
    }

    private static JobEnvironment read(final EnvironmentReader reader, final LauncherVariables names)
    {
        final int size = reader.number(names.size(), 1, MAX_SIZE);
        final int rank = reader.number(names.rank(), 0, size - 1);
        final String jobDirectory = reader.text(TUTTI_JOB_DIR);
        // A launcher of ours says it; the ranks of others can find out.
        final boolean isLocalNeeded = jobDirectory != null && size > 1;
        final boolean isOnOneHost = size == 1 || isStepOnOneHost(reader, names.step());
        final int localSize = isLocalNeeded ?
            reader.number(names.localSize(), 1, size) :
            reader.number(names.localSize(), 1, size, isOnOneHost ? size : -1);
        final int maxLocalRank = (localSize < 0 ? size : localSize) - 1;
        final int localRank = isLocalNeeded ?
            reader.number(names.localRank(), 0, maxLocalRank) :
            reader.number(names.localRank(), 0, maxLocalRank, size == 1 ? 0 : -1);
        final int port = MasterPort.read(reader, names);
        final String jobId = jobId(reader, names, port);
        final String coordinator = jobDirectory == null ?
            master(reader, names, size == localSize, port) : reader.text(TUTTI_COORDINATOR);
        final String given = reader.text(TUTTI_SECRET);
        final boolean isOpen = "1".equals(reader.text(TUTTI_INSECURE));
        if (given == null && (size > 1 || jobDirectory != null))
        {
            checkUnprotected(jobDirectory, coordinator, isOpen);
        }
        // With the job's name for a secret any process may join: it keeps jobs apart, no more.
        final String secret = given == null && isOpen ? jobId : given;
        return new JobEnvironment(
            rank,
            size,
            localRank,
            localSize,
            jobId,
            jobDirectory,
            coordinator,
            secret,
            joinTimeoutNs(reader));
    }

    private static boolean isStepOnOneHost(final EnvironmentReader reader, final LauncherVariables.Step step)
    {
        return step != null && reader.number(step.hosts(), 1, MAX_SIZE, -1) == 1;
    }

    private static String jobId(final EnvironmentReader reader, final LauncherVariables names, final int port)
    {
        final String ownName = reader.text(TUTTI_JOB_ID);
        if (ownName != null)
        {
            return JobId.check(ownName);
        }
        final String otherName = reader.text(names.jobId());
        final String step = names.step() == null ? null : reader.text(names.step().id());
        // The port makes the job unique on the host of rank 0, whatever else the launcher calls it.
        return JobId.sanitize((otherName == null ? "job" : otherName) + (step == null ? "" : "." + step) + "-" + port);
    }

    private static String master(
        final EnvironmentReader reader, final LauncherVariables names, final boolean isOnOneHost, final int port)
    {
        // Where all are on one host, no other needs to reach it.
        final String address = isOnOneHost ? LOOPBACK : reader.text(MASTER_ADDR);
        if (address == null)
        {
            final LauncherVariables.Step step = names.step();
            throw new BootstrapException(MASTER_ADDR +
                " is not set: it must name the host of rank 0, so that all ranks find it" +
                (step == null || !reader.has(step.nodes()) ? "" :
                ", which is the first of " + step.nodes() + "=" + reader.text(step.nodes())));
        }
        return (address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address) + ":" + port;
    }

    /** Without a secret, only ranks of one host can agree on one. */
    private static void checkUnprotected(final String jobDirectory, final String coordinator, final boolean isOpen)
    {
        if (jobDirectory != null)
        {
            throw new BootstrapException(TUTTI_SECRET + " is not set, but " + TUTTI_JOB_DIR +
                " is: a launched rank needs both, as the launcher set them");
        }
        if (!isLoopback(coordinator) && !isOpen)
        {
            throw new BootstrapException(TUTTI_SECRET + " is not set, and other hosts can reach the job at " +
                coordinator + ": before the ranks start, export " + TUTTI_SECRET +
                "=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n') for all of them, or " + TUTTI_INSECURE +
                "=1 to let anyone join");
        }
    }

    /** Told from the text alone: a name that a name service makes loopback is not known to be. */
    private static boolean isLoopback(final String endpoint)
    {
        final String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
        return "localhost".equals(host) || "[::1]".equals(host) || LOOPBACK_PATTERN.matcher(host).matches();
    }

    /**
     * Whether a launcher started this process: it made the job's directory, and runs the coordinator.
     *
     * @return false if the ranks are on their own.
     */
    public boolean isLaunched()
    {
        return jobDirectory != null;
    }

    /**
     * The same, once it is known which ranks share a host.
     *
     * @param newLocalRank among the ranks of this host.
     * @param newLocalSize number of ranks on this host.
     * @return a copy.
     */
    public JobEnvironment withLocal(final int newLocalRank, final int newLocalSize)
    {
        return new JobEnvironment(rank, size, newLocalRank, newLocalSize, jobId, jobDirectory, coordinator, secret,
            joinTimeoutNs);
    }

    /**
     * The same, with the secret that the ranks of a host agreed on.
     *
     * @param newSecret not empty.
     * @return a copy.
     */
    public JobEnvironment withSecret(final String newSecret)
    {
        return new JobEnvironment(rank, size, localRank, localSize, jobId, jobDirectory, coordinator, newSecret,
            joinTimeoutNs);
    }

    /**
     * The same, with less patience.
     *
     * @param mostNs maximum time to join, in nanoseconds.
     * @return a copy.
     */
    public JobEnvironment withJoinTimeout(final long mostNs)
    {
        return new JobEnvironment(rank, size, localRank, localSize, jobId, jobDirectory, coordinator, secret,
            Math.min(joinTimeoutNs, mostNs));
    }

    @Override
    public String toString()
    {
        return "rank " + rank + " of " + size + " in job " + jobId;
    }
}
