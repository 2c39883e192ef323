/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceMemory;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static org.tutti.rdma.QueuePairAttributeMask.RC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;

/** A node of this process. */
public final class LocalNode implements Node
{
    private static final int PSN = 100;
    private static final int MAX_CHAIN = 128;

    private final Supplier<Context> opener;
    private final UnsafeBuffer requests = nativeBuffer(MAX_CHAIN * SendWorkRequest.SIZE);
    private final UnsafeBuffer entries = nativeBuffer(MAX_CHAIN * 8 * ScatterGatherEntry.SIZE);
    private final UnsafeBuffer completions = nativeBuffer(MAX_CHAIN * WorkCompletion.SIZE);
    private final Map<Integer, QueuePair> queuePairs = new LinkedHashMap<>();
    private final Map<Integer, MemoryRegion> regions = new LinkedHashMap<>();
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final Arena userMemory = Arena.ofAuto();
    private Shape shape;
    private Context context;
    private ProtectionDomain domain;
    private ProtectionDomain foreignDomain;
    private DeviceMemory memory;
    private MemorySegment segment;
    private CompletionChannel channel;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private volatile Thread writer;

    /**
     * A node that is not open yet.
     *
     * @param opener of its context.
     */
    public LocalNode(final Supplier<Context> opener)
    {
        this.opener = opener;
    }

    @Override
    public Info open(final Shape wanted)
    {
        shape = wanted;
        context = opened(opener.get(), Context::close);
        domain = opened(context.allocateProtectionDomain(), ProtectionDomain::close);
        foreignDomain = opened(context.allocateProtectionDomain(), ProtectionDomain::close);
        memory = opened(context.allocateMemory(shape.memoryLength()), DeviceMemory::close);
        segment = memory.segment();
        channel = opened(context.createCompletionChannel(), CompletionChannel::close);
        sendQueue = opened(context.createCompletionQueue(shape.sendCqDepth(), null), CompletionQueue::close);
        receiveQueue = opened(context.createCompletionQueue(1024, channel), CompletionQueue::close);
        final Gid gid = context.queryGid(1, 0);
        return new Info(gid.high(), gid.low(), context.queryPort(1).lid, memory.address(), memory.length(),
            ProcessHandle.current().pid());
    }

    private <T> T opened(final T object, final Consumer<T> close)
    {
        closers.push(() -> close.accept(object));
        return object;
    }

    @Override
    public Region register(final long offset, final long length, final int access)
    {
        return register(domain, offset, length, access);
    }

    @Override
    public Region registerForeign(final long offset, final long length, final int access)
    {
        return register(foreignDomain, offset, length, access);
    }

    private Region register(
        final ProtectionDomain owner, final long offset, final long length, final int access)
    {
        final MemoryRegion region = owner.registerMemory(memory.address() + offset, length, access);
        regions.put(region.lkey(), region);
        return new Region(region.lkey(), region.address(), region.length(), region.lkey(), region.rkey());
    }

    @Override
    public Region registerUser(final long length, final int access)
    {
        final long address = userMemory.allocate(length, 64).address();
        final MemoryRegion region = domain.registerMemory(address, length, access);
        regions.put(region.lkey(), region);
        return new Region(region.lkey(), address, length, region.lkey(), region.rkey());
    }

    @Override
    public void deregister(final int regionId)
    {
        regions.remove(regionId).close();
    }

    @Override
    public int createQueuePair()
    {
        final QueuePair qp = domain.createQueuePair(new QueuePairInitAttributes(QueuePairType.RC, sendQueue,
            receiveQueue, null, shape.maxSend(), shape.maxReceive(), shape.maxSge(), shape.maxSge(),
            shape.maxInline(), shape.signalAll()));
        queuePairs.put(qp.qpNum(), qp);
        return qp.qpNum();
    }

    @Override
    public void destroyQueuePair(final int qpNum)
    {
        queuePairs.remove(qpNum).close();
    }

