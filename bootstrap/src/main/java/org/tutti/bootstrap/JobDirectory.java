/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A job's directory on one host, for shared memory: {@code /dev/shm/tutti-<uid>-<job>}, for its owner's eyes only
 * (mode 0700). A file in it says which process owns it, and a lock that this process holds proves that it is alive, so
 * that what a killed job left can be told from what a running job needs, from any PID namespace. Removed by
 * {@link #close()}, or when the process exits, with everything in it and with the directory that is attached to it.
 */
public final class JobDirectory implements AutoCloseable
{
    private static final String OWNER_FILE = "owner";
    private static final String ATTACHED_LINK = "attached";
    private static final String PREFIX = "tutti-";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int DELETE_ROUNDS = 100;
    private static final long UNOWNED_GRACE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final Path path;
    private final OwnerLock lock;
    private final Thread exitHook;
    private boolean isClosed;

    private JobDirectory(final Path path, final OwnerLock lock)
    {
        this.path = path;
        this.lock = lock;
        exitHook = new Thread(() -> deleteRecursively(path), "tutti-remove-job-directory");
    }

    /**
     * Makes the directory of a job below {@link #base()}, owned by this process, after removing stale ones.
     *
     * @param jobId its name.
     * @return the directory, to be closed.
     * @throws BootstrapException if the job is running already, or the directory is another user's.
     */
    public static JobDirectory create(final String jobId)
    {
        final Path base = base();
        removeStale(base);
        return create(base, jobId);
    }

    /**
     * Makes the directory of a job, owned by this process.
     *
     * @param base  parent directory.
     * @param jobId its name.
     * @return the directory, to be closed.
     * @throws BootstrapException if the job is running already, or the directory is another user's.
     */
    public static JobDirectory create(final Path base, final String jobId)
    {
        final Path path = path(base, JobId.check(jobId));
        // Made under another name and renamed, so that no process ever sees it without its owner.
        final Path draft = base.resolve(path.getFileName() + "." + ProcessHandle.current().pid() + "-" +
            SEQUENCE.getAndIncrement() + ".new");
        OwnerLock lock = null;
        try
        {
            refuseForeign(path);
            if (isStale(path))
            {
                deleteRecursively(path);
            }
            Files.createDirectory(draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            // The lock first: what has no owner file yet is not asked for its lock.
            lock = OwnerLock.acquire(draft);
            Files.writeString(draft.resolve(OWNER_FILE), ProcessIdentity.current().encode());
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            deleteRecursively(draft);
            release(lock);
            throw new BootstrapException(
                Files.isDirectory(path) ? runningMessage(jobId, path) : "cannot make the job directory " + path + ": " +
                ex + "; is " + base + " writable?", ex);
        }
        final JobDirectory directory = new JobDirectory(path, lock);
        Runtime.getRuntime().addShutdownHook(directory.exitHook);
        return directory;
    }

    /**
     * Where job directories are made: memory-backed storage, or the directory for temporary files where there is none.
     *
     * @return {@code /dev/shm}, or {@code java.io.tmpdir}.
     */
    public static Path base()
    {
        return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY) ?
            MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * The directory of a job of this user, which may or may not be there.
     *
     * @param base  directory of job directories.
     * @param jobId its name.
     * @return the path.
     */
    public static Path path(final Path base, final String jobId)
    {
        return base.resolve(PREFIX + PrivatePath.uid() + "-" + jobId);
    }

    /**
     * Removes the directories of this user's jobs whose owner is dead. What cannot be removed
     * stays: it disturbs no job.
     *
     * @param base parent directory.
     * @return those that were removed.
     */
    public static List<Path> removeStale(final Path base)
    {
        final List<Path> removed = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, PREFIX + PrivatePath.uid() + "-*"))
        {
            for (final Path directory : directories)
            {
                try
                {
                    if (removeIfStale(directory))
                    {
                        removed.add(directory);
                    }
                }
                catch (final BootstrapException ex)
                {
                    // Another job's rest must not keep this one from starting.
                }
            }
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot look for stale job directories in " + base + ": " + ex, ex);
        }
        return removed;
    }

    /**
     * Removes a job directory if its owner is dead.
     *
     * @param directory directory of this user.
     * @return whether it was stale.
     */
    public static boolean removeIfStale(final Path directory)
    {
        try
        {
            if (!isOwnedByUser(directory) || !isStale(directory))
            {
                return false;
            }
        }
        catch (final IOException ex)
        {
            return false;
        }
        deleteRecursively(directory);
        return true;
    }

    /**
     * The process that owns a job directory.
     *
     * @param directory directory of a job.
     * @return the process, or null if the directory does not say.
     */
    public static ProcessIdentity owner(final Path directory)
    {
        try
        {
            return ProcessIdentity.decode(Files.readString(directory.resolve(OWNER_FILE)));
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /**
     * Makes a directory for a job below one that the user chose. It is removed with the job's directory, and if the
     * job's processes are killed, by whatever removes that. May be called by several processes of the job.
     *
     * @param jobDirectory job directory of the job on this host; one directory can be attached to it.
     * @param jobId        its name.
     * @param parent       parent directory, which exists and is writable.
     * @return the directory, for this user only (mode 0700).
     * @throws IOException if it cannot be made.
     */
    public static Path attach(final Path jobDirectory, final String jobId, final Path parent) throws IOException
    {
        final Path attached = path(parent.toRealPath(), JobId.check(jobId));
        try
        {
            // The link first: whenever this process is killed, the directory is found by it.
            Files.createSymbolicLink(jobDirectory.resolve(ATTACHED_LINK), attached);
            Files.createDirectory(attached,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        catch (final FileAlreadyExistsException ex)
        {
            // Another process of the job was faster, on this host or in another container.
            Files.createDirectories(attached,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return attached;
    }

    /**
     * Makes sure that memory can be had before it is mapped: a page that cannot be had later kills the process.
     *
     * @param directory directory of the files to be mapped.
     * @param length    bytes that will be touched.
     * @param purpose   what they are for.
     * @throws BootstrapException if there is less.
     */
    public static void checkSpace(final Path directory, final long length, final String purpose)
    {
        try
        {
            final long free = Files.getFileStore(directory).getUsableSpace();
            if (free < length)
            {
                throw new BootstrapException(directory + " has " + (free >> 10) + " KiB free, " + purpose + " needs " +
                    (length >> 10) + " KiB: free some, or enlarge it (docker run --shm-size, mount -o remount,size=)");
            }
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot tell how much space is free in " + directory + ": " + ex, ex);
        }
    }

    /**
     * The directory.
     *
     * @return an absolute path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Where the host's media driver puts its files.
     *
     * @return a directory within this one, which the driver makes.
     */
    public Path aeronDirectory()
    {
        return aeronDirectory(path);
    }

    /**
     * Where the media driver of a job's host puts its files.
     *
     * @param jobDirectory job directory of the job.
     * @return a directory within it.
     */
    public static Path aeronDirectory(final Path jobDirectory)
    {
        return jobDirectory.resolve("aeron");
    }

    /** Removes the directory with everything in it. Idempotent. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        deleteRecursively(path);
        release(lock);
        try
        {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        }
        catch (final IllegalStateException ex)
        {
            // The process is exiting: the hook finds nothing to do.
        }
    }

    private static void release(final OwnerLock lock)
    {
        if (lock != null)
        {
            lock.close();
        }
    }

    private static void refuseForeign(final Path path) throws IOException
    {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isOwnedByUser(path))
        {
            throw new BootstrapException(path + " is there already and is not this user's directory but " +
                PrivatePath.describe(path) + ": remove it, or choose another job id");
        }
    }

    private static String runningMessage(final String jobId, final Path path)
    {
        final ProcessIdentity owner = owner(path);
        return "job '" + jobId + "' is running already: " + path + " is owned by process " +
            (owner == null ? "unknown" : owner.pid()) + "; choose another job id";
    }

    /** Whether a directory is there and its owner is dead. */
    static boolean isStale(final Path path) throws IOException
    {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        {
            return false;
        }
        final ProcessIdentity owner = owner(path);
        if (owner != null)
        {
            return OwnerLock.isIn(path) ? OwnerLock.isReleased(path) : !owner.isAlive();
        }
        final long ageMs = System.currentTimeMillis() - Files.getLastModifiedTime(path).toMillis();
        return ageMs > TimeUnit.NANOSECONDS.toMillis(UNOWNED_GRACE_NS);
    }

    private static boolean isOwnedByUser(final Path path) throws IOException
    {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) &&
            Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(PrivatePath.uid());
    }

    private static void deleteRecursively(final Path path)
    {
        try
        {
            final Path attached = Files.readSymbolicLink(path.resolve(ATTACHED_LINK));
            if (attached.getFileName().toString().startsWith(PREFIX) && isOwnedByUser(attached))
            {
                deleteTree(attached);
            }
        }
        catch (final IOException ex)
        {
            // There is none, or this process cannot see it.
        }
        deleteTree(path);
    }

    /** Other processes of the job may still be making files: what appears meanwhile is removed in another round. */
    private static void deleteTree(final Path path)
    {
        for (int round = 1; ; round++)
        {
            try
            {
                delete(path);
                return;
            }
            catch (final DirectoryNotEmptyException ex)
            {
                if (round == DELETE_ROUNDS)
                {
                    throw new BootstrapException("cannot remove " + path + ": files keep appearing in it", ex);
                }
            }
            catch (final IOException ex)
            {
                throw new BootstrapException("cannot remove " + path + ": " + ex, ex);
            }
        }
    }

    private static void delete(final Path path) throws IOException
    {
        try
        {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
            {
                try (DirectoryStream<Path> children = Files.newDirectoryStream(path))
                {
                    for (final Path child : children)
                    {
                        delete(child);
                    }
                }
            }
            Files.deleteIfExists(path);
        }
        catch (final NoSuchFileException ex)
        {
            // Another process of the job was faster.
        }
    }
}
