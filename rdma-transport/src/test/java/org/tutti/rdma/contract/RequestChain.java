/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.contract.Node.Datagram;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Native memory in which a chain of work requests is written before it is posted. Not thread-safe. */
final class RequestChain
{
    private static final int MAX_SGE = 8;

    private final UnsafeBuffer requests;
    private final UnsafeBuffer entries;

    RequestChain(final int maxChain)
    {
        requests = nativeBuffer(maxChain * SendWorkRequest.SIZE);
        entries = nativeBuffer(maxChain * MAX_SGE * ScatterGatherEntry.SIZE);
    }

    static UnsafeBuffer nativeBuffer(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    /** Writes a chain, translating numbers of address handles to native values; returns its address. */
    long writeSends(final List<Send> sends, final IntToLongFunction handles)
    {
        final SendWorkRequest request = new SendWorkRequest();
        int sges = 0;
        for (int i = 0; i < sends.size(); i++)
        {
            final Send send = sends.get(i);
            request.wrap(requests, i * SendWorkRequest.SIZE).clear().wrId(send.wrId())
                .opcode(send.opcode()).sendFlags(send.flags()).immData(send.imm())
                .next(i + 1 < sends.size() ? request.nativeAddress() + SendWorkRequest.SIZE : 0)
                .sgList(entryAddress(sges), send.sges().size());
            final Datagram datagram = send.datagram();
            if (datagram != null)
            {
                request.datagram(handles.applyAsLong(datagram.addressHandle()), datagram.qpNum(), datagram.qkey());
            }
            else if (send.opcode() >= SendOpcode.ATOMIC_CMP_AND_SWP)
            {
                request.atomic(send.remoteAddress(), send.rkey(), send.compareAdd(), send.swap());
            }
            else
            {
                request.rdma(send.remoteAddress(), send.rkey());
            }
            sges = writeEntries(send.sges(), sges);
        }
        return requests.addressOffset();
    }

    /** Writes a chain; returns its address. */
    long writeReceives(final List<Receive> receives)
    {
        final ReceiveWorkRequest request = new ReceiveWorkRequest();
        int sges = 0;
        for (int i = 0; i < receives.size(); i++)
        {
            final Receive receive = receives.get(i);
            request.wrap(requests, i * ReceiveWorkRequest.SIZE).clear().wrId(receive.wrId())
                .next(i + 1 < receives.size() ? request.nativeAddress() + ReceiveWorkRequest.SIZE : 0)
                .sgList(entryAddress(sges), receive.sges().size());
            sges = writeEntries(receive.sges(), sges);
        }
        return requests.addressOffset();
    }

    /** The result of posting the chain that was written last. */
    Posted posted(final int errno, final long bad, final int size)
    {
        return new Posted(errno, bad == 0 ? -1 : (int)((bad - requests.addressOffset()) / size));
    }

    private long entryAddress(final int index)
    {
        return entries.addressOffset() + (long)index * ScatterGatherEntry.SIZE;
    }

    private int writeEntries(final List<Sge> list, final int from)
    {
        final ScatterGatherEntry entry = new ScatterGatherEntry();
        int index = from;
        for (final Sge sge : list)
        {
            entry.wrap(entries, index * ScatterGatherEntry.SIZE).set(sge.address(), sge.length(), sge.lkey());
            index++;
        }
        return index;
    }
}