    @Override
    public void connect(final int qpNum, final Info peer, final int peerQpNum, final Tuning tuning)
    {
        listen(qpNum, peer, peerQpNum, tuning);
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RTS;
        attributes.timeout = tuning.timeout();
        attributes.retryCount = tuning.retryCount();
        attributes.rnrRetry = tuning.rnrRetry();
        attributes.sqPsn = PSN;
        attributes.maxRdAtomic = tuning.rdAtomic();
        queuePairs.get(qpNum).modify(attributes, RC_RTS);
    }

    @Override
    public void listen(final int qpNum, final Info peer, final int peerQpNum, final Tuning tuning)
    {
        final QueuePair qp = queuePairs.get(qpNum);
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.accessFlags = tuning.access();
        qp.modify(attributes, RC_INIT);

        attributes.state = QueuePairState.RTR;
        attributes.destQpNum = peerQpNum;
        attributes.rqPsn = PSN;
        attributes.maxDestRdAtomic = tuning.rdAtomic();
        attributes.minRnrTimer = tuning.minRnrTimer();
        attributes.path = new AddressHandleAttributes(
            true, new Gid(peer.gidHigh(), peer.gidLow()), 0, 1, peer.lid(), 0, 1);
        qp.modify(attributes, RC_RTR);
    }

