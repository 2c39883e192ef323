/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.store.DurationFormat;

/**
 * Shares a secret among the ranks of a one-host job that was started without one. Rank 0 generates it and stores it in
 * a file of mode 0600, in a directory of mode 0700 named after the job and its port; the other ranks of the same user
 * read it there. So the file system authenticates the ranks' user. {@link #close()} removes the file.
 */
public final class SecretFile implements AutoCloseable
{
    private static final String FILE = "secret";
    private static final int MAX_LENGTH = 256;
    private static final long POLL_NS = 5_000_000;
    private static final long INTERRUPTED_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final JobDirectory directory;
    private final String secret;

    private SecretFile(final JobDirectory directory, final String secret)
    {
        this.directory = directory;
        this.secret = secret;
    }

    /**
     * Creates a secret and its file, after removing leftovers of ended jobs.
     *
     * @param environment the environment of rank 0, with the coordinator's endpoint.
     * @return the file, to be closed once all ranks have joined, at the latest when the job ends.
     * @throws BootstrapException if there is a file of a running job, or of another user.
     */
    public static SecretFile create(final JobEnvironment environment)
    {
        final JobDirectory directory = JobDirectory.create(name(environment));
        final String secret = JobSecret.generate();
        final Path draft = directory.path().resolve(FILE + ".new");
        try
        {
            try (FileChannel channel = FileChannel.open(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))
            {
                Channels.newOutputStream(channel).write(secret.getBytes(StandardCharsets.US_ASCII));
            }
            // Renamed, so that the file is complete when it appears.
            Files.move(draft, directory.path().resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            directory.close();
            throw new BootstrapException("cannot write the job's secret to " + draft + ": " + ex, ex);
        }
        return new SecretFile(directory, secret);
    }

    /**
     * Waits for the secret of rank 0, and reads it.
     *
     * @param environment the environment of another rank of the same host, with the coordinator's endpoint; its join
     *                    timeout limits the wait.
     * @return the secret.
     * @throws BootstrapException            if the secret does not appear in time, or its file or directory is not
     *                                       trusted.
     * @throws BootstrapInterruptedException if the thread is interrupted and the secret does not appear within a
     *                                       second; if it appears, this method returns the secret, and the interrupt
     *                                       status stays set.
     */
    public static String await(final JobEnvironment environment)
    {
        final Path directory = JobDirectory.path(JobDirectory.base(), name(environment));
        final long deadlineNs = System.nanoTime() + environment.joinTimeoutNs();
        String secret = readIfThere(directory);
        while (secret == null)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new BootstrapException("rank " + environment.rank() + " found no secret of job '" +
                    environment.jobId() + "' in " + directory + " within " +
                    DurationFormat.format(environment.joinTimeoutNs()) + ": start rank 0 on this host, as uid " +
                    PrivatePath.uid() + " and with the same " + JobDirectory.base() + ", or set " +
                    JobEnvironment.TUTTI_SECRET + " on all ranks");
            }
            if (Thread.currentThread().isInterrupted())
            {
                return awaitBriefly(environment, directory);
            }
            LockSupport.parkNanos(POLL_NS);
            secret = readIfThere(directory);
        }
        return secret;
    }

    /** Waits briefly after an interrupt: with the secret, the thread can notify the other ranks of the interrupt. */
    private static String awaitBriefly(final JobEnvironment environment, final Path directory)
    {
        Uninterruptible.parkUntil(() -> readIfThere(directory) != null, INTERRUPTED_TIMEOUT_NS);
        final String secret = Thread.interrupted() ? readIfThere(directory) : null;
        if (secret == null)
        {
            throw BootstrapInterruptedException.of(
                "rank " + environment.rank(), "it waited for the secret of its job");
        }
        Thread.currentThread().interrupt();
        return secret;
    }

    /** Returns the secret; null if there is none, or only that of an ended job. */
    private static String readIfThere(final Path directory)
    {
        final Path file = directory.resolve(FILE);
        if (!PrivatePath.isDirectory(directory))
        {
            return null;
        }
        try
        {
            if (JobDirectory.isStale(directory) || !PrivatePath.isFile(file))
            {
                return null;
            }
            return read(file);
        }
        catch (final IOException ex)
        {
            // The file was removed in the meantime: all ranks have joined, or the job has ended.
            return null;
        }
    }

    private static String read(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))
        {
            return new String(
                Channels.newInputStream(channel).readNBytes(MAX_LENGTH), StandardCharsets.US_ASCII);
        }
    }

    /**
     * Returns the id of the secret's directory. It contains the port: jobs of one host may have the same id and
     * different ports.
     */
    private static String name(final JobEnvironment environment)
    {
        return JobId.sanitize(
            environment.jobId() + "-secret-" + HostPort.parse(environment.coordinator()).port());
    }

    /**
     * Returns the secret.
     *
     * @return 32 hexadecimal digits; must never be printed.
     */
    public String secret()
    {
        return secret;
    }

    /** Removes the file and its directory. Idempotent; thread-safe. */
    @Override
    public void close()
    {
        directory.close();
    }
}
