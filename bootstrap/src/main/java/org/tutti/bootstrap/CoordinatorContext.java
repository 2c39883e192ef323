/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Configuration of a {@link Coordinator}. Setters return this; {@link #conclude()} validates the configuration. */
public final class CoordinatorContext
{
    /** The default heartbeat timeout, in nanoseconds: 10 s. */
    public static final long HEARTBEAT_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(10);

    private String jobId;
    private int size;
    private Path aeronDirectory;
    private byte[] secret;
    private String endpoint;
    private long heartbeatTimeoutNs;
    private long leaveTimeoutNs;
    private String endpointReason = "it was requested";
    private AutoCloseable owned = () ->
    {
    };
    private int rank = -1;
    private CoordinatorListener listener = new CoordinatorListener()
    {
    };

    /**
     * Sets the id of the job. Ranks with another id are refused.
     *
     * @param jobId the job id, 1 to 64 letters, digits, '.', '_' and '-'.
     * @return this.
     */
    public CoordinatorContext jobId(final String jobId)
    {
        this.jobId = jobId;
        return this;
    }

    /**
     * Sets the number of ranks of the job.
     *
     * @param size the number of ranks, at least 1.
     * @return this.
     */
    public CoordinatorContext size(final int size)
    {
        this.size = size;
        return this;
    }

    /**
     * Sets the directory of this host's media driver, normally {@code aeron} in the job directory. It is emptied at the
     * start and removed at the end.
     *
     * @param aeronDirectory the absolute path of a directory in memory-backed storage.
     * @return this.
     */
    public CoordinatorContext aeronDirectory(final Path aeronDirectory)
    {
        this.aeronDirectory = aeronDirectory;
        return this;
    }

    /**
     * Sets the secret that authenticates ranks.
     *
     * @param secret the secret, not empty; use at least 16 random bytes.
     * @return this.
     */
    public CoordinatorContext secret(final byte[] secret)
    {
        this.secret = secret.clone();
        return this;
    }

    /**
     * Sets the UDP endpoint for ranks on other hosts. Without it, only ranks of this host can join.
     *
     * @param endpoint {@code host:port}, with an address of this host, or 0.0.0.0 or [::] for all addresses; port 0
     *                 lets the kernel choose ({@link Coordinator#port()}); or null.
     * @return this.
     */
    public CoordinatorContext endpoint(final String endpoint)
    {
        this.endpoint = endpoint;
        return this;
    }

    /**
     * Sets the reason for the choice of the endpoint's address.
     *
     * @param endpointReason the reason in one line.
     * @return this.
     */
    public CoordinatorContext endpointReason(final String endpointReason)
    {
        this.endpointReason = endpointReason;
        return this;
    }

    /**
     * Sets a resource that the coordinator closes after its media driver, unless it cannot start.
     *
     * @param owned the resource, such as the directory of the media driver; not null.
     * @return this.
     */
    public CoordinatorContext owned(final AutoCloseable owned)
    {
        this.owned = owned;
        return this;
    }

    /**
     * Sets the heartbeat timeout: the silence after which a rank is considered failed. By default the value of {@code
     * TUTTI_HEARTBEAT_TIMEOUT} in the {@link ProcessSettings}, else {@link #HEARTBEAT_TIMEOUT_DEFAULT_NS}.
     *
     * @param heartbeatTimeoutNs the timeout in nanoseconds, at least one second.
     * @return this.
     */
    public CoordinatorContext heartbeatTimeoutNs(final long heartbeatTimeoutNs)
    {
        this.heartbeatTimeoutNs = heartbeatTimeoutNs;
        return this;
    }

    /**
     * Sets the maximum time that {@link Coordinator#close} waits for the ranks that have joined to leave.
     *
     * @param leaveTimeoutNs the time in nanoseconds, from 0 (the default) to 5 s.
     * @return this.
     */
    public CoordinatorContext leaveTimeoutNs(final long leaveTimeoutNs)
    {
        this.leaveTimeoutNs = leaveTimeoutNs;
        return this;
    }

    /**
     * Sets the rank whose process runs the coordinator: the other ranks report it as failed when they lose the
     * coordinator.
     *
     * @param rank the rank, from 0, or -1 (the default) if a launcher runs the coordinator.
     * @return this.
     */
    public CoordinatorContext rank(final int rank)
    {
        this.rank = rank;
        return this;
    }

    /**
     * Sets the listener that is called when ranks join, leave and fail.
     *
     * @param listener the listener, not null.
     * @return this.
     */
    public CoordinatorContext listener(final CoordinatorListener listener)
    {
        this.listener = listener;
        return this;
    }

    /**
     * Validates the configuration.
     *
     * @return this.
     * @throws BootstrapException if a value is missing or out of range; the message names the value.
     */
    public CoordinatorContext conclude()
    {
        if (heartbeatTimeoutNs == 0)
        {
            heartbeatTimeoutNs = JobEnvironment.heartbeatTimeoutNs(ProcessSettings.read());
        }
        JobId.check(jobId);
        check(size >= 1, "the number of ranks must be at least 1: " + size);
        check(rank >= -1 && rank < size, "the coordinator's rank must be -1 to " + (size - 1) + ": " + rank);
        check(aeronDirectory != null && aeronDirectory.isAbsolute(),
            "the directory of the media driver must be an absolute path: " + aeronDirectory);
        check(secret != null && secret.length > 0, "the job's secret must not be empty");
        check(heartbeatTimeoutNs >= TimeUnit.SECONDS.toNanos(1),
            "the heartbeat timeout must be at least 1 s: " + heartbeatTimeoutNs + " ns");
        check(listener != null, "the listener must not be null");
        return this;
    }

    public String jobId()
    {
        return jobId;
    }

    public int size()
    {
        return size;
    }

    public Path aeronDirectory()
    {
        return aeronDirectory;
    }

    public byte[] secret()
    {
        return secret.clone();
    }

    public String endpoint()
    {
        return endpoint;
    }

    public String endpointReason()
    {
        return endpointReason;
    }

    public AutoCloseable owned()
    {
        return owned;
    }

    public long heartbeatTimeoutNs()
    {
        return heartbeatTimeoutNs;
    }

    public long leaveTimeoutNs()
    {
        return leaveTimeoutNs;
    }

    public int rank()
    {
        return rank;
    }

    public CoordinatorListener listener()
    {
        return listener;
    }

    private static void check(final boolean isGood, final String message)
    {
        if (!isGood)
        {
            throw new BootstrapException(message);
        }
    }
}
