/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.memory.BestFitAllocator;
import picocli.CommandLine.Command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * {@code remoteMalloc} and {@code remoteFree}: uses memory of another host like local memory.
 * <p>
 * Registering memory is slow, and each exchange of a location needs a message. So the server registers one large
 * region, sends its location once, and lends it: the client allocates and frees blocks of it, with an allocator that
 * returns addresses of the server. This needs no messages, and no work of the server's processor.
 * <p>
 * Here the client builds a linked list in the server's memory: blocks that point to one another by the server's own
 * addresses. It removes one element, and then sends the start of the list in the 32-bit immediate of a write. The
 * server was idle until then, and follows the list with plain loads.
 */
@Command(name = "remote-memory", mixinStandardHelpOptions = true,
    description = "Allocates, links and frees blocks of a peer's memory.")
final class RemoteMemory extends TwoSidedExample
{
    private static final int HEAP_LENGTH = 1 << 16;
    private static final int LOCAL_LENGTH = 4096;
    private static final int DEPTH = 8;
    private static final int GRANULARITY = 16;
    private static final List<String> WORDS = List.of("many", "hands", "do not", "make", "light", "work");
    private static final int REMOVED = 2;

    // A block: the address of the next block, and a zero-terminated text.
    private static final int NEXT = 0;
    private static final int TEXT = 8;
    private static final long END = 0;

    @Override
    void server(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(HEAP_LENGTH);
            MemoryRegion heap = pd.registerMemory(memory.address(), HEAP_LENGTH,
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            final WorkRequests requests = requests();
            connect(qp, QueuePairType.RC, port, peer);
            requests.postReceive(qp, 0, heap, 0, 0);
            peer.swap(heap.address());
            peer.swap(heap.rkey());
            peer.swap(heap.length());

            // Waits for the write with immediate: the only access to its memory of which the server is notified.
            final long head = heap.address() + requests.await(cq).immData();
            final StringBuilder text = new StringBuilder();
            for (long block = head; block != END;)
            {
                final MemorySegment found = memory.segment().asSlice(block - heap.address());
                text.append(text.isEmpty() ? "" : " ").append(found.getString(TEXT));
                block = found.get(ValueLayout.JAVA_LONG, NEXT);
            }
            say("server: in my memory: %s", text);
            peer.barrier();
        }
    }

    @Override
    void client(final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LOCAL_LENGTH);
            MemoryRegion local = pd.registerMemory(memory.address(), LOCAL_LENGTH, AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            connect(qp, QueuePairType.RC, port, peer);
            final RemoteHeap heap =
                new RemoteHeap(peer.swap(0), (int)peer.swap(0), peer.swap(0), local, cq, qp, requests());

            final long[] blocks = new long[WORDS.size()];
            for (int i = 0; i < blocks.length; i++)
            {
                blocks[i] = heap.remoteMalloc(TEXT + WORDS.get(i).length() + 1);
            }
            say("client: %d blocks, %d bytes of the server's memory", blocks.length, heap.allocated());
            for (int i = 0; i < blocks.length; i++)
            {
                memory.segment().set(ValueLayout.JAVA_LONG, NEXT, i + 1 < blocks.length ? blocks[i + 1] : END);
                memory.segment().setString(TEXT, WORDS.get(i));
                heap.put(blocks[i], TEXT + WORDS.get(i).length() + 1);
            }

            // Removes a block from the list: reads the address of the next block, writes that address into the previous
            // block, and frees the removed block.
            heap.get(blocks[REMOVED], Long.BYTES);
            heap.put(blocks[REMOVED - 1], Long.BYTES);
            heap.remoteFree(blocks[REMOVED]);
            say("client: freed the one with '%s'; %d bytes left in use", WORDS.get(REMOVED), heap.allocated());

            heap.tell(blocks[0]);
            peer.barrier();
        }
    }

    /** Memory lent by a peer: an allocator of blocks, and copies between blocks and local memory. */
    private static final class RemoteHeap
    {
        private final BestFitAllocator allocator;
        private final long address;
        private final int rkey;
        private final MemoryRegion local;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final WorkRequests requests;

        RemoteHeap(
            final long address, final int rkey, final long length, final MemoryRegion local, final CompletionQueue cq,
            final QueuePair qp, final WorkRequests requests)
        {
            this.allocator = new BestFitAllocator(length, GRANULARITY);
            this.address = address;
            this.rkey = rkey;
            this.local = local;
            this.cq = cq;
            this.qp = qp;
            this.requests = requests;
        }

        /** Allocates a block of the peer's memory; returns the block's address there. */
        long remoteMalloc(final int length)
        {
            final long offset = allocator.allocate(length, GRANULARITY);
            if (offset == BestFitAllocator.NO_SPACE)
            {
                throw new ExampleException("the server's memory is full: no contiguous block of " + length + " bytes");
            }
            return address + offset;
        }

        void remoteFree(final long block)
        {
            allocator.free(block - address);
        }

        long allocated()
        {
            return allocator.allocated();
        }

        /** Copies the first bytes of local memory to a remote address. */
        void put(final long remote, final int length)
        {
            requests.send(SendOpcode.RDMA_WRITE, local, 0, length).rdma(remote, rkey);
            execute();
        }

        /** Copies bytes from a remote address to the start of local memory. */
        void get(final long remote, final int length)
        {
            requests.send(SendOpcode.RDMA_READ, local, 0, length).rdma(remote, rkey);
            execute();
        }

        /** Sends a block's offset to the peer: an empty write with the offset as immediate. */
        void tell(final long block)
        {
            requests.send(SendOpcode.RDMA_WRITE_WITH_IMM, local, 0, 0).rdma(block, rkey)
                .immData((int)(block - address)).sgList(0, 0);
            execute();
        }

        private void execute()
        {
            requests.post(qp);
            requests.await(cq);
        }
    }
}
