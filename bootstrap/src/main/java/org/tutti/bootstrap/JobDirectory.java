/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A job's directory on one host, for shared memory: {@code /dev/shm/tutti-<uid>-<job>}, accessible to its user only
 * (mode 0700). Each owner has a file in it that names its process, which holds a lock for as long as it is alive; so a
 * process of any PID namespace can tell the leftovers of a killed job from the directory of a running one. When the
 * last owner {@linkplain #close() closes} it, or its process exits, the directory is removed with its contents and the
 * directory that is {@linkplain #attach attached} to it.
 */
public final class JobDirectory implements AutoCloseable
{
    private static final String HOST_ID_FILE = "host";
    private static final String ATTACHED_LINK = "attached";
    private static final String PREFIX = "tutti-";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long UNOWNED_GRACE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Path path;
    private final DirectoryOwner owner;
    private final Thread exitHook;
    private boolean isClosed;

    private JobDirectory(final Path path, final DirectoryOwner owner)
    {
        this.path = path;
        this.owner = owner;
        exitHook = ExitRemoval.atExit("tutti-remove-job-directory", this::leave);
    }

    /**
     * Creates the directory of a job below {@link #base()}, owned by this process, after removing stale ones.
     *
     * @param jobId the id of the job.
     * @return the directory, to be closed.
     * @throws BootstrapException if the job is already running, or the directory belongs to another user.
     */
    public static JobDirectory create(final String jobId)
    {
        final Path base = base();
        removeStale(base);
        return create(base, jobId);
    }

    /**
     * Creates the directory of a job below {@link #base()}, or becomes one more owner of it if another process or
     * thread of the job has created it.
     *
     * @param jobId the id of the job, of which only one job at a time can have a directory on this host.
     * @return the directory, to be closed by each owner.
     * @throws BootstrapException if the directory belongs to another user, or cannot be created.
     */
    public static JobDirectory share(final String jobId)
    {
        final Path base = base();
        removeStale(base);
        return share(base, jobId);
    }

    static JobDirectory share(final Path base, final String jobId)
    {
        final Path path = path(base, JobId.check(jobId));
        try
        {
            return create(base, jobId);
        }
        catch (final BootstrapException ex)
        {
            if (!PrivatePath.isDirectory(path))
            {
                throw ex;
            }
        }
        return ExitRemoval.create(() -> another(path));
    }

    private static JobDirectory another(final Path path)
    {
        try
        {
            return open(path, DirectoryOwner.another(path));
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot share the job directory " + path + ": " + ex +
                "; the job may have ended", ex);
        }
    }

    /**
     * Reads the random number of a job directory. Two ranks that read the same number have opened the same file, so
     * they share memory, whatever the names of their hosts.
     *
     * @param jobDirectory the job directory.
     * @return 32 hexadecimal digits.
     * @throws BootstrapException if this process cannot read the file.
     */
    public static String hostId(final Path jobDirectory)
    {
        try
        {
            return Files.readString(jobDirectory.resolve(HOST_ID_FILE));
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot read " + jobDirectory.resolve(HOST_ID_FILE) + ": " + ex +
                "; the job may have ended", ex);
        }
    }

    /**
     * Creates the directory of a job, owned by this process.
     *
     * @param base  the parent directory.
     * @param jobId the id of the job.
     * @return the directory, to be closed.
     * @throws BootstrapException if the job is already running, or the directory belongs to another user.
     */
    public static JobDirectory create(final Path base, final String jobId)
    {
        final Path path = path(base, JobId.check(jobId));
        // Created under another name and renamed, so that no process ever sees it without its owner.
        // The name is random, as processes of several PID namespaces may create the directory at once.
        final Path draft = base.resolve(path.getFileName() + "." + JobSecret.generate() + ".new");
        // A signal may end this process at any time.
        final Thread draftHook = ExitRemoval.atExit("tutti-remove-draft", () -> deleteRecursively(draft));
        try
        {
            return ExitRemoval.create(() -> create(jobId, path, draft));
        }
        finally
        {
            ExitRemoval.cancel(draftHook);
        }
    }

    private static JobDirectory create(final String jobId, final Path path, final Path draft)
    {
        DirectoryOwner owner = null;
        try
        {
            refuseForeign(path);
            if (isStale(path))
            {
                deleteRecursively(path);
            }
            Files.createDirectory(draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            owner = DirectoryOwner.first(draft);
            Files.writeString(draft.resolve(HOST_ID_FILE), JobSecret.generate());
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException ex)
        {
            deleteRecursively(draft);
            if (owner != null)
            {
                owner.release();
            }
            throw new BootstrapException(
                Files.isDirectory(path) ? runningMessage(jobId, path) :
                "cannot create the job directory " + path + ": " + ex + "; " + path.getParent() + " must be writable",
                ex);
        }
        return open(path, owner);
    }

    private static JobDirectory open(final Path path, final DirectoryOwner owner)
    {
        try
        {
            return new JobDirectory(path, owner);
        }
        catch (final BootstrapException ex)
        {
            leave(path, owner);
            owner.release();
            throw ex;
        }
    }

    /**
     * Returns the parent of job directories: memory-backed storage, or the directory for temporary files if there is
     * none.
     *
     * @return {@code /dev/shm}, or {@code java.io.tmpdir}.
     */
    public static Path base()
    {
        return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY) ?
            MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Returns the path of the directory of this user's job, which need not exist.
     *
     * @param base  the parent directory.
     * @param jobId the id of the job.
     * @return the path.
     */
    public static Path path(final Path base, final String jobId)
    {
        return base.resolve(PREFIX + PrivatePath.uid() + "-" + jobId);
    }

    /**
     * Removes the directories of this user's jobs whose owner has ended. Directories that cannot be removed are
     * skipped.
     *
     * @param base the parent directory.
     * @return the removed directories.
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
                    // Leftovers of another job must not prevent this one from starting.
                }
            }
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot list job directories in " + base + ": " + ex, ex);
        }
        return removed;
    }

    /**
     * Removes a job directory if its owner has ended.
     *
     * @param directory the job directory.
     * @return true if the directory was stale.
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
     * Returns the process that has created a job directory.
     *
     * @param directory the job directory.
     * @return the process, or null if it has left, or the directory has no owner file.
     */
    public static ProcessIdentity owner(final Path directory)
    {
        return DirectoryOwner.firstOf(directory);
    }

    /**
     * Creates another directory for a job, below a directory that the user chose. The new directory is removed together
     * with the job directory, even if the job directory is removed as stale. May be called by several processes of the
     * job.
     *
     * @param jobDirectory the job's directory on this host; only one directory can be attached to it.
     * @param jobId        the id of the job.
     * @param parent       the parent directory, which must exist and be writable.
     * @return the directory, for this user only (mode 0700).
     * @throws IOException if the directory cannot be created.
     */
    public static Path attach(final Path jobDirectory, final String jobId, final Path parent) throws IOException
    {
        final Path attached = path(parent.toRealPath(), JobId.check(jobId));
        return ExitRemoval.create(() -> attach(jobDirectory, attached));
    }

    private static Path attach(final Path jobDirectory, final Path attached) throws IOException
    {
        try
        {
            // The link comes first, so that the directory is found even if this process is killed in between.
            Files.createSymbolicLink(jobDirectory.resolve(ATTACHED_LINK), attached);
            Files.createDirectory(attached,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        catch (final FileAlreadyExistsException ex)
        {
            // Another process of the job has created the link or the directory, on this host or in another container.
            Files.createDirectories(attached,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return attached;
    }

    /**
     * Checks that there is enough memory before it is mapped: a page that cannot be allocated later kills the process.
     *
     * @param directory the directory of the files to be mapped.
     * @param length    the number of bytes that will be touched.
     * @param purpose   the purpose of the memory, for the message.
     * @throws BootstrapException if there is not enough memory.
     */
    public static void checkSpace(final Path directory, final long length, final String purpose)
    {
        try
        {
            final long free = Files.getFileStore(directory).getUsableSpace();
            if (free < length)
            {
                throw new BootstrapException(directory + " has " + (free >> 10) + " KiB free, " + purpose + " needs " +
                    (length >> 10) + " KiB: free space, or enlarge it (mount -o remount,size=, docker run " +
                    "--shm-size, or in Kubernetes an emptyDir with medium: Memory)");
            }
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("cannot determine the free space in " + directory + ": " + ex, ex);
        }
    }

    /**
     * Returns the path of the directory.
     *
     * @return an absolute path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Returns the directory of the host's media driver.
     *
     * @return a directory within this one, which the driver creates.
     */
    public Path aeronDirectory()
    {
        return aeronDirectory(path);
    }

    /**
     * Returns the directory of the media driver for a job directory.
     *
     * @param jobDirectory the job directory.
     * @return a directory within the job directory.
     */
    public static Path aeronDirectory(final Path jobDirectory)
    {
        return jobDirectory.resolve("aeron");
    }

    /** Removes the directory with its contents, unless there is another owner. Idempotent. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        leave();
        owner.release();
        ExitRemoval.cancel(exitHook);
    }

    private void leave()
    {
        leave(path, owner);
    }

    private static void leave(final Path path, final DirectoryOwner owner)
    {
        if (owner.leave(path))
        {
            deleteRecursively(path);
        }
    }

    private static void refuseForeign(final Path path) throws IOException
    {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !isOwnedByUser(path))
        {
            throw new BootstrapException(path + " already exists and is not a directory of this user, but " +
                PrivatePath.describe(path) + ": remove it, or choose another job id");
        }
    }

    private static String runningMessage(final String jobId, final Path path)
    {
        final ProcessIdentity owner = owner(path);
        return "job '" + jobId + "' is already running: " + path + " is owned by process " +
            (owner == null ? "unknown" : owner.pid()) + "; choose another job id";
    }

    /**
     * Returns whether a directory was left behind: it exists, and either its owners have ended, or it has had no owner
     * file for a minute.
     */
    static boolean isStale(final Path path) throws IOException
    {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
        {
            return false;
        }
        if (!DirectoryOwner.hasNone(path))
        {
            return DirectoryOwner.hasOnlyEnded(path);
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
                DirectoryTree.delete(attached);
            }
        }
        catch (final IOException ex)
        {
            // No directory is attached, or the attached directory is not visible to this process.
        }
        DirectoryTree.delete(path);
    }
}
