/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobDirectoryTest
{
    @TempDir
    Path base;

    @Test
    void shouldBePrivateAndRemovedWithContents() throws Exception
    {
        final Path outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "stays");
        final JobDirectory directory = JobDirectory.create(base, "job");
        Files.createDirectories(directory.path().resolve("deep/deeper"));
        Files.writeString(directory.path().resolve("deep/deeper/file"), "goes");
        Files.createSymbolicLink(directory.path().resolve("link"), outside);
        assertEquals(
            "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())));

        directory.close();
        directory.close();

        assertFalse(Files.exists(directory.path()));
        assertTrue(Files.exists(outside.resolve("precious")));
    }

    @Test
    void shouldRejectDirectoryOfRunningJob()
    {
        try (JobDirectory directory = JobDirectory.create(base, "twice"))
        {
            final BootstrapException refusal = assertThrows(
                BootstrapException.class, () -> JobDirectory.create(base, "twice"));

            assertTrue(refusal.getMessage().contains("job 'twice' is already running"), refusal.getMessage());
            assertTrue(
                refusal.getMessage().contains("process " + ProcessHandle.current().pid()), refusal.getMessage());
            assertEquals(List.of(), JobDirectory.removeStale(base));
            assertTrue(Files.isDirectory(directory.path()));
        }
    }

    @Test
    void shouldRemoveDirectoriesOfEndedProcesses() throws Exception
    {
        final Process process = new ProcessBuilder("sleep", "0").start();
        final ProcessIdentity current = ProcessIdentity.current();
        process.waitFor();
        final Path dead = left("dead", new ProcessIdentity(process.pid(), 1, current.namespace()));
        final Path recycled = left(
            "recycled", new ProcessIdentity(current.pid(), current.startTime() + 1, current.namespace()));
        final Path elsewhere = left("elsewhere", new ProcessIdentity(process.pid(), 1, "pid:[1]"));

        final List<Path> removed = JobDirectory.removeStale(base);

        assertEquals(2, removed.size());
        assertFalse(Files.exists(dead));
        assertFalse(Files.exists(recycled));
        assertTrue(Files.exists(elsewhere));
    }

    /** Closing any descriptor of its own lock file would release the POSIX lock. */
    @Test
    void shouldKeepLockWhenLookingForStaleDirectories() throws Exception
    {
        try (JobDirectory directory = JobDirectory.create(base, "locked"))
        {
            assertEquals(List.of(), JobDirectory.removeStale(base));

            final Process other = new ProcessBuilder("perl", "-e", """
                use Fcntl;
                open(my $file, "+<", $ARGV[0]) or exit 3;
                my $lock = pack("s s l! l! l!", F_WRLCK, 0, 0, 0, 0);
                exit(fcntl($file, F_SETLK, $lock) ? 0 : 1);
                """, directory.path().resolve("owner.lock").toString()).inheritIO().start();
            assertEquals(1, other.waitFor(), "another process acquired the lock");
        }
    }

    @Test
    void shouldStayUntilTheLastOwnerHasLeft() throws Exception
    {
        final JobDirectory first = JobDirectory.share(base, "shared");
        final JobDirectory second = JobDirectory.share(base, "shared");
        final JobDirectory third = JobDirectory.share(base, "shared");
        assertEquals(first.path(), second.path());

        first.close();
        first.close();
        assertEquals(List.of(), JobDirectory.removeStale(base));
        third.close();
        assertTrue(Files.isDirectory(second.path()));

        second.close();
        assertFalse(Files.exists(second.path()));
    }

    @Test
    void shouldBeRemovedWhenTheOtherOwnersHaveEnded() throws Exception
    {
        final Process process = new ProcessBuilder("sleep", "0").start();
        process.waitFor();
        left("shared", new ProcessIdentity(process.pid(), 1, ProcessIdentity.current().namespace()));
        final Path path = JobDirectory.path(base, "shared");
        Files.writeString(path.resolve("owner-1"), ProcessIdentity.current().encode());

        // An owner that is alive keeps the directory, although its creator has ended.
        assertEquals(List.of(), JobDirectory.removeStale(base));
        final JobDirectory own = JobDirectory.share(base, "shared");
        Files.delete(path.resolve("owner-1"));
        own.close();
        assertFalse(Files.exists(path));
    }

    @Test
    void shouldRemoveAttachedDirectory() throws Exception
    {
        final Path chosen = Files.createDirectory(base.resolve("chosen"));
        Files.writeString(chosen.resolve("precious"), "stays");
        final JobDirectory directory = JobDirectory.create(base, "job");
        final Path attached = JobDirectory.attach(directory.path(), "job", chosen);
        Files.writeString(attached.resolve("file"), "goes");

        assertEquals(attached, JobDirectory.attach(directory.path(), "job", chosen));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(attached)));
        directory.close();

        assertFalse(Files.exists(attached));
        assertTrue(Files.exists(chosen.resolve("precious")));
    }

    @Test
    void shouldReuseIdOfEndedJob() throws Exception
    {
        left("again", new ProcessIdentity(ProcessIdentity.current().pid(), 1, ProcessIdentity.current().namespace()));

        try (JobDirectory directory = JobDirectory.create(base, "again"))
        {
            assertEquals(ProcessIdentity.current(), JobDirectory.owner(directory.path()));
            assertFalse(Files.exists(directory.path().resolve("aeron")));
        }
    }

    @Test
    void shouldSkipDirectoriesThatCannotBeRemoved() throws Exception
    {
        final ProcessIdentity dead = new ProcessIdentity(
            ProcessIdentity.current().pid(), 1, ProcessIdentity.current().namespace());
        final Path stuck = left("stuck", dead);
        final Path other = left("other", dead);
        // Deeper than the maximum length of a path, so that not even root can remove it by path.
        final String deep = "deep" + ("/" + "x".repeat(250)).repeat(12);
        final Path lower = Files.createDirectory(base.resolve("lower"));
        Files.createDirectories(lower.resolve(deep));
        Files.move(lower, Files.createDirectories(stuck.resolve(deep)).resolve("lower"));
        try
        {
            assertEquals(List.of(other), JobDirectory.removeStale(base));
            assertTrue(Files.exists(stuck));
        }
        finally
        {
            assertEquals(0, new ProcessBuilder("rm", "-rf", stuck.toString()).start().waitFor());
        }
    }

    @Test
    void shouldKeepDirectoryWithoutOwnerUntilItIsOld() throws Exception
    {
        final Path directory = Files.createDirectory(JobDirectory.path(base, "young"));
        assertFalse(JobDirectory.removeIfStale(directory));

        Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(Duration.ofHours(1))));

        assertTrue(JobDirectory.removeIfStale(directory));
    }

    @Test
    void shouldRejectFileInPlaceOfDirectory() throws Exception
    {
        Files.writeString(JobDirectory.path(base, "file"), "in the way");

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> JobDirectory.create(base, "file"));

        assertTrue(refusal.getMessage().contains("not a directory of this user"), refusal.getMessage());
    }

    @Test
    void shouldReportRequiredSpace()
    {
        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> JobDirectory.checkSpace(base, 1L << 60, "a large job"));

        assertTrue(refusal.getMessage().contains("a large job needs 1125899906842624 KiB"), refusal.getMessage());
    }

    @Test
    void shouldRejectInvalidJobIds()
    {
        for (final String name : new String[]{"", "a/b", "..", "a b", "x".repeat(65)})
        {
            assertThrows(BootstrapException.class, () -> JobDirectory.create(base, name));
        }
    }

    private Path left(final String jobId, final ProcessIdentity owner) throws Exception
    {
        final Path directory = Files.createDirectory(JobDirectory.path(base, jobId),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(directory.resolve("owner"), owner.encode());
        Files.createDirectory(directory.resolve("aeron"));
        return directory;
    }
}
