/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.SlurmStep;

/**
 * The secret on which the ranks of a Slurm step agree. Rank 0 draws it, and gives it to ranks of the same user and step
 * by the first of these ways that there is: PMI-2's key-value space, a directory that the user chose, MUNGE, or the
 * working directory, if its file system is one of several hosts.
 */
public final class StepSecret implements AutoCloseable
{
    /** Types of file systems that hosts share, as the kernel or FUSE names them. */
    private static final Set<String> SHARED = Set.of(
        "nfs", "nfs4", "lustre", "gpfs", "beegfs", "ceph", "fuse.ceph", "cifs", "smb3", "afs", "panfs", "orangefs",
        "wekafs", "fuse.glusterfs", "9p", "virtiofs", "gfs2", "ocfs2");

    private final String secret;
    private final AutoCloseable server;

    StepSecret(final String secret, final AutoCloseable server)
    {
        this.secret = secret;
        this.server = server;
    }

    /**
     * Agrees on a secret. On rank 0, returns at once, unless all ranks use PMI-2; the other ranks wait for rank 0, at
     * most for the join timeout.
     *
     * @param environment the environment of a rank that has a step.
     * @return the secret; on rank 0, to be closed once all ranks have joined, at the latest when the job ends.
     * @throws BootstrapException if there is no way to agree, rank 0 does not answer in time, or refuses this rank.
     */
    public static StepSecret agree(final JobEnvironment environment)
    {
        final SlurmStep step = environment.step();
        if (step.pmiDescriptor() >= 0)
        {
            return new StepSecret(PmiSecret.agree(environment), () -> { });
        }
        final Path directory = step.directory() == null ? null : Path.of(step.directory());
        if (directory == null && MungeCommand.isInstalled(step.path()))
        {
            return environment.rank() == 0 ? serve(environment) :
                new StepSecret(MungeClient.request(environment), () -> { });
        }
        final Path shared = directory == null ? sharedDirectory() : directory;
        if (shared == null)
        {
            throw new BootstrapException(JobEnvironment.TUTTI_SECRET + " is not set, and the ranks on several hosts " +
                "cannot agree on one: start them by 'srun --mpi=pmi2', install munge, or set " +
                JobEnvironment.TUTTI_SECRET_DIR + " to a directory that all hosts share");
        }
        if (environment.rank() > 0)
        {
            return new StepSecret(StepSecretFile.await(shared, environment), () -> { });
        }
        final StepSecretFile file = StepSecretFile.create(shared, environment, JobSecret.generate());
        return new StepSecret(file.secret(), file);
    }

    private static StepSecret serve(final JobEnvironment environment)
    {
        final String secret = JobSecret.generate();
        return new StepSecret(secret, MungeServer.start(environment, secret));
    }

    /** Returns the working directory if its file system is one of several hosts, else null. */
    private static Path sharedDirectory()
    {
        try
        {
            final Path working = Path.of("").toAbsolutePath();
            return SHARED.contains(Files.getFileStore(working).type()) ? working : null;
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /**
     * Returns the secret.
     *
     * @return hexadecimal digits; must never be printed.
     */
    public String secret()
    {
        return secret;
    }

    /** Ends what gives the secret to other ranks. Idempotent; thread-safe. */
    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new BootstrapException("cannot end the exchange of the job's secret: " + ex, ex);
        }
    }
}
