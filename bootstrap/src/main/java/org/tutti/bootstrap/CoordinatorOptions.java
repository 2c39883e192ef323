/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.time.Duration;

/**
 * Options of a {@link Coordinator} that a program starts for ranks that join by {@code Communicator.join}. Setters
 * return this. For one thread at a time; {@link Coordinator#start(CoordinatorOptions)} copies the options.
 */
public final class CoordinatorOptions
{
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private final int size;
    private String jobName = RequestedJob.DEFAULT_JOB_ID;
    private String secret;
    private String address;
    private Duration heartbeatTimeout;
    private int rank = -1;

    private CoordinatorOptions(final int size)
    {
        this.size = size;
    }

    /**
     * Creates the options of a job.
     *
     * @param size the number of ranks, at least 1.
     * @return new options.
     */
    public static CoordinatorOptions ofSize(final int size)
    {
        return new CoordinatorOptions(size);
    }

    /**
     * Sets the name of the job, for messages and directories. Ranks that give another name are refused.
     *
     * @param jobName the name, 1 to 64 letters, digits, '.', '_' and '-'; by default {@code job}.
     */
    public CoordinatorOptions jobName(final String jobName)
    {
        this.jobName = jobName;
        return this;
    }

    /**
     * Sets the secret that ranks must know to join.
     *
     * @param secret the secret, 16 to 256 characters, best random; by default 32 random hexadecimal digits, which
     *               {@link Coordinator#secret()} returns.
     */
    public CoordinatorOptions secret(final String secret)
    {
        this.secret = secret;
        return this;
    }

    /**
     * Sets the UDP address at which ranks reach the coordinator.
     *
     * @param address an address of this host, the name of a network interface, or a network, such as {@code 10.1.0.7},
     *                {@code ib0} or {@code 10.1.0.0/16}, with or without a port, such as {@code 10.1.0.7:4000}; an
     *                IPv6 address with a port is in brackets. By default, the address on the route to other networks.
     *                Without a port, or with port 0, the kernel chooses one: {@link Coordinator#address()} returns
     *                both.
     */
    public CoordinatorOptions address(final String address)
    {
        this.address = address;
        return this;
    }

    /**
     * Sets the silence after which a rank counts as failed.
     *
     * @param heartbeatTimeout the timeout, from one second to one day; by default {@code tutti.heartbeat.timeout},
     *                         else {@code TUTTI_HEARTBEAT_TIMEOUT}, else 10 s.
     */
    public CoordinatorOptions heartbeatTimeout(final Duration heartbeatTimeout)
    {
        this.heartbeatTimeout = heartbeatTimeout;
        return this;
    }

    /**
     * Sets the rank whose process runs the coordinator: if the other ranks lose the coordinator, they report this rank
     * as failed.
     *
     * @param rank the rank, from 0 to the size less 1, or -1, the default, if the process is that of no rank or of
     *             several.
     */
    public CoordinatorOptions rank(final int rank)
    {
        this.rank = rank;
        return this;
    }

    int rank()
    {
        return rank;
    }

    int size()
    {
        return size;
    }

    String jobName()
    {
        return jobName;
    }

    /** Returns the secret; null to generate one. */
    String secret()
    {
        return secret;
    }

    /** Returns the address as given; null to choose one. */
    String address()
    {
        return address;
    }

    /** Returns the heartbeat timeout in nanoseconds; 0 for that of the settings. */
    long heartbeatTimeoutNs()
    {
        if (heartbeatTimeout == null)
        {
            return 0;
        }
        if (heartbeatTimeout.compareTo(SHORTEST) < 0 || heartbeatTimeout.compareTo(LONGEST) > 0)
        {
            throw new BootstrapException("the heartbeat timeout is " + heartbeatTimeout + ": must be from " + SHORTEST +
                " to " + LONGEST);
        }
        return heartbeatTimeout.toNanos();
    }
}
