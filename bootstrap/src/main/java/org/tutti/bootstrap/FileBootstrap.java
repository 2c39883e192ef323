/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.tutti.bootstrap.store.Durations;
import org.tutti.bootstrap.store.RankList;

/**
 * A job whose ranks share nothing but a directory, which may be on a network: every value is a file, which appears
 * whole because it is renamed into place. Simple and slow: waits look for files every few milliseconds. Nobody watches
 * the ranks, so one that dies is noticed by the deadline of those who wait for it; one that aborts, at once.
 * <p>
 * The directory must be new for each job. It is the caller's, who removes it.
 */
public final class FileBootstrap implements Bootstrap
{
    private static final String FAILURE = "failure";
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final JobEnvironment environment;
    private final Path directory;
    private final FailureNotice notice = new FailureNotice();
    private final AtomicLong sequence = new AtomicLong();
    private final File failureFile;
    private final Thread watcher;
    private JobDirectory memory;
    private volatile boolean isClosed;

    /**
     * Joins a job.
     *
     * @param directory   that all ranks share, empty when the job starts.
     * @param environment says which rank this is; its local rank and size must be known.
     * @throws BootstrapException if the directory cannot be used.
     */
    public FileBootstrap(final Path directory, final JobEnvironment environment)
    {
        this.environment = environment;
        this.directory = directory;
        failureFile = directory.resolve(FAILURE).toFile();
        if (!Files.isWritable(directory))
        {
            throw new BootstrapException(directory + " is no directory that this process can write to");
        }
        if (environment.localRank() < 0 || environment.localSize() < 1)
        {
            throw new BootstrapException("the local rank and size of " + environment + " are not known");
        }
        watcher = new Thread(this::watch, "tutti-bootstrap-" + environment.rank());
        watcher.setDaemon(true);
        watcher.start();
    }

    @Override
    public int rank()
    {
        return environment.rank();
    }

    @Override
    public int size()
    {
        return environment.size();
    }

    @Override
    public int localRank()
    {
        return environment.localRank();
    }

    @Override
    public int localSize()
    {
        return environment.localSize();
    }

    @Override
    public String jobId()
    {
        return environment.jobId();
    }

    /** Made by the first rank of the host when it first asks; the others wait for it, as long as for joining. */
    @Override
    public String jobDirectory()
    {
        if (environment.jobDirectory() != null)
        {
            return environment.jobDirectory();
        }
        final String made = "tutti.directory." + Hosts.local();
        if (localRank() == 0)
        {
            makeJobDirectory(made);
        }
        else
        {
            await(made, environment.joinTimeoutNs());
        }
        return JobDirectory.path(JobDirectory.base(), jobId()).toString();
    }

    private synchronized void makeJobDirectory(final String made)
    {
        if (memory == null)
        {
            memory = JobDirectory.create(jobId());
            put(made, new byte[0]);
        }
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        Arguments.value(Arguments.key(key), value);
        checkOpen();
        write(file("value", key), value);
    }

    @Override
    public byte[] get(final String key)
    {
        Arguments.key(key);
        checkOpen();
        return read(file("value", key));
    }

    @Override
    public byte[] take(final String key)
    {
        final byte[] value = get(key);
        if (value != null)
        {
            delete(file("value", key));
        }
        return value;
    }

    @Override
    public byte[] await(final String key, final long timeoutNs)
    {
        Arguments.key(key);
        final Path file = file("value", key);
        if (!await(Arguments.timeout(timeoutNs), () -> Files.exists(file)))
        {
            throw new BootstrapTimeoutException("waiting for key '" + key + "' timed out after " +
                Durations.format(timeoutNs) + ": no rank has put it");
        }
        return read(file);
    }

    @Override
    public List<byte[]> allgather(
        final String name, final int[] members, final byte[] value, final long timeoutNs)
    {
        return gather("allgather", name, members, value, timeoutNs);
    }

    @Override
    public void barrier(final String name, final int[] members, final long timeoutNs)
    {
        gather("barrier", name, members, new byte[0], timeoutNs);
    }

