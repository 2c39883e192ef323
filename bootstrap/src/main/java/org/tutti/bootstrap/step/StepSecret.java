/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;

/**
 * The secret on which the ranks of a Slurm step agree. Rank 0 draws it, and gives it to ranks of the same user and step
 * by the first of these ways that is available: a directory that the user chose, PMI-2's key-value space, MUNGE, or the
 * working directory, if several hosts share its file system.
 */
public final class StepSecret implements AutoCloseable
{
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
        final SecretWay way = SecretWay.choose(environment.step());
        return switch (way.kind())
        {
            case PMI -> new StepSecret(PmiSecret.agree(environment, way), () -> { });
            case MUNGE -> environment.rank() == 0 ? serve(environment) :
                new StepSecret(MungeClient.request(environment, way), () -> { });
            case FILE -> environment.rank() == 0 ? write(environment, way) :
                new StepSecret(StepSecretFile.await(environment, way), () -> { });
            case NONE -> throw new BootstrapException(JobEnvironment.TUTTI_SECRET + " is not set, and rank " +
                environment.rank() + " on " + Hosts.local() + " cannot agree on one with other hosts, as " +
                way.reason() + ": start the ranks by 'srun --mpi=pmi2', install munge on all nodes, or set " +
                JobEnvironment.TUTTI_SECRET_DIR + " to a directory that all hosts share");
        };
    }

    private static StepSecret write(final JobEnvironment environment, final SecretWay way)
    {
        final StepSecretFile file = StepSecretFile.create(way.directory(), environment, JobSecret.generate());
        return new StepSecret(file.secret(), file);
    }

    private static StepSecret serve(final JobEnvironment environment)
    {
        final String secret = JobSecret.generate();
        return new StepSecret(secret, MungeServer.start(environment, secret));
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

    /** Stops giving the secret to other ranks. Idempotent; thread-safe. */
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