    @Override
    public void toState(final int qpNum, final QueuePairState state)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = state;
        queuePairs.get(qpNum).modify(attributes, STATE);
    }

    @Override
    public void drain(final int qpNum)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.SQD;
        attributes.sqdAsyncNotify = true;
        queuePairs.get(qpNum).modify(attributes, STATE | EN_SQD_ASYNC_NOTIFY);
    }

    @Override
    public QueuePairState state(final int qpNum)
    {
        return queuePairs.get(qpNum).state();
    }

    @Override
    public Posted postSend(final int qpNum, final List<Send> sends)
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
            if (send.opcode() >= SendOpcode.ATOMIC_CMP_AND_SWP)
            {
                request.atomic(send.remoteAddress(), send.rkey(), send.compareAdd(), send.swap());
            }
            else
            {
                request.rdma(send.remoteAddress(), send.rkey());
            }
            sges = writeEntries(send.sges(), sges);
        }

        final QueuePair qp = queuePairs.get(qpNum);
        final int errno = qp.postSend(requests.addressOffset());
        return posted(errno, qp.badSendRequest(), SendWorkRequest.SIZE);
    }

    @Override
    public Posted postReceive(final int qpNum, final List<Receive> receives)
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

        final QueuePair qp = queuePairs.get(qpNum);
        final int errno = qp.postReceive(requests.addressOffset());
        return posted(errno, qp.badReceiveRequest(), ReceiveWorkRequest.SIZE);
    }

    private Posted posted(final int errno, final long bad, final int size)
    {
        return new Posted(errno, bad == 0 ? -1 : (int)((bad - requests.addressOffset()) / size));
    }

    private static UnsafeBuffer nativeBuffer(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
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

    @Override
    public List<Completion> pollSends(final int count, final long timeoutMs)
    {
        return poll(sendQueue, count, timeoutMs);
    }

    @Override
    public List<Completion> pollReceives(final int count, final long timeoutMs)
    {
        return poll(receiveQueue, count, timeoutMs);
    }

    private List<Completion> poll(final CompletionQueue queue, final int count, final long timeoutMs)
    {
        final List<Completion> polled = new ArrayList<>();
        final WorkCompletion completion = new WorkCompletion();
        final long deadlineNs = System.nanoTime() + MILLISECONDS.toNanos(timeoutMs);
        do
        {
            final int n = queue.poll(completions.addressOffset(), Math.min(MAX_CHAIN, count - polled.size()));
            for (int i = 0; i < n; i++)
            {
                polled.add(read(completion.wrap(completions, i * WorkCompletion.SIZE)));
            }
            if (n <= 0)
            {
                LockSupport.parkNanos(10_000);
            }
        }
        while (polled.size() < count && System.nanoTime() - deadlineNs < 0);
        return polled;
    }

    private static Completion read(final WorkCompletion completion)
    {
        if (!completion.isSuccess())
        {
            return new Completion(completion.wrId(), completion.status(), completion.qpNum(), 0, 0, 0, 0);
        }
        final int opcode = completion.opcode();
        final boolean isReceive = opcode >= CompletionOpcode.RECV;
        // A send's or a write's length is not defined.
        final boolean hasLength = isReceive || opcode >= CompletionOpcode.RDMA_READ;
        return new Completion(completion.wrId(), completion.status(), completion.qpNum(), opcode,
            hasLength ? completion.byteLength() : 0, completion.wcFlags(), isReceive ? completion.immData() : 0);
    }

    @Override
    public int sendCqErrno()
    {
        return Math.min(0, sendQueue.poll(completions.addressOffset(), 1));
    }

    @Override
    public void armReceives(final boolean solicitedOnly)
    {
        receiveQueue.requestNotify(solicitedOnly);
    }

    @Override
    public boolean awaitEvent(final long timeoutMs)
    {
        return channel.awaitEvent(MILLISECONDS.toNanos(timeoutMs)) == receiveQueue;
    }

    @Override
    public Event awaitAsync(final long timeoutMs)
    {
        final AsyncEvent event = context.awaitAsyncEvent(MILLISECONDS.toNanos(timeoutMs));
        return event == null ? null :
            new Event(event.type(), event.element() instanceof QueuePair qp ? qp.qpNum() : 0);
    }

    @Override
    public byte[] get(final long offset, final int length)
    {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void put(final long offset, final byte[] bytes)
    {
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    @Override
    public byte[] getAt(final long address, final int length)
    {
        return MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void putAt(final long address, final byte[] bytes)
    {
        MemorySegment.copy(bytes, 0, MemorySegment.ofAddress(address).reinterpret(bytes.length),
            ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    @Override
    public long loadStoreAddress(
        final int qpNum, final long remoteAddress, final long length, final int rkey, final int access)
    {
        return queuePairs.get(qpNum).loadStoreAddress(remoteAddress, length, rkey, access);
    }

    @Override
    public long getLong(final long offset)
    {
        return segment.get(ValueLayout.JAVA_LONG, offset);
    }

    @Override
    public void putLong(final long offset, final long value)
    {
        segment.set(ValueLayout.JAVA_LONG, offset, value);
    }

    @Override
    public void startWriting(final int qpNum, final Send write)
    {
        writer = new Thread(() -> writeUntilItFails(qpNum, write), "writer");
        writer.setDaemon(true);
        writer.start();
    }

    private void writeUntilItFails(final int qpNum, final Send write)
    {
        while (writer == Thread.currentThread())
        {
            final List<Send> batch = new ArrayList<>();
            for (int i = 0; i < 16; i++)
            {
                batch.add(write.withFlags(i == 15 ? SendFlags.SIGNALED : 0));
            }
            postSend(qpNum, batch);
            final List<Completion> done = pollSends(1, 10_000);
            if (done.isEmpty() || !done.getFirst().isSuccess())
            {
                return;
            }
        }
    }

    @Override
    public WorkCompletionStatus repeat(final int qpNum, final Send send, final int times)
    {
        WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
        for (int i = 0; i < times && status == WorkCompletionStatus.SUCCESS; i++)
        {
            postSend(qpNum, List.of(send));
            final List<Completion> done = pollSends(1, 10_000);
            status = done.isEmpty() ? WorkCompletionStatus.RESP_TIMEOUT_ERR : done.getFirst().status();
        }
        return status;
    }

    @Override
    public void close()
    {
        final Thread thread = writer;
        if (thread != null)
        {
            writer = null;
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
        queuePairs.values().forEach(QueuePair::close);
        queuePairs.clear();
        regions.values().forEach(MemoryRegion::close);
        regions.clear();
        while (!closers.isEmpty())
        {
            closers.pop().run();
        }
    }
}
