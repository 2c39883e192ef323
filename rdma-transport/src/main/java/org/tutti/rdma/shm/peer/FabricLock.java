/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The file {@code lock} of a {@link Fabric}'s directory: serializes changes of the directory by all processes, and
 * contains the last incarnation and the random id of the directory, in 8 bytes each. Thread-safe.
 */
final class FabricLock
{
    private static final String NAME = "lock";
    private static final long DEADLINE_NS = 10_000_000_000L;
    private static final long PAUSE_NS = 50_000L;
    private static final int ID_BITS = 48;
    private static final long ID_OFFSET = Long.BYTES;
    private static final long LENGTH = 2 * Long.BYTES;

    private final Path path;

    FabricLock(final Path directory)
    {
        path = directory.resolve(NAME);
    }

    /**
     * Locks the directory against all processes and threads until the descriptor is closed.
     *
     * @param verb verb named in errors.
     * @return the descriptor.
     */
    int acquire(final String verb)
    {
        final int fd = FileCalls.open(path.toString(), FileCalls.O_RDWR_CREAT);
        if (fd < 0)
        {
            throw new RdmaException(-fd, verb, "cannot open " + path + SharedFile.fix(-fd));
        }
        final long deadline = System.nanoTime() + DEADLINE_NS;
        while (FileCalls.flock(fd, FileCalls.LOCK_EX | FileCalls.LOCK_NB) < 0)
        {
            if (System.nanoTime() - deadline > 0)
            {
                FileCalls.close(fd);
                throw new RdmaException(Errno.ETIMEDOUT, verb, "another process has held " + path +
                    " for 10 s; it may be stopped");
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return fd;
    }

    /**
     * Reads the id of the directory; the first process generates it. It is random, because directories of several hosts
     * can have the same device and inode numbers, and hosts started from one image the same boot id.
     *
     * @param verb verb named in errors.
     * @return a number of {@value #ID_BITS} bits, not 0.
     */
    long readId(final String verb)
    {
        final int lock = acquire(verb);
        try
        {
            SharedFile.reserve(path, lock, 0, LENGTH, verb);
            return readOrGenerateId(verb);
        }
        finally
        {
            FileCalls.close(lock);
        }
    }

    private long readOrGenerateId(final String verb)
    {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            final ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
            file.seek(ID_OFFSET);
            file.read(buffer.array());
            final long stored = buffer.getLong(0);
            if (stored > 0 && stored >>> ID_BITS == 0)
            {
                return stored;
            }
            final long generated = ThreadLocalRandom.current().nextLong(1, 1L << ID_BITS);
            file.seek(ID_OFFSET);
            file.write(buffer.putLong(0, generated).array());
            return generated;
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, verb, "cannot identify a directory by " + path + ": " + e);
        }
    }

    /**
     * Increments the incarnation. If the stored value is missing or invalid, counting restarts at a random number, so
     * that tokens that processes still hold do not name another context. The page is reserved, and the 8 bytes are
     * written atomically even if this process is killed.
     *
     * @param lock descriptor of the acquired lock.
     * @param verb verb named in errors.
     * @return the new incarnation, from 1.
     */
    int nextIncarnation(final int lock, final String verb)
    {
        SharedFile.reserve(path, lock, 0, Long.BYTES, verb);
        final ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
        // Not a FileChannel, which is closed when a thread that uses it is interrupted.
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            file.read(buffer.array());
            final long stored = buffer.getLong(0);
            final boolean isValid = stored > 0 && stored <= ControlLayout.MAX_INCARNATION;
            final int last = isValid ? (int)stored : ThreadLocalRandom.current().nextInt(ControlLayout.MAX_INCARNATION);
            final int next = last % ControlLayout.MAX_INCARNATION + 1;
            file.seek(0);
            file.write(buffer.putLong(0, next).array());
            return next;
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.ENODEV, verb, "cannot count contexts in " + path + ": " + e);
        }
    }

    /** Removes the file. */
    void delete()
    {
        SharedFile.delete(path);
    }
}
