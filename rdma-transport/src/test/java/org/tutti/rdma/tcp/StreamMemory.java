/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.agrona.collections.IntArrayList;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Sge;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * The memory of the side under test: regions with different rights between guard bytes, and the ranges that the peer
 * may change now. Used by one thread.
 */
final class StreamMemory
{
    static final int LENGTH = 1 << 18;
    /** The value of all bytes that no peer may read. */
    static final byte GUARD = (byte)0xEE;
    static final int WRITABLE = 0;
    static final int READABLE = 1;
    static final int LOCAL = 2;
    static final int FOREIGN = 3;

    private static final int[] OFFSETS = {0x1003, 0x16005, 0x20000, 0x3A000};
    private static final int[] LENGTHS = {0x14000, 0x4001, 0x18000, 0x1000};
    private static final int[] ACCESS =
        {AccessFlags.ALL, AccessFlags.REMOTE_READ, AccessFlags.LOCAL_WRITE, AccessFlags.ALL};
    private static final MemorySegment RUN = MemorySegment.ofArray(new byte[64]).fill(GUARD);

    private final LocalNode node;
    private final long address;
    private final MemorySegment segment;
    private final Region[] regions = new Region[OFFSETS.length];
    private final boolean[] isOpen = new boolean[OFFSETS.length];
    /** Ranges that the peer may change: from and to, in turns. */
    private final IntArrayList open = new IntArrayList();
    private byte[] baseline;

    StreamMemory(final LocalNode node, final Info info)
    {
        this.node = node;
        address = info.address();
        segment = MemorySegment.ofAddress(address).reinterpret(LENGTH);
        segment.fill(GUARD);
        for (int i = 0; i < OFFSETS.length; i++)
        {
            regions[i] = i == FOREIGN ? node.registerForeign(OFFSETS[i], LENGTHS[i], ACCESS[i]) :
                node.register(OFFSETS[i], LENGTHS[i], ACCESS[i]);
            isOpen[i] = true;
        }
        fill(WRITABLE, 0x11);
        fill(READABLE, 0x22);
        permit(OFFSETS[WRITABLE], OFFSETS[WRITABLE] + LENGTHS[WRITABLE]);
        baseline = bytes();
    }

    private void fill(final int region, final int value)
    {
        segment.asSlice(OFFSETS[region], LENGTHS[region]).fill((byte)value);
    }

    private byte[] bytes()
    {
        return segment.toArray(JAVA_BYTE);
    }

    Region region(final int index)
    {
        return regions[index];
    }

    /** The address of the first byte of the memory. */
    long address()
    {
        return address;
    }

    /** A part of the local region that messages may change from now on. */
    Sge sink(final int offset, final int length)
    {
        final int from = OFFSETS[LOCAL] + offset % (LENGTHS[LOCAL] / 2);
        final int to = Math.min(from + length, OFFSETS[LOCAL] + LENGTHS[LOCAL]);
        if (isOpen[LOCAL])
        {
            permit(from, to);
        }
        return new Sge(address + from, to - from, regions[LOCAL].lkey());
    }

    /** A part of the readable region, to send. */
    Sge source(final int offset, final int length)
    {
        final int from = offset % LENGTHS[READABLE];
        return regions[READABLE].sge(from, Math.min(length, LENGTHS[READABLE] - from));
    }

    /** Deregisters a region: the peer must not change it any more. */
    void deregister(final int index)
    {
        if (!isOpen[index])
        {
            return;
        }
        isOpen[index] = false;
        node.deregister(regions[index].id());
        check();
        for (int i = 0; i < open.size(); i += 2)
        {
            if (open.getInt(i) >= OFFSETS[index] && open.getInt(i) < OFFSETS[index] + LENGTHS[index])
            {
                open.setInt(i + 1, open.getInt(i));
            }
        }
    }

    private void permit(final int from, final int to)
    {
        open.addInt(from);
        open.addInt(to);
    }

    /** Checks that no byte has changed that must not. */
    void check()
    {
        final byte[] now = bytes();
        for (int i = 0; i < open.size(); i += 2)
        {
            final int from = open.getInt(i);
            System.arraycopy(now, from, baseline, from, open.getInt(i + 1) - from);
        }
        final int at = Arrays.mismatch(now, baseline);
        if (at >= 0)
        {
            throw new AssertionError("the byte at offset " + at + " was changed");
        }
    }

    /** Checks that data sent to the peer has no run of guard bytes, which it may not read. */
    static void checkReadable(final MemorySegment data)
    {
        if (data.byteSize() >= RUN.byteSize() && contains(data))
        {
            throw new AssertionError("the peer got memory that it may not read");
        }
    }

    /** Whether a run of guard bytes is in the data: it covers a multiple of half its length. */
    private static boolean contains(final MemorySegment data)
    {
        final long half = RUN.byteSize() / 2;
        for (long i = 0; i + half <= data.byteSize(); i += half)
        {
            if (data.asSlice(i, half).mismatch(RUN.asSlice(0, half)) < 0)
            {
                return true;
            }
        }
        return false;
    }
}
