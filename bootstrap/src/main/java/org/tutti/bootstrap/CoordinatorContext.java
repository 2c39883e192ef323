/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What a {@link Coordinator} needs to know of its job. Setters return this; {@link #conclude()} checks the whole. */
public final class CoordinatorContext
{
    /** How long a rank may be silent before it counts as failed, by default: 10 s, in nanoseconds. */
    public static final long HEARTBEAT_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(10);

    private String jobId;
    private int size;
    private Path aeronDirectory;
    private byte[] secret;
    private String endpoint;
    private long heartbeatTimeoutNs;
    private int rank = -1;
    private CoordinatorListener listener = new CoordinatorListener()
    {
    };

    /**
     * The name of the job: ranks that say another are refused.
     *
     * @param jobId letters, digits, '.', '_' and '-'; at most 64.
     * @return this.
     */
    public CoordinatorContext jobId(final String jobId)
    {
        this.jobId = jobId;
        return this;
    }

    /**
     * How many ranks the job has.
     *
     * @param size number of ranks, at least 1.
     * @return this.
     */
    public CoordinatorContext size(final int size)
    {
        this.size = size;
        return this;
    }

    /**
     * Where the media driver of this host puts its files, normally {@code aeron} in the job directory. Emptied at the
     * start, removed at the end.
     *
     * @param aeronDirectory an absolute path in memory-backed storage.
     * @return this.
     */
    public CoordinatorContext aeronDirectory(final Path aeronDirectory)
    {
        this.aeronDirectory = aeronDirectory;
        return this;
    }

    /**
     * What ranks must know in order to join.
     *
     * @param secret not empty; 16 random bytes or more keep strangers out.
     * @return this.
     */
    public CoordinatorContext secret(final byte[] secret)
    {
        this.secret = secret.clone();
        return this;
    }

    /**
     * Where ranks of other hosts reach the coordinator by UDP. Without it, only this host's can join.
     *
     * @param endpoint {@code host:port}, an address of this host, or 0.0.0.0 or [::] for all of them; port 0 lets the
     *                 kernel choose ({@link Coordinator#port()}); or null.
     * @return this.
     */
    public CoordinatorContext endpoint(final String endpoint)
    {
        this.endpoint = endpoint;
        return this;
    }

    /**
     * How long a rank may be silent before it counts as failed. Unless it is set here, the environment's
     * {@code TUTTI_HEARTBEAT_TIMEOUT} says it, or else it is {@link #HEARTBEAT_TIMEOUT_DEFAULT_NS}.
     *
     * @param heartbeatTimeoutNs nanoseconds, at least one second.
     * @return this.
     */
    public CoordinatorContext heartbeatTimeoutNs(final long heartbeatTimeoutNs)
    {
        this.heartbeatTimeoutNs = heartbeatTimeoutNs;
        return this;
    }

    /**
     * Which rank runs the coordinator, to be named when its process dies.
     *
     * @param rank rank, from 0, or -1 (the default) when it is a launcher.
     * @return this.
     */
    public CoordinatorContext rank(final int rank)
    {
        this.rank = rank;
        return this;
    }

    /**
     * The listener that is called when ranks join, leave and fail.
     *
     * @param listener not null.
     * @return this.
     */
    public CoordinatorContext listener(final CoordinatorListener listener)
    {
        this.listener = listener;
        return this;
    }

    /**
     * Checks that nothing is missing or out of range.
     *
     * @return this.
     * @throws BootstrapException naming what is wrong.
     */
    public CoordinatorContext conclude()
    {
        if (heartbeatTimeoutNs == 0)
        {
            heartbeatTimeoutNs = JobEnvironment.heartbeatTimeoutNs(System.getenv());
        }
        JobId.check(jobId);
        check(size >= 1, "a job has at least 1 rank, not " + size);
        check(rank >= -1 && rank < size, "the coordinator's rank must be -1 to " + (size - 1) + ", not " + rank);
        check(aeronDirectory != null && aeronDirectory.isAbsolute(),
            "the directory of the media driver must be an absolute path, not " + aeronDirectory);
        check(secret != null && secret.length > 0, "the job needs a secret: ranks prove that they know it");
        check(heartbeatTimeoutNs >= TimeUnit.SECONDS.toNanos(1),
            "the heartbeat timeout must be at least 1 s, not " + heartbeatTimeoutNs + " ns");
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

    public long heartbeatTimeoutNs()
    {
        return heartbeatTimeoutNs;
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
