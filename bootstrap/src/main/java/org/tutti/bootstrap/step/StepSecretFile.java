/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.ExitRemoval;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.PrivatePath;
import org.tutti.bootstrap.store.DurationFormat;

/**
 * A file of mode 0600 with a job's secret, in a directory that hosts share. Ranks of the same user that find it share
 * the directory. {@link #close()} removes it, as does the end of the process.
 */
final class StepSecretFile implements AutoCloseable
{
    private static final int MAX_LENGTH = 256;
    private static final long POLL_NS = 20_000_000;

    private final Path file;
    private final Path draft;
    private final String secret;
    private final Thread exitHook;

    private StepSecretFile(final Path file, final Path draft, final String secret)
    {
        this.file = file;
        this.draft = draft;
        this.secret = secret;
        exitHook = ExitRemoval.atExit("tutti-secret", this::remove);
    }

    static StepSecretFile create(final Path directory, final JobEnvironment environment, final String secret)
    {
        final Path file = path(directory, environment.jobId());
        final StepSecretFile result =
            new StepSecretFile(file, directory.resolve(file.getFileName() + "." + JobSecret.generate()), secret);
        try
        {
            ExitRemoval.create(result::write);
            if (environment.step().earlierJobId() != null)
            {
                // No rank of this run reads it: its name contains the number of the run.
                Files.deleteIfExists(path(directory, environment.step().earlierJobId()));
            }
            return result;
        }
        catch (final BootstrapException ex)
        {
            result.close();
            throw ex;
        }
        catch (final IOException | RuntimeException ex)
        {
            result.close();
            throw new BootstrapException("cannot write the job's secret to " + file + " (" + ex + "): set " +
                JobEnvironment.TUTTI_SECRET_DIR + " to a directory that all hosts share and that is writable", ex);
        }
    }

    private Path write() throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))
        {
            Channels.newOutputStream(channel).write(secret.getBytes(StandardCharsets.US_ASCII));
            channel.force(true);
        }
        // Replaces the file of a job with the same name that was killed.
        return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Waits for the file of rank 0, and returns the secret in it. */
    static String await(final JobEnvironment environment, final SecretWay way)
    {
        final Path file = path(way.directory(), environment.jobId());
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < environment.joinTimeoutNs())
        {
            try
            {
                final String secret = read(file);
                if (secret != null)
                {
                    return secret;
                }
            }
            catch (final IOException ex)
            {
                // It was removed or replaced in the meantime.
                LockSupport.parkNanos(POLL_NS);
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw BootstrapInterruptedException.of(
                    "rank " + environment.rank(), "it waited for the secret of its job");
            }
            LockSupport.parkNanos(POLL_NS);
        }
        throw new BootstrapException("rank " + environment.rank() + " on " + Hosts.local() + " found no secret " +
            file + " of rank 0 within " + DurationFormat.format(environment.joinTimeoutNs()) + ": " + way.advice());
    }

    /** Returns the secret in a file, or null if there is none. */
    private static String read(final Path file) throws IOException
    {
        final byte[] bytes = PrivatePath.readFile(file, MAX_LENGTH);
        return bytes == null ? null : new String(bytes, StandardCharsets.US_ASCII);
    }

    private static Path path(final Path directory, final String jobId)
    {
        return directory.toAbsolutePath().resolve(".tutti-secret-" + jobId);
    }

    String secret()
    {
        return secret;
    }

    private void remove()
    {
        try
        {
            Files.deleteIfExists(draft);
            // Another job with the same name may have replaced it.
            if (secret.equals(read(file)))
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException | BootstrapException ex)
        {
            // It is no longer there, or no longer accessible.
            return;
        }
    }

    @Override
    public void close()
    {
        remove();
        ExitRemoval.cancel(exitHook);
    }
}
