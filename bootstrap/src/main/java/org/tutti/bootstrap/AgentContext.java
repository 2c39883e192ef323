/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.file.Path;

/**
 * What a node agent needs to know to join. It runs the media driver of its host, which its ranks use too.
 *
 * @param agent          its number, from 0.
 * @param jobId          the job's name.
 * @param secret         of the job.
 * @param aeronDirectory where the media driver puts its files, normally {@code aeron} in the host's job directory.
 * @param localSize      how many ranks this host will have.
 * @param endpoint       where the coordinator listens by UDP, {@code host:port}.
 * @param joinTimeoutNs  how long to try, in nanoseconds.
 */
public record AgentContext(
    int agent, String jobId, String secret, Path aeronDirectory, int localSize, String endpoint, long joinTimeoutNs)
{
    @Override
    public String toString()
    {
        return "agent " + agent + " of job " + jobId;
    }
}
