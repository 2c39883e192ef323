/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairSetup;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.SharedReceiveQueueAttributes;
import org.tutti.rdma.WorkCompletionStatus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;

/** A node of this process. */
public final class LocalNode implements Node
{
    /** The first packet sequence number of both sides. */
    public static final int PSN = 100;
    private static final int MAX_CHAIN = 128;

    private final Supplier<Context> opener;
    private final RequestChain requests = new RequestChain(MAX_CHAIN);
    private final Completions completions = new Completions(MAX_CHAIN);
    private final Map<Integer, QueuePair> queuePairs = new LinkedHashMap<>();
    private final Map<Integer, QueuePairType> types = new ConcurrentHashMap<>();
    private final Map<Integer, AddressHandle> addressHandles = new ConcurrentHashMap<>();
    private final Map<Integer, SharedReceiveQueue> sharedQueues = new ConcurrentHashMap<>();
    private final GroupMemberships memberships = new GroupMemberships();
    private final Map<Integer, MemoryRegion> regions = new LinkedHashMap<>();
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final Arena userMemory = Arena.ofAuto();
    private Shape shape;
    private Context context;
    private ProtectionDomain domain;
    private ProtectionDomain foreignDomain;
    private AllocatedMemory memory;
    private MemorySegment segment;
    private CompletionChannel channel;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private volatile Thread writer;
    private int lastNumber;

