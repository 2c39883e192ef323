/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.file.Path;

import org.tutti.bootstrap.JobSecret;

/**
 * Who joins a job, and how the coordinator is reached.
 *
 * @param memberId       the rank.
 * @param worldSize      how many ranks the job has.
 * @param jobId          the job's name.
 * @param host           the name of this host.
 * @param secret         of the job.
 * @param aeronDirectory of the media driver.
 * @param hosted         for how many members this process runs that driver; 0 if another of the host does.
 * @param endpoint       where the coordinator listens by UDP, {@code host:port}; null for IPC on this host.
 * @param joinTimeoutNs  how long to try.
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