    private List<byte[]> gather(
        final String kind, final String name, final int[] members, final byte[] value, final long timeoutNs)
    {
        final int[] checked = Arguments.members(members, rank(), size());
        Arguments.value(Arguments.key(name), value);
        checkOpen();
        write(file(kind + "-" + rank(), name), value);
        final int[] ranks = checked.length == 0 ? IntStream.range(0, size()).toArray() : checked;
        final BitSet missing = new BitSet();
        Arrays.stream(ranks).forEach(missing::set);
        final boolean isComplete = await(
            Arguments.timeout(timeoutNs),
            () ->
            {
                for (int rank = missing.nextSetBit(0); rank >= 0; rank = missing.nextSetBit(rank + 1))
                {
                    missing.set(rank, !Files.exists(file(kind + "-" + rank, name)));
                }
                return missing.isEmpty();
            });
        if (!isComplete)
        {
            throw new BootstrapTimeoutException(kind + " '" + name + "' timed out after " +
                Durations.format(timeoutNs) + ": " + missing.cardinality() + " of " + ranks.length +
                " ranks missing: " + RankList.format(missing) +
                (checked.length == 0 ? "" : ", as the job counts them"));
        }
        final List<byte[]> values = new ArrayList<>();
        for (final int rank : ranks)
        {
            values.add(read(file(kind + "-" + rank, name)));
        }
        return values;
    }

    @Override
    public void abort(final String reason)
    {
        abort(new RankFailure(
            rank(), Hosts.local(), ProcessHandle.current().pid(), RankFailure.aborted(reason)));
    }

    @Override
    public void abort(final int lateRank, final String reason)
    {
        abort(RankFailure.late(lateRank, "", 0, rank(), reason));
    }

    private void abort(final RankFailure failure)
    {
        final String text =
            failure.rank() + "\n" + failure.pid() + "\n" + failure.host() + "\n" + failure.cause();
        final Path draft = draft();
        try
        {
            Files.writeString(draft, text);
            // A link, unlike a rename, does not replace an earlier failure.
            Files.createLink(directory.resolve(FAILURE), draft);
        }
        catch (final FileAlreadyExistsException ex)
        {
            // Another rank was first.
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot write to " + directory + ": " + ex, ex);
        }
        finally
        {
            delete(draft);
        }
        readFailure();
        notice.tell();
    }

    @Override
    public RankFailure failure()
    {
        return notice.failure();
    }

    @Override
    public void onFailure(final Consumer<RankFailure> listener)
    {
        notice.listener(listener);
        notice.tell();
    }

    @Override
    public synchronized void close()
    {
        isClosed = true;
        LockSupport.unpark(watcher);
        if (memory != null)
        {
            memory.close();
        }
    }

    private void watch()
    {
        while (!isClosed && notice.failure() == null)
        {
            LockSupport.parkNanos(MAX_PARK_NS);
            readFailure();
        }
        notice.tell();
    }

    private void readFailure()
    {
        // Fifty times a second: an exception each time that it is not there would cost more than the look.
        final byte[] bytes = failureFile.exists() ? read(failureFile.toPath()) : null;
        if (bytes != null)
        {
            final String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", 4);
            notice.raise(new RankFailure(Integer.parseInt(lines[0]), lines[2], Long.parseLong(lines[1]), lines[3]));
        }
    }

    private boolean await(final long timeoutNs, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        long parkNs = MIN_PARK_NS;
        while (!condition.getAsBoolean())
        {
            readFailure();
            checkOpen();
            if (Thread.currentThread().isInterrupted())
            {
                throw BootstrapInterruptedException.of("rank " + rank(), "it waited for other ranks");
            }
            if (System.nanoTime() - deadlineNs >= 0)
            {
                return false;
            }
            LockSupport.parkNanos(parkNs);
            parkNs = Math.min(2 * parkNs, MAX_PARK_NS);
        }
        return true;
    }

    private void checkOpen()
    {
        notice.check();
        if (isClosed)
        {
            throw new BootstrapException("rank " + rank() + " has left the job: its bootstrap is closed");
        }
    }

    /** Keys may hold anything, and be longer than a file's name: their digests may not. */
    private Path file(final String kind, final String key)
    {
        try
        {
            final byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return directory.resolve(kind + "-" + HexFormat.of().formatHex(digest));
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new BootstrapException("this Java has no SHA-256", ex);
        }
    }

    private Path draft()
    {
        return directory.resolve(
            ".draft-" + rank() + "-" + ProcessHandle.current().pid() + "-" + sequence.getAndIncrement());
    }

    private void write(final Path file, final byte[] value)
    {
        final Path draft = draft();
        try
        {
            Files.write(draft, value);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            delete(draft);
            throw new BootstrapException("cannot write to " + directory + ": " + ex, ex);
        }
    }

    private static byte[] read(final Path file)
    {
        try
        {
            return Files.readAllBytes(file);
        }
        catch (final NoSuchFileException ex)
        {
            return null;
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot read " + file + ": " + ex, ex);
        }
    }

    private static void delete(final Path draft)
    {
        try
        {
            Files.deleteIfExists(draft);
        }
        catch (final IOException ex)
        {
            // The caller removes the directory with what is in it.
        }
    }
}