    /**
     * Creates a node that is not open yet.
     *
     * @param opener opens the context of the node.
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
        memory = opened(context.allocateMemory(shape.memoryLength()), AllocatedMemory::close);
        segment = memory.segment();
        channel = opened(context.createCompletionChannel(), CompletionChannel::close);
        sendQueue = opened(context.createCompletionQueue(shape.sendCqDepth(), null), CompletionQueue::close);
        receiveQueue = opened(context.createCompletionQueue(1024, channel), CompletionQueue::close);
        final Gid gid = TestPort.source(context).gid();
        return new Info(context.device().name(), gid.high(), gid.low(), context.queryPort(1).lid,
            context.queryPort(1).activeMtu, memory.address(), memory.length(), ProcessHandle.current().pid());
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
        return createQueuePair(QueuePairType.RC, 0);
    }

    @Override
    public int createQueuePair(final QueuePairType type, final int sharedQueue)
    {
        final SharedReceiveQueue shared = sharedQueues.get(sharedQueue);
        final QueuePair qp = domain.createQueuePair(new QueuePairInitAttributes(type, sendQueue,
            receiveQueue, shared, shape.maxSend(), shared == null ? shape.maxReceive() : 0, shape.maxSge(),
            shape.maxSge(), shape.maxInline(), shape.signalAll(), shape.localCompletion()));
        queuePairs.put(qp.qpNum(), qp);
        types.put(qp.qpNum(), type);
        return qp.qpNum();
    }

    @Override
    public Capabilities capabilities(final int qpNum)
    {
        final QueuePairCapabilities held = queuePairs.get(qpNum).capabilities();
        return new Capabilities(held.maxSendRequests(), held.maxReceiveRequests(), held.maxSendSge(),
            held.maxReceiveSge(), held.maxInlineData());
    }

    @Override
    public void destroyQueuePair(final int qpNum)
    {
        queuePairs.get(qpNum).close();
        queuePairs.remove(qpNum);
    }

    @Override
    public void connect(final int qpNum, final Info peer, final int peerQpNum, final Tuning tuning)
    {
        final QueuePairAttributes attributes = attributes(peer, peerQpNum, tuning);
        attributes.timeout = tuning.timeout() + TestPort.slowness(context);
        attributes.retryCount = tuning.retryCount();
        attributes.rnrRetry = tuning.rnrRetry();
        attributes.sqPsn = PSN;
        attributes.maxRdAtomic = tuning.rdAtomic();
        QueuePairSetup.toReadyToSend(queuePairs.get(qpNum), types.get(qpNum), attributes);
    }

    @Override
    public void listen(final int qpNum, final Info peer, final int peerQpNum, final Tuning tuning)
    {
        QueuePairSetup.toReadyToReceive(
            queuePairs.get(qpNum), types.get(qpNum), attributes(peer, peerQpNum, tuning));
    }

    private QueuePairAttributes attributes(final Info peer, final int peerQpNum, final Tuning tuning)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.accessFlags = tuning.access();
        attributes.destQpNum = peerQpNum;
        attributes.rqPsn = PSN;
        attributes.maxDestRdAtomic = tuning.rdAtomic();
        attributes.minRnrTimer = tuning.minRnrTimer();
        attributes.path = TestPort.path(context, new Gid(peer.gidHigh(), peer.gidLow()), peer.lid());
        return attributes;
    }

    @Override
    public void openDatagrams(final int qpNum, final int qkey)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.qkey = qkey;
        attributes.sqPsn = PSN;
        QueuePairSetup.toReadyToSend(queuePairs.get(qpNum), QueuePairType.UD, attributes);
    }

    @Override
    public int createAddressHandle(final Info peer)
    {
        return createAddressHandle(new Gid(peer.gidHigh(), peer.gidLow()), peer.lid());
    }

    @Override
    public int createGroupHandle(final long gidHigh, final long gidLow)
    {
        return createAddressHandle(new Gid(gidHigh, gidLow), 0);
    }

    private int createAddressHandle(final Gid gid, final int lid)
    {
        final int number = ++lastNumber;
        addressHandles.put(number, domain.createAddressHandle(TestPort.path(context, gid, lid)));
        return number;
    }

    @Override
    public void destroyAddressHandle(final int addressHandle)
    {
        addressHandles.remove(addressHandle).close();
    }

    @Override
    public void attachMulticast(final int qpNum, final long gidHigh, final long gidLow)
    {
        memberships.join(context, queuePairs.get(qpNum), new Gid(gidHigh, gidLow));
    }

    @Override
    public void detachMulticast(final int qpNum, final long gidHigh, final long gidLow)
    {
        memberships.leave(queuePairs.get(qpNum), new Gid(gidHigh, gidLow));
    }

    @Override
    public int createSharedQueue(final int maxWorkRequests, final int maxSge)
    {
        final int number = ++lastNumber;
        sharedQueues.put(number, domain.createSharedReceiveQueue(maxWorkRequests, maxSge));
        return number;
    }

    @Override
    public void destroySharedQueue(final int sharedQueue)
    {
        sharedQueues.get(sharedQueue).close();
        sharedQueues.remove(sharedQueue);
    }

    @Override
    public void armLimit(final int sharedQueue, final int limit)
    {
        sharedQueues.get(sharedQueue).armLimit(limit);
    }

    @Override
    public SharedAttributes querySharedQueue(final int sharedQueue)
    {
        final SharedReceiveQueueAttributes attributes = sharedQueues.get(sharedQueue).query();
        return new SharedAttributes(attributes.maxWorkRequests(), attributes.maxSge(), attributes.limit());
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
        final long first = requests.writeSends(sends, (handle) -> addressHandles.get(handle).handle());
        final QueuePair qp = queuePairs.get(qpNum);
        final int errno = qp.postSend(first);
        return requests.posted(errno, qp.badSendRequest(), SendWorkRequest.SIZE);
    }

    @Override
    public Posted postReceive(final int qpNum, final List<Receive> receives)
    {
        final long first = requests.writeReceives(receives);
        final QueuePair qp = queuePairs.get(qpNum);
        final int errno = qp.postReceive(first);
        return requests.posted(errno, qp.badReceiveRequest(), ReceiveWorkRequest.SIZE);
    }

    @Override
    public Posted postShared(final int sharedQueue, final List<Receive> receives)
    {
        final long first = requests.writeReceives(receives);
        final SharedReceiveQueue queue = sharedQueues.get(sharedQueue);
        final int errno = queue.postReceive(first);
        return requests.posted(errno, queue.badReceiveRequest(), ReceiveWorkRequest.SIZE);
    }

    @Override
    public List<Completion> pollSends(final int count, final long timeoutMs)
    {
        return completions.poll(sendQueue, types, count, timeoutMs);
    }

    @Override
    public List<Completion> pollReceives(final int count, final long timeoutMs)
    {
        return completions.poll(receiveQueue, types, count, timeoutMs);
    }

    @Override
    public int sendCqErrno()
    {
        return completions.errno(sendQueue);
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
        memberships.close();
        queuePairs.values().forEach(QueuePair::close);
        queuePairs.clear();
        types.clear();
        addressHandles.values().forEach(AddressHandle::close);
        addressHandles.clear();
        sharedQueues.values().forEach(SharedReceiveQueue::close);
        sharedQueues.clear();
        regions.values().forEach(MemoryRegion::close);
        regions.clear();
        while (!closers.isEmpty())
        {
            closers.pop().run();
        }
    }
}
