/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.PrivatePath;

/**
 * Joins a job as a rank that Tutti's launcher started: the launcher, or its agent on this host, runs the media driver.
 */
public final class LaunchedRank
{
    /** Number of files opened later: jars and libraries, and buffers while they are mapped. */
    private static final int FILES = 16;

    private LaunchedRank()
    {
    }

    /**
     * Joins the job.
     *
     * @param environment the environment of the rank, with a job directory.
     * @return the rank's bootstrap, to be closed.
     */
    public static Bootstrap join(final JobEnvironment environment)
    {
        OpenFileLimit.require("rank " + environment.rank(), FILES);
        final FailureNotice notice = new FailureNotice();
        final MemberContext context = launched(environment);
        final String directory = environment.jobDirectory();
        final String hostId = JobDirectory.hostId(Path.of(directory));
        return new AeronBootstrap(environment, directory, hostId, notice, MemberClient.join(context, notice));
    }

    /**
     * Joins only to abort the job because this rank cannot continue, so that the other ranks do not wait for it.
     *
     * @param environment the environment of the rank, with a job directory.
     * @param reason      the reason in one line.
     */
    public static void abort(final JobEnvironment environment, final String reason)
    {
        try (MemberClient client = MemberClient.join(launched(environment), new FailureNotice()))
        {
            client.abort(reason);
        }
    }

    private static MemberContext launched(final JobEnvironment environment)
    {
        final Path jobDirectory = Path.of(environment.jobDirectory());
        final Path aeronDirectory = JobDirectory.aeronDirectory(jobDirectory);
        // A user with write access could attach to the media driver, or run one. The launcher created the directory
        // before this rank started: one that appears later may belong to another user.
        if (!PrivatePath.isDirectory(jobDirectory))
        {
            throw MediaClient.missing(aeronDirectory);
        }
        return context(environment, aeronDirectory, 0, environment.coordinator());
    }

    static MemberContext context(
        final JobEnvironment environment, final Path aeronDirectory, final int hosted, final String endpoint)
    {
        return new MemberContext(
            environment.rank(),
            environment.size(),
            environment.jobId(),
            Hosts.local(),
            new JobSecret(environment.secret().getBytes(StandardCharsets.UTF_8)),
            aeronDirectory,
            hosted,
            endpoint,
            environment.joinTimeoutNs());
    }
}
