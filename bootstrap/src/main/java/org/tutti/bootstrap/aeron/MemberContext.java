/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.file.Path;

import org.tutti.bootstrap.JobSecret;

/**
 * The rank that joins a job, and how it reaches the coordinator.
 *
 * @param memberId       rank of the member, from 0.
 * @param worldSize      number of ranks of the job, at least 1.
 * @param jobId          the job's name.
 * @param host           the name of this host.
 * @param secret         secret of the job.
 * @param aeronDirectory directory of the media driver.
 * @param hosted         number of members that this process runs the driver for; 0 if another process runs it.
 * @param endpoint       UDP address of the coordinator, {@code host:port}; null for IPC on this host.
 * @param joinTimeoutNs  maximum time to join, in nanoseconds, more than 0.
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
    /** As people read it: {@code rank 3}. */
    String name()
    {
        return "rank " + memberId;
    }

    /** Where the coordinator is reached, as people read it. */
    String coordinatorAddress()
    {
        return endpoint == null ? aeronDirectory.toString() : endpoint;
    }
}
