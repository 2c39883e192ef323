/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.file.Path;

import org.tutti.bootstrap.JobSecret;

/**
 * Configuration of a rank that joins a job, and of its connection to the coordinator.
 *
 * @param memberId       the rank of the member, from 0.
 * @param worldSize      the number of ranks of the job, at least 1.
 * @param jobId          the id of the job.
 * @param host           the name of this host.
 * @param secret         the secret of the job.
 * @param aeronDirectory the directory of the media driver.
 * @param hosted         the number of members that this process's driver serves; 0 if another process runs the driver.
 * @param endpoint       the UDP endpoint of the coordinator, {@code host:port}; null for IPC on this host.
 * @param joinTimeoutNs  the maximum time to join, in nanoseconds, greater than 0.
 */
record MemberContext(
    int memberId,
    int worldSize,
    String jobId,
    String host,
    JobSecret secret,
    Path aeronDirectory,
    int hosted,
    String endpoint,
    long joinTimeoutNs)
{
    /** Returns the name of the rank for messages: {@code rank 3}. */
    String name()
    {
        return "rank " + memberId;
    }

    /** Returns the address of the coordinator for messages. */
    String coordinatorAddress()
    {
        return endpoint == null ? aeronDirectory.toString() : endpoint;
    }
}
