/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The rank and job of a process, or of a thread, read from its settings. Tutti's launcher sets all variables; torchrun,
 * Open MPI, Slurm, Hydra (PMI) and PMIx set the ranks, and {@code MASTER_ADDR} and {@code MASTER_PORT} locate rank 0; a
 * program that joins a job of its own sets the properties of {@link RequestedJob}.
 *
 * @param rank          the rank of the process, from 0.
 * @param size          the number of ranks, at least 1.
 * @param localRank     the index among the ranks of this host; -1 if unknown.
 * @param localSize     the number of ranks on this host; -1 if unknown.
 * @param jobId         the id of the job, the same for all ranks.
 * @param jobDirectory  the job's directory, created by Tutti's launcher; null without that launcher.
 * @param isRequested   whether the program requested this job, and started its coordinator.
 * @param coordinator   the UDP endpoint of the coordinator, {@code host:port}; null if a launched rank reaches it by
 *                      IPC.
 * @param secret        the secret of the job, never printed; null if the ranks, all of one host and user, agree on one
 *                      through a {@link SecretFile}.
 * @param step          how the ranks of a Slurm step on several hosts can agree on a secret; null unless they have to.
 * @param joinTimeoutNs the maximum time to join, in nanoseconds.
 */
public record JobEnvironment(
    int rank,
    int size,
    int localRank,
    int localSize,
    String jobId,
    String jobDirectory,
    boolean isRequested,
    String coordinator,
    String secret,
    SlurmStep step,
    long joinTimeoutNs)
{
    /** The rank of this process. */
    public static final String RANK = "RANK";
    /** The number of ranks of the job. */
    public static final String WORLD_SIZE = "WORLD_SIZE";
    /** The index of this process among the ranks of this host. */
    public static final String LOCAL_RANK = "LOCAL_RANK";
    /** The number of ranks on this host. */
    public static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";
    /** The host of rank 0, or of the launcher. */
    public static final String MASTER_ADDR = "MASTER_ADDR";
    /** The port of the coordinator on that host. */
    public static final String MASTER_PORT = "MASTER_PORT";
    /** The id of the job. */
    public static final String TUTTI_JOB_ID = "TUTTI_JOB_ID";
    /** The job's directory on this host, created by the launcher; contains the media driver's directory. */
    public static final String TUTTI_JOB_DIR = "TUTTI_JOB_DIR";
    /** The secret that authenticates the processes of the job. */
    public static final String TUTTI_SECRET = "TUTTI_SECRET";
    /** A file with the secret, instead of {@link #TUTTI_SECRET}; only the user can read it. */
    public static final String TUTTI_SECRET_FILE = "TUTTI_SECRET_FILE";
    /** A directory that all hosts share, in which the ranks of a Slurm step agree on a secret. */
    public static final String TUTTI_SECRET_DIR = "TUTTI_SECRET_DIR";
    /** If 1, a job without a secret admits any process that reaches its port, from any host. */
    public static final String TUTTI_INSECURE = "TUTTI_INSECURE";
    /** The endpoint of the coordinator, {@code host:port}, for launched ranks on other hosts. */
    public static final String TUTTI_COORDINATOR = "TUTTI_COORDINATOR";
    /** The maximum time to join. */
    public static final String TUTTI_JOIN_TIMEOUT = "TUTTI_JOIN_TIMEOUT";
    /** The silence after which a rank is considered failed; read by the coordinator's process. */
    public static final String TUTTI_HEARTBEAT_TIMEOUT = "TUTTI_HEARTBEAT_TIMEOUT";

    /** The time that a rank may wait before the launcher reports it; read by the launcher. */
    public static final String TUTTI_STALL_TIMEOUT = "TUTTI_STALL_TIMEOUT";

    private static final long STALL_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(1);
    static final int MAX_SIZE = 1 << 20;
    private static final String LOOPBACK = "127.0.0.1";
    private static final long JOIN_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Reads the environment.
     *
     * @param variables the settings by name, as returned by {@link ProcessSettings#read()}.
     * @return the environment, or null if there is none: a job of one rank.
     * @throws BootstrapException if a variable is invalid; the message names the variable, its value
     *                            and its range.
     */
    public static JobEnvironment read(final Map<String, String> variables)
    {
        final EnvironmentReader reader = new EnvironmentReader(variables);
        if (RequestedJob.isIn(reader))
        {
            return RequestedJob.read(reader);
        }
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
     * Returns the maximum time to join, and then to connect to the other ranks.
     *
     * @param variables the settings by name, as returned by {@link ProcessSettings#read()}.
     * @return the timeout in nanoseconds.
     * @throws BootstrapException if the variable is invalid; the message names the variable, its value
     *                            and its range.
     */
    public static long joinTimeoutNs(final Map<String, String> variables)
    {
        return joinTimeoutNs(new EnvironmentReader(variables));
    }

    /**
     * Returns the heartbeat timeout, which the coordinator sets for the job: the silence after which a rank or host is
     * considered failed.
     *
     * @param variables the settings by name, as returned by {@link ProcessSettings#read()}.
     * @return the timeout in nanoseconds, at least one second.
     * @throws BootstrapException if the variable is invalid; the message names the variable, its value
     *                            and its range.
     */
    public static long heartbeatTimeoutNs(final Map<String, String> variables)
    {
        return new EnvironmentReader(variables).duration(TUTTI_HEARTBEAT_TIMEOUT, TimeUnit.SECONDS.toNanos(1),
            LONGEST_NS, CoordinatorContext.HEARTBEAT_TIMEOUT_DEFAULT_NS);
    }

    /**
     * Returns the time that a rank may wait before the launcher reports it.
     *
     * @param variables the settings by name, as returned by {@link ProcessSettings#read()}.
     * @return the timeout in nanoseconds; 0 for never.
     * @throws BootstrapException if the variable is invalid; the message names the variable, its value
     *                            and its range.
     */
    public static long stallTimeoutNs(final Map<String, String> variables)
    {
        return new EnvironmentReader(variables).duration(TUTTI_STALL_TIMEOUT, 0, LONGEST_NS, STALL_TIMEOUT_DEFAULT_NS);
    }

    static long joinTimeoutNs(final EnvironmentReader reader)
    {
        return reader.duration(
            TUTTI_JOIN_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1), LONGEST_NS, JOIN_TIMEOUT_DEFAULT_NS);
    }

    private static JobEnvironment read(final EnvironmentReader reader, final LauncherVariables names)
    {
        final int size = reader.number(names.size(), 1, MAX_SIZE);
        final int rank = reader.number(names.rank(), 0, size - 1);
        final String jobDirectory = reader.text(TUTTI_JOB_DIR);
        // Tutti's launcher sets the local rank and size; ranks of other launchers can determine them while they join.
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
        final int earlierRuns = SlurmStep.earlierRuns(reader, names.step());
        final String jobId = jobId(reader, names, port, earlierRuns);
        final String coordinator = jobDirectory == null ?
            master(reader, names, size == localSize, port) : reader.text(TUTTI_COORDINATOR);
        final String given = SharedSecret.read(reader);
        final boolean isOpen = "1".equals(reader.text(TUTTI_INSECURE));
        final boolean mustAgree = given == null && !isOpen && jobDirectory == null && size > 1 &&
            names.step() != null && !HostPort.parse(coordinator).isLoopback();
        if (given == null && (size > 1 || jobDirectory != null) && !mustAgree)
        {
            checkUnprotected(jobDirectory, coordinator, isOpen);
        }
        // With the job id as the secret, any process may join: the id only separates jobs.
        final String secret = given == null && isOpen ? jobId : given;
        return new JobEnvironment(
            rank,
            size,
            localRank,
            localSize,
            jobId,
            jobDirectory,
            false,
            coordinator,
            secret,
            mustAgree ? SlurmStep.read(
                reader, earlierRuns == 0 ? null : jobId(reader, names, port, earlierRuns - 1)) : null,
            joinTimeoutNs(reader));
    }

    private static boolean isStepOnOneHost(final EnvironmentReader reader, final LauncherVariables.Step step)
    {
        return step != null && reader.number(step.hosts(), 1, MAX_SIZE, -1) == 1;
    }

    private static String jobId(
        final EnvironmentReader reader, final LauncherVariables names, final int port, final int earlierRuns)
    {
        // A requeued job has the numbers and port of its earlier runs, of which ranks and files may be left.
        final String run = "run" + (earlierRuns + 1);
        final String ownName = reader.text(TUTTI_JOB_ID);
        if (ownName != null)
        {
            return earlierRuns == 0 ? JobId.check(ownName) : JobId.withSuffix(JobId.check(ownName), run);
        }
        final String otherName = reader.text(names.jobId());
        final String step = names.step() == null ? null : reader.text(names.step().id());
        // The port makes the job id unique on the host of rank 0.
        return JobId.sanitize((otherName == null ? "job" : otherName) + (step == null ? "" : "." + step) +
            (earlierRuns == 0 ? "" : "-" + run) + "-" + port);
    }

    private static String master(
        final EnvironmentReader reader, final LauncherVariables names, final boolean isOnOneHost, final int port)
    {
        // If all ranks are on one host, no other host needs to reach rank 0.
        final String given = reader.text(MASTER_ADDR);
        final String address = isOnOneHost ? LOOPBACK :
            given == null && names.step() != null ? SlurmStep.firstHost(reader, names.step()) : given;
        if (address == null)
        {
            throw new BootstrapException(MASTER_ADDR +
                " is not set: it must name the host of rank 0, the same for all ranks");
        }
        return new HostPort(address.startsWith("[") && address.endsWith("]") ?
            address.substring(1, address.length() - 1) : address, port).toString();
    }

    /**
     * Checks that a job without a secret is on one host, where its ranks can agree on a secret, or admits any process.
     */
    private static void checkUnprotected(final String jobDirectory, final String coordinator, final boolean isOpen)
    {
        if (jobDirectory != null)
        {
            throw new BootstrapException(TUTTI_SECRET + " is not set, but " + TUTTI_JOB_DIR +
                " is: a launched rank needs both, as the launcher set them");
        }
        if (!HostPort.parse(coordinator).isLoopback() && !isOpen)
        {
            throw new BootstrapException(TUTTI_SECRET + " is not set, and other hosts can reach the job at " +
                coordinator + ": before the ranks start, export " + TUTTI_SECRET +
                "=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n') for all of them, or " + TUTTI_INSECURE +
                "=1 to admit any process");
        }
    }

    /**
     * Returns whether a launcher started this process, created the job's directory, and runs the coordinator.
     *
     * @return false for ranks that Tutti's launcher did not start.
     */
    public boolean isLaunched()
    {
        return jobDirectory != null;
    }

    /**
     * Returns whether the rank needs no coordinator, as it is the only one, and the program has started none.
     *
     * @return false if the rank joins other ranks, or a coordinator.
     */
    boolean isAlone()
    {
        return size == 1 && !isLaunched() && !(isRequested && coordinator != null);
    }

    /**
     * Returns a copy with the local rank and size.
     *
     * @param newLocalRank the index among the ranks of this host.
     * @param newLocalSize the number of ranks on this host.
     * @return the copy.
     */
    public JobEnvironment withLocal(final int newLocalRank, final int newLocalSize)
    {
        return new JobEnvironment(rank, size, newLocalRank, newLocalSize, jobId, jobDirectory, isRequested, coordinator,
            secret, step, joinTimeoutNs);
    }

    /**
     * Returns a copy with the secret that the ranks of a host agreed on.
     *
     * @param newSecret the secret, not empty.
     * @return the copy.
     */
    public JobEnvironment withSecret(final String newSecret)
    {
        return new JobEnvironment(rank, size, localRank, localSize, jobId, jobDirectory, isRequested, coordinator,
            newSecret, step, joinTimeoutNs);
    }

    /**
     * Returns a copy with a limited join timeout.
     *
     * @param mostNs the upper limit of the join timeout, in nanoseconds.
     * @return the copy.
     */
    public JobEnvironment withJoinTimeout(final long mostNs)
    {
        return new JobEnvironment(rank, size, localRank, localSize, jobId, jobDirectory, isRequested, coordinator,
            secret, step, Math.min(joinTimeoutNs, mostNs));
    }

    @Override
    public String toString()
    {
        return "rank " + rank + " of " + size + " in job " + jobId;
    }
}
