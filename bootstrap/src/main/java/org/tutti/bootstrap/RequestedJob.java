/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * Reads the job that a program requests, rather than a launcher: the properties that name a rank, the number of ranks,
 * and the address of a coordinator that the program has started. They take precedence over a launcher's variables,
 * which describe the process, as a process may join several jobs, and several times.
 */
public final class RequestedJob
{
    /** The rank, from 0. */
    public static final String RANK = "tutti.rank";
    /** The number of ranks. */
    public static final String SIZE = "tutti.size";
    /** The UDP address of the coordinator, {@code host:port}. */
    public static final String COORDINATOR = "tutti.coordinator";
    /** The coordinator's secret. A property on a command line is visible to all users: set it from code. */
    public static final String SECRET = "tutti.secret";
    /** The name of the job. */
    public static final String JOB_ID = "tutti.job.id";
    /** The name of a job that is given none. */
    public static final String DEFAULT_JOB_ID = "job";

    /** Shorter secrets could be found by trying. */
    static final int MIN_SECRET_LENGTH = 16;
    static final int MAX_SECRET_LENGTH = 256;

    private RequestedJob()
    {
    }

    static boolean isIn(final EnvironmentReader reader)
    {
        return reader.has(RANK) || reader.has(SIZE);
    }

    static JobEnvironment read(final EnvironmentReader reader)
    {
        final int size = reader.number(SIZE, 1, JobEnvironment.MAX_SIZE);
        final int rank = reader.number(RANK, 0, size - 1);
        final String coordinator = reader.text(COORDINATOR);
        final String jobId = reader.has(JOB_ID) ? JobId.check(reader.text(JOB_ID)) : DEFAULT_JOB_ID;
        if (coordinator == null && size > 1)
        {
            throw new BootstrapException(COORDINATOR + " is not set: start a coordinator in one process by " +
                "Coordinator.start, and give its address() to all " + size + " ranks");
        }
        return new JobEnvironment(
            rank,
            size,
            -1,
            -1,
            jobId,
            null,
            true,
            coordinator == null ? null : checkAddress(coordinator),
            coordinator == null ? null : secret(reader),
            null,
            JobEnvironment.joinTimeoutNs(reader));
    }

    private static String secret(final EnvironmentReader reader)
    {
        final String secret = reader.text(SECRET);
        if (secret == null)
        {
            throw new BootstrapException(SECRET + " is not set: give all ranks the coordinator's secret()");
        }
        return checkSecret(secret);
    }

    /** Checks the length of a secret, which the message must not show; returns it without surrounding white space. */
    static String checkSecret(final String given)
    {
        final String secret = given.strip();
        if (secret.length() < MIN_SECRET_LENGTH || secret.length() > MAX_SECRET_LENGTH)
        {
            throw new BootstrapException(SECRET + " has " + secret.length() + " characters: must have " +
                MIN_SECRET_LENGTH + " to " + MAX_SECRET_LENGTH + ", such as the 32 that a coordinator generates");
        }
        return secret;
    }

    private static String checkAddress(final String address)
    {
        if (HostPort.parse(address).isComplete())
        {
            return address;
        }
        throw new BootstrapException(COORDINATOR + "='" + address +
            "' is not an address: give host:port or [IPv6]:port, as the coordinator's address() returns it");
    }
}
