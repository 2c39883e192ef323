/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class FabricTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldRemoveWhatDeadContextsLeft() throws IOException
    {
        final int dead = ControlLayout.token(3, 9);
        final Path context = Files.createFile(directory.resolve("ctx-3"));
        final Path memory = Files.createFile(directory.resolve("mem-" + Integer.toHexString(dead) + "-1"));

        open().close();

        assertFalse(Files.exists(context));
        assertFalse(Files.exists(memory));
    }

    @Test
    void shouldKeepWhatLivingContextsUse() throws IOException
    {
        try (Context first = open(); DeviceMemory memory = first.allocateMemory(4096); Context second = open())
        {
            assertEquals(memory.length(), 4096);
            assertEquals(3, files("ctx-") + files("mem-"));
            assertFalse(first.queryGid(1, 0).equals(second.queryGid(1, 0)));
        }
        assertEquals(0, files("ctx-") + files("mem-"));
    }

    @Test
    void shouldNotConnectAcrossDirectories() throws IOException
    {
        final ShmProvider one = new ShmProvider(Files.createDirectory(directory.resolve("one")));
        final ShmProvider other = new ShmProvider(Files.createDirectory(directory.resolve("other")));
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
    void shouldKnowADirectoryByOtherNames() throws IOException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        try (Context first = open(); Context second = new ShmProvider(link).devices().getFirst().open())
        {
            assertEquals(first.queryGid(1, 0).high(), second.queryGid(1, 0).high());
        }
    }

    @Test
    void shouldLeaveNoDirectoryOfItsOwn()
    {
        final Path own = Path.of("/dev/shm/tutti-" + Native.userId() + "-" + ProcessHandle.current().pid());
        final Context context = new ShmProvider((Path)null).devices().getFirst().open();
        assertTrue(Files.isDirectory(own));

        context.close();

        assertFalse(Files.exists(own));
    }

    @Test
    void shouldNameADirectoryThatIsNotThere()
    {
        final Path missing = directory.resolve("missing");
        final RdmaException e = assertThrows(RdmaException.class,
            () -> new ShmProvider(missing).devices().getFirst().open());
        assertEquals(Errno.ENODEV, e.errno());
        assertTrue(e.getMessage().contains(missing.toString()), e.getMessage());
    }

    @Test
    void shouldSayWhenSharedMemoryIsFull() throws Exception
    {
        final Path small = Files.createDirectory(directory.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()) == 0,
            "needs the right to mount a small tmpfs");
        try (Context context = new ShmProvider(small).devices().getFirst().open())
        {
            final RdmaException e = assertThrows(RdmaException.class, () -> context.allocateMemory(2 << 20));
            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains(String.valueOf(2 << 20)), e.getMessage());
            assertTrue(e.getMessage().contains("shm-size"), e.getMessage());
            assertThrows(RdmaException.class, () -> context.createCompletionQueue(1 << 16, null));

            // What is too much leaves nothing behind, and what fits is given: every byte of it can be touched.
            try (DeviceMemory memory = context.allocateMemory(512 << 10))
            {
                memory.segment().fill((byte)1);
            }
        }
        finally
        {
            assertEquals(0, run("umount", small.toString()));
        }
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
