/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.os.ThisProcess;
import org.tutti.rdma.shm.peer.SharedMemory;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.RegionEntry;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests access to the memory of another process, with a peer in this process that is treated as remote. */
@Timeout(60)
class PeerMemoryTest
{
    private static final int PRIVATE = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;

    @TempDir
    private Path directory;
    private Pair sender;
    private Pair peer;
    private long peerControl;

    private void open()
    {
        final ShmProvider provider = new ShmProvider(directory);
        sender = new Pair(provider, 4096);
        peer = new Pair(provider, 4096);
        peerControl = ((ShmContext)peer.context).control();
        UnsafeApi.putLong(peerControl + ControlLayout.PROCESS_OFFSET, ThisProcess.ID + 2);
    }

    private void connect()
    {
        sender.connect(peer.qp.qpNum());
        peer.connect(sender.qp.qpNum());
    }

    @AfterEach
    void close()
    {
        sender.close();
        peer.close();
    }

    @Test
    void shouldUnmapMemoryWhenPeerFreedIt() throws IOException
    {
        open();
        connect();
        final AllocatedMemory first = peer.context.allocateMemory(4096);
        final MemoryRegion region = peer.domain.registerMemory(first.address(), 4096, AccessFlags.ALL);
        assertWrites(region, WorkCompletionStatus.SUCCESS);
        assertEquals(2, mappings(first));
        region.close();
        first.close();

        assertWrites(peer.region, WorkCompletionStatus.SUCCESS);
        assertEquals(0, mappings(first));
    }

    @Test
    void shouldKeepMappingWhenNameWasRemovedDuringUse() throws IOException
    {
        open();
        connect();
        final AllocatedMemory first = peer.context.allocateMemory(4096);
        try (first; MemoryRegion region = peer.domain.registerMemory(first.address(), 4096, AccessFlags.ALL))
        {
            assertWrites(region, WorkCompletionStatus.SUCCESS);
            // The process exits: its hook removes names while threads here may still copy.
            Files.delete(((ShmContext)peer.context).fabric().memoryPath(
                ((ShmAllocatedMemory)first).memory().token(),
                ((ShmAllocatedMemory)first).memory().number()));

            assertWrites(peer.region, WorkCompletionStatus.SUCCESS);
            assertEquals(2, mappings(first));
            assertWrites(region, WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void shouldDistinguishRegionsWhenKeyIsReused()
    {
        open();
        connect();
        try (AllocatedMemory second = peer.context.allocateMemory(4096);
            MemoryRegion other = peer.domain.registerMemory(second.address(), 4096, AccessFlags.ALL))
        {
            assertWrites(peer.region, WorkCompletionStatus.SUCCESS);
            // As after enough registrations to reuse the key, for memory at another address.
            final long from = ControlLayout.region(peerControl, RegionEntry.index(other.rkey()));
            final long to = ControlLayout.region(peerControl, RegionEntry.index(peer.region.rkey()));
            UnsafeApi.copyMemory(from + Integer.BYTES, to + Integer.BYTES, RegionEntry.SIZE - Integer.BYTES);

            sender.buffer.putLong(0, 99);
            sender.prepareWrite(second.address(), peer.region.rkey());
            assertCompletes(WorkCompletionStatus.SUCCESS);
            assertEquals(99, second.segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Test
    void shouldWriteWhenMemoryIsPrivateToThePeer()
    {
        open();
        connect();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment target = arena.allocate(4096);
            try (MemoryRegion region = peer.domain.registerMemory(target.address(), 4096, PRIVATE))
            {
                sender.buffer.putLong(0, 123);
                assertWrites(region, WorkCompletionStatus.SUCCESS);
                assertEquals(123, target.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }

    @Test
    void shouldReportLocalErrorWhenPeerIsInAnotherPidNamespace()
    {
        open();
        UnsafeApi.putLong(peerControl + ControlLayout.PID_NAMESPACE_OFFSET, ThisProcess.PID_NAMESPACE + 1);
        connect();
        assertPrivateWriteFails(WorkCompletionStatus.LOC_QP_OP_ERR, Errno.EOPNOTSUPP);
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    @Test
    void shouldExhaustRetriesWhenPeerProcessIsGone()
    {
        open();
        UnsafeApi.putLong(peerControl + ControlLayout.PID_OFFSET, Integer.MAX_VALUE);
        connect();
        assertPrivateWriteFails(WorkCompletionStatus.RETRY_EXC_ERR, Errno.ESRCH);
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    private void assertPrivateWriteFails(final WorkCompletionStatus status, final int vendorError)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment target = arena.allocate(4096);
            try (MemoryRegion region = peer.domain.registerMemory(target.address(), 4096, PRIVATE))
            {
                assertWrites(region, status);
                assertEquals(vendorError, sender.completion.vendorErr());
            }
        }
    }

    @Test
    void shouldReportLocalErrorWhenLocalMemoryIsUnmapped() throws IOException
    {
        assertUnmappedFails(true, WorkCompletionStatus.LOC_PROT_ERR, QueuePairState.RTS);
    }

    @Test
    void shouldReportRemoteErrorWhenRemoteMemoryIsUnmapped() throws IOException
    {
        assertUnmappedFails(false, WorkCompletionStatus.REM_OP_ERR, QueuePairState.ERR);
    }

    private void assertUnmappedFails(
        final boolean isLocal, final WorkCompletionStatus status, final QueuePairState peerState) throws IOException
    {
        open();
        connect();
        try (Arena arena = Arena.ofConfined())
        {
            final Pair owner = isLocal ? sender : peer;
            final Arena mapping = Arena.ofConfined();
            final MemorySegment mapped = map(mapping);
            try (MemoryRegion gone = owner.domain.registerMemory(mapped.address(), 4096, PRIVATE);
                MemoryRegion other = peer.domain.registerMemory(arena.allocate(4096).address(), 4096, PRIVATE))
            {
                mapping.close();
                final MemoryRegion from = isLocal ? gone : sender.region;
                final MemoryRegion to = isLocal ? other : gone;
                sender.entry.set(from.address(), 8, from.lkey());
                sender.send.opcode(SendOpcode.RDMA_WRITE).rdma(to.address(), to.rkey());
                assertCompletes(status);
                assertEquals(Errno.EFAULT, sender.completion.vendorErr());
                assertEquals(peerState, peer.qp.state());
            }
        }
    }

    private MemorySegment map(final Arena arena) throws IOException
    {
        try (FileChannel channel = FileChannel.open(directory.resolve("file"),
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
        }
    }

    private void assertWrites(final MemoryRegion target, final WorkCompletionStatus status)
    {
        sender.prepareWrite(target.address(), target.rkey());
        assertCompletes(status);
    }

    private void assertCompletes(final WorkCompletionStatus status)
    {
        sender.send.opcode(SendOpcode.RDMA_WRITE).sendFlags(SendFlags.SIGNALED);
        assertEquals(0, sender.qp.postSend(sender.send.nativeAddress()));
        sender.await();
        assertEquals(status, sender.completion.status());
    }

    private long mappings(final AllocatedMemory memory) throws IOException
    {
        final SharedMemory shared = ((ShmAllocatedMemory)memory).memory();
        final String name =
            ((ShmContext)peer.context).fabric().memoryPath(shared.token(), shared.number()).toString();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps")))
        {
            return lines.filter((line) -> line.endsWith(name) || line.endsWith(name + " (deleted)")).count();
        }
    }
}
