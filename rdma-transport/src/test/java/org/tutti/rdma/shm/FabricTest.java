/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.shm.peer.StaleDirectories;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class FabricTest
{
    /** Greater than any process ID. */
    private static final int NO_PID = 5_000_000;

    @TempDir
    private Path directory;

    @Test
    void shouldRemoveFilesWhenContextIsDead() throws IOException
    {
        final int dead = ControlLayout.token(3, 9);
        final Path context = Files.createFile(directory.resolve("ctx-3"));
        final Path memory = Files.createFile(directory.resolve("mem-" + Integer.toHexString(dead) + "-1"));

        open().close();

        assertFalse(Files.exists(context));
        assertFalse(Files.exists(memory));
    }

    @Test
    void shouldKeepFilesWhenContextIsAlive() throws IOException
    {
        try (Context first = open(); AllocatedMemory memory = first.allocateMemory(4096); Context second = open())
        {
            assertEquals(memory.length(), 4096);
            assertEquals(3, files("ctx-") + files("mem-"));
            assertFalse(first.queryGid(1, 0).equals(second.queryGid(1, 0)));
        }
        assertEquals(0, files("ctx-") + files("mem-"));
    }

    @Test
    void shouldRejectPathWhenPeerIsInAnotherDirectory() throws IOException
    {
        final ShmProvider one = new ShmProvider(makeDirectory("one"));
        final ShmProvider other = new ShmProvider(makeDirectory("other"));
        try (Pair here = new Pair(one, 64); Pair there = new Pair(other, 64))
        {
            assertEquals(here.qp.qpNum(), there.qp.qpNum());
            final Gid gid = there.context.queryGid(1, 0);
            final RdmaException e = assertThrows(RdmaException.class, () ->
                here.connect(there.qp.qpNum(), new AddressHandleAttributes(true, gid, 0, 1, 0, 0, 1)));
            assertEquals(Errno.EHOSTUNREACH, e.errno());
            assertTrue(e.getMessage().contains(gid.toString()), e.getMessage());
            assertTrue(e.getMessage().contains(directory.resolve("one").toString()), e.getMessage());
        }
    }

    @Test
    void shouldConnectWhenDirectoryIsNamedByAnotherPath() throws IOException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        try (Context first = open(); Context second = new ShmProvider(link).devices().getFirst().open())
        {
            assertEquals(first.queryGid(1, 0).high(), second.queryGid(1, 0).high());
        }
    }

    /** Directories of two hosts can have the same device and inode, and the hosts the same boot id. */
    @Test
    void shouldIdentifyDirectoryByItsRandomNumber() throws IOException
    {
        final long id = openForId();
        assertEquals(id, openForId());

        // As in a directory that another host has created.
        Files.write(directory.resolve("lock"), new byte[0]);
        assertNotEquals(id, openForId());
    }

    private long openForId()
    {
        try (Context context = open())
        {
            return context.queryGid(1, 0).high();
        }
    }

    @Test
    void shouldRemovePrivateDirectoryWhenClosed()
    {
        final Path own = StaleDirectories.OWN;
        final Context context = new ShmProvider((Path)null).devices().getFirst().open();
        assertTrue(Files.isDirectory(own));

        context.close();

        assertFalse(Files.exists(own));
    }

    @Test
    void shouldNameDirectoryWhenItDoesNotExist()
    {
        final Path missing = directory.resolve("missing");
        final RdmaException e = assertThrows(RdmaException.class,
            () -> new ShmProvider(missing).devices().getFirst().open());
        assertEquals(Errno.ENODEV, e.errno());
        assertTrue(e.getMessage().contains(missing.toString()), e.getMessage());
    }

    @Test
    void shouldNameDirectoryWhenOthersHaveAccess() throws IOException
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        final RdmaException e = assertThrows(RdmaException.class, this::open);
        assertEquals(Errno.ENODEV, e.errno());
        assertTrue(e.getMessage().contains("chmod 700 " + directory), e.getMessage());

        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        open().close();
    }

    @Test
    void shouldNameOwnerWhenDirectoryBelongsToAnotherUser() throws IOException
    {
        assumeTrue(ProcessCalls.userId() == 0, "requires permission to change the owner of files");
        Files.setAttribute(directory, "unix:uid", 12_345);
        final RdmaException e = assertThrows(RdmaException.class, this::open);
        assertTrue(e.getMessage().contains("12345"), e.getMessage());
        assertTrue(e.getMessage().contains(directory.toString()), e.getMessage());
    }

    @Test
    void shouldContinueIncarnationsWhenLockFileExists() throws IOException
    {
        final Path lock = directory.resolve("lock");
        final byte[][] contents =
        {
            {}, {1, 2, 3}, "garbage, and much of it".getBytes(StandardCharsets.UTF_8),
            number(-1), number(0), number(ControlLayout.MAX_INCARNATION + 1)
        };
        for (final byte[] content : contents)
        {
            Files.write(lock, content);
            final int first = openedToken();
            assertEquals(ControlLayout.token(0, (first >>> ControlLayout.QP_BITS) % ControlLayout.MAX_INCARNATION + 1),
                openedToken());
        }
        Files.write(lock, number(5));
        assertEquals(ControlLayout.token(0, 6), openedToken());
        Files.write(lock, number(ControlLayout.MAX_INCARNATION));
        assertEquals(ControlLayout.token(0, 1), openedToken());
    }

    private static byte[] number(final long value)
    {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private int openedToken()
    {
        try (Context context = open())
        {
            return ((ShmContext)context).token();
        }
    }

    @Test
    void shouldKeepForeignFilesWhenRemovingDeadContexts() throws IOException
    {
        final int dead = ControlLayout.token(3, 9);
        final Path[] foreign =
        {
            Files.createFile(directory.resolve("ctx-x")), Files.createFile(directory.resolve("mem-")),
            Files.createFile(directory.resolve("mem-x")), Files.createFile(directory.resolve("mem-0x3-1"))
        };
        final Path context = Files.createFile(directory.resolve("ctx-3"));
        final Path memory = Files.createFile(directory.resolve("mem-" + Integer.toHexString(dead) + "-1"));

        open().close();

        assertFalse(Files.exists(context));
        assertFalse(Files.exists(memory));
        for (final Path path : foreign)
        {
            assertTrue(Files.exists(path), path::toString);
        }
    }

    @Test
    void shouldKeepFileWhenItBelongsToASuccessor() throws IOException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        final Context first = open();
        // The process exits while its threads still run.
        ((ShmContext)first).fabric().removeFiles();
        try (Context second = new ShmProvider(link).devices().getFirst().open())
        {
            assertEquals(((ShmContext)first).index(), ((ShmContext)second).index());
            first.close();
            assertEquals(1, files("ctx-"));
        }
    }

    /** The process ID is irrelevant: a process of another PID namespace may have the ID of a live process here. */
    @ParameterizedTest
    @ValueSource(ints = {NO_PID, 1})
    void shouldRemoveDirectoryOnlyWhenOwnerIsDead(final int pid) throws IOException
    {
        final String user = ProcessCalls.userId() + "-";
        final Path program = Files.createDirectory(Path.of("/dev/shm/tutti-shm-" + user + pid + "-0123abcd"));
        final Path locked = Files.createDirectory(Path.of("/dev/shm/tutti-shm-" + user + pid + "-4567abcd"));
        final int owner = FileCalls.open(locked.toString(), FileCalls.O_RDONLY);
        try
        {
            assertEquals(0, FileCalls.flock(owner, FileCalls.LOCK_EX));
            final FileTime longAgo = FileTime.fromMillis(System.currentTimeMillis() - 3_600_000);
            Files.setLastModifiedTime(program, longAgo);
            Files.setLastModifiedTime(locked, longAgo);

            open().close();

            assertFalse(Files.exists(program));
            assertTrue(Files.exists(locked));
        }
        finally
        {
            FileCalls.close(owner);
            Files.deleteIfExists(program);
            Files.deleteIfExists(locked);
        }
    }

    /** Any user can create a link in /dev/shm with the name of a stale directory of this user. */
    @Test
    void shouldKeepFilesWhenALinkHasTheNameOfAStaleDirectory() throws IOException
    {
        final Path target = Files.createDirectory(directory.resolve("target"));
        final Path file = Files.createFile(target.resolve("file"));
        Files.setLastModifiedTime(target, FileTime.fromMillis(System.currentTimeMillis() - 3_600_000));
        final Path link = Files.createSymbolicLink(
            Path.of("/dev/shm/tutti-shm-" + ProcessCalls.userId() + "-" + NO_PID + "-89abcdef"), target);
        try
        {
            open().close();

            assertTrue(Files.exists(file));
        }
        finally
        {
            Files.delete(link);
        }
    }

    @Test
    void shouldReportMissingBytesWhenSharedMemoryIsFull() throws Exception
    {
        final Path small = mountSmall();
        try (Context context = new ShmProvider(small).devices().getFirst().open())
        {
            final RdmaException e = assertThrows(RdmaException.class, () -> context.allocateMemory(2 << 20));
            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains(String.valueOf(2 << 20)), e.getMessage());
            // The memory in use and the requested memory must fit, so 2 MiB are not enough.
            assertTrue(e.getMessage().contains("remount,size=3M " + small + ","), e.getMessage());
            assertTrue(e.getMessage().contains("shm-size=3m"), e.getMessage());
            assertThrows(RdmaException.class, () -> context.createCompletionQueue(1 << 16, null));

            // A failed allocation leaves nothing behind, and one that fits succeeds: every byte of it can be accessed.
            try (AllocatedMemory memory = context.allocateMemory(512 << 10))
            {
                memory.segment().fill((byte)1);
            }
        }
        finally
        {
            assertEquals(0, run("umount", small.toString()));
        }
    }

    @Test
    void shouldOpenWhenSpaceIsFreeAgain() throws Exception
    {
        final Path small = mountSmall();
        try
        {
            final ShmProvider provider = new ShmProvider(small);
            final Path other = small.resolve("other");
            Files.write(other, new byte[1 << 20]);
            final RdmaException e =
                assertThrows(RdmaException.class, () -> provider.devices().getFirst().open());
            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains(small.toString()), e.getMessage());

            Files.delete(other);
            provider.devices().getFirst().open().close();
        }
        finally
        {
            assertEquals(0, run("umount", small.toString()));
        }
    }

    private Path mountSmall() throws IOException, InterruptedException
    {
        final Path small = makeDirectory("small");
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", small.toString()) == 0,
            "requires permission to mount a small tmpfs");
        return small;
    }

    private Path makeDirectory(final String name) throws IOException
    {
        return Files.createDirectory(directory.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Context open()
    {
        return new ShmProvider(directory).devices().getFirst().open();
    }

    private long files(final String prefix) throws IOException
    {
        try (Stream<Path> paths = Files.list(directory))
        {
            return paths.filter(path -> path.getFileName().toString().startsWith(prefix)).count();
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
}
