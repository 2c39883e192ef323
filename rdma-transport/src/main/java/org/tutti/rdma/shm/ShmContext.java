/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.ThisProcess;
import org.tutti.rdma.os.WaitCalls;
import org.tutti.rdma.shm.peer.Fabric;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.shm.peer.SharedMemory;
import org.tutti.rdma.shm.segment.AsyncEvents;
import org.tutti.rdma.shm.segment.CompletionRing;
import org.tutti.rdma.shm.segment.ControlLayout;
import org.tutti.rdma.shm.segment.Heap;
import org.tutti.rdma.shm.segment.QueueLimits;
import org.tutti.rdma.shm.segment.RegionTable;
import org.tutti.rdma.shm.segment.SharedFile;
import org.tutti.rdma.shm.transport.AddressHandles;
import org.tutti.rdma.shm.transport.RetryQueues;
import org.tutti.rdma.spi.Parents;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** An open context: its control segment and the objects created from it. */
final class ShmContext implements Context
{
    private static final long INITIAL_LENGTH = ControlLayout.QP_TABLE_OFFSET + 4096;
    private static final long GID_PREFIX = 0xfe80_0000_0000_0000L;
    private static final long MAX_SLEEP_NS = 100_000_000L;

    private final ShmDevice device;
    private final Fabric fabric;
    private final SharedFile file;
    private final long control;
    private final int token;
    private final PortInfo facts;
    private final Heap heap;
    private final RegionTable regions;
    private final QueuePairs queuePairs;
    private final Peers peers;
    private final AddressHandles addressHandles = new AddressHandles();
    private final AtomicInteger children = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private boolean isClosed;

    ShmContext(final ShmDevice device, final Fabric fabric)
    {
        this.device = device;
        this.fabric = fabric;
        file = fabric.claim(INITIAL_LENGTH);
        control = file.address();
        token = UnsafeApi.getInt(control + ControlLayout.TOKEN_OFFSET);
        final Gid gid = new Gid(GID_PREFIX | fabric.id(), device.guid() | index());
        facts = new PortInfo(device.guid(), gid, lid());
        CompletionRing.init(control + ControlLayout.EVENT_RING_OFFSET, ControlLayout.EVENT_RING_CAPACITY, 0, 0);
        UnsafeApi.putInt(control + ControlLayout.VERSION_OFFSET, ControlLayout.VERSION);
        UnsafeApi.putLong(control + ControlLayout.PID_OFFSET, ProcessHandle.current().pid());
        UnsafeApi.putLong(control + ControlLayout.PID_NAMESPACE_OFFSET, ThisProcess.PID_NAMESPACE);
        UnsafeApi.putLong(control + ControlLayout.PROCESS_OFFSET, ThisProcess.ID);
        heap = new Heap(file);
        regions = new RegionTable(file);
        queuePairs = new QueuePairs(this, file);
        peers = new Peers(fabric, control, gid);
        UnsafeApi.putLongVolatile(null, control + ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    }

    Fabric fabric()
    {
        return fabric;
    }

    long control()
    {
        return control;
    }

    int token()
    {
        return token;
    }

    int index()
    {
        return ControlLayout.index(token);
    }

    Heap heap()
    {
        return heap;
    }

    RegionTable regions()
    {
        return regions;
    }

    ShmQueuePair queuePair(final int qpNum)
    {
        return queuePairs.find(qpNum);
    }

    boolean owns(final ShmCompletionQueue queue)
    {
        return queuePairs.owns(queue);
    }

    Peers peers()
    {
        return peers;
    }

    RetryQueues backlogs()
    {
        return queuePairs.backlogs();
    }

    boolean owns(final ShmSharedReceiveQueue queue)
    {
        return queuePairs.owns(queue);
    }

    AddressHandles addressHandles()
    {
        return addressHandles;
    }

    void startProgress()
    {
        queuePairs.startProgress();
    }

    long flushReceives()
    {
        return queuePairs.flushReceives();
    }

    void handleOverruns()
    {
        queuePairs.handleOverruns();
    }

    void attend()
    {
        queuePairs.attend();
    }

    void whileStopped(final Predicate<ShmQueuePair> which, final String verb, final Runnable change)
    {
        queuePairs.whileStopped(which, verb, change);
    }

    void passQueuePairs()
    {
        queuePairs.pass();
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return facts.device();
    }

    @Override
    public PortAttributes queryPort(final int portNum)
    {
        return facts.port(portNum);
    }

    @Override
    public Gid queryGid(final int portNum, final int index)
    {
        return facts.gid(portNum, index);
    }

    @Override
    public List<GidEntry> queryGidTable(final int portNum)
    {
        return List.of(new GidEntry(queryGid(portNum, 0), 0, portNum, GidType.UNKNOWN, 0));
    }

    @Override
    public int queryPkey(final int portNum, final int index)
    {
        return facts.pkey(portNum, index);
    }

    @Override
    public int completionVectors()
    {
        return 1;
    }

    /** The port's LID: the context's index plus 1, because 0 is not a valid LID. */
    int lid()
    {
        return index() + 1;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        retain("ibv_alloc_pd");
        return new ShmProtectionDomain(this, numbers.incrementAndGet());
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        retain("ibv_create_comp_channel");
        try
        {
            return new ShmCompletionChannel(this);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    @Override
    public CompletionQueue createCompletionQueue(final int capacity, final CompletionChannel channel, final int vector)
    {
        if (vector != 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq",
                "vector " + vector + ": the device has only vector 0");
        }
        checkCapacity(capacity, "ibv_create_cq");
        if (channel != null && !(channel instanceof ShmCompletionChannel shm && shm.context() == this))
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "the channel belongs to another context");
        }
        retain("ibv_create_cq");
        try
        {
            final ShmCompletionQueue queue = new ShmCompletionQueue(
                this, capacity, (ShmCompletionChannel)channel, numbers.incrementAndGet());
            queuePairs.add(queue);
            return queue;
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    static void checkCapacity(final int capacity, final String verb)
    {
        if (capacity < 1 || capacity > QueueLimits.MAX_CQE)
        {
            throw new RdmaException(Errno.EINVAL, verb, "capacity " + capacity + " is not from 1 to " +
                QueueLimits.MAX_CQE);
        }
    }

    ShmSharedReceiveQueue createSharedReceiveQueue(
        final ShmProtectionDomain domain, final int maxWorkRequests, final int maxSge)
    {
        final ShmSharedReceiveQueue queue =
            new ShmSharedReceiveQueue(domain, numbers.incrementAndGet(), maxWorkRequests, maxSge);
        queuePairs.add(queue);
        // The progress thread raises the limit and last-WQE events.
        startProgress();
        return queue;
    }

    QueuePair createQueuePair(
        final ShmProtectionDomain domain, final QueuePairInitAttributes attributes, final Parents parents)
    {
        return queuePairs.create(domain, attributes, parents);
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        retain("allocate_memory");
        try
        {
            return new ShmAllocatedMemory(
                this, new SharedMemory(fabric, token, numbers.incrementAndGet(), length));
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        final long word = control + ControlLayout.EVENT_WORD_OFFSET;
        while (true)
        {
            final int seen;
            final AsyncEvent event;
            synchronized (this)
            {
                if (isClosed)
                {
                    return null;
                }
                seen = UnsafeApi.getIntVolatile(null, word);
                attend();
                event = takeEvent();
            }
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (event != null || leftNs <= 0)
            {
                return event;
            }
            WaitCalls.futexWait(word, seen, Math.min(leftNs, MAX_SLEEP_NS));
        }
    }

    private AsyncEvent takeEvent()
    {
        final long ring = control + ControlLayout.EVENT_RING_OFFSET;
        while (true)
        {
            final int head = CompletionRing.head(ring);
            final long slot = CompletionRing.peek(control, ring, head);
            if (slot == 0)
            {
                final int claimant = CompletionRing.claimant(control, ring, head);
                if (claimant == 0 || !peers.isDead(claimant))
                {
                    return null;
                }
                CompletionRing.head(ring, head + 1);
                continue;
            }
            final AsyncEventType type = AsyncEvents.type(slot);
            final int number = AsyncEvents.number(slot);
            CompletionRing.head(ring, head + 1);
            final Object element = switch (type)
            {
                case CQ_ERR -> queuePairs.completionQueue(number);
                case SRQ_LIMIT_REACHED -> queuePairs.sharedQueue(number);
                default -> queuePairs.find(number);
            };
            // Events of objects that were closed in the meantime are dropped.
            if (element != null)
            {
                return new AsyncEvent(type, element);
            }
        }
    }

    void remove(final ShmCompletionQueue queue)
    {
        queuePairs.remove(queue);
        release();
    }

    void remove(final ShmSharedReceiveQueue queue)
    {
        queuePairs.remove(queue);
    }

    void remove(final ShmQueuePair queuePair)
    {
        queuePairs.remove(queuePair);
    }

    synchronized void retain(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the context is closed");
        }
        children.incrementAndGet();
    }

    void release()
    {
        children.decrementAndGet();
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (isClosed)
            {
                return;
            }
            if (children.get() > 0)
            {
                throw new RdmaException(Errno.EBUSY, "ibv_close_device", children.get() +
                    " protection domains, queues, channels and memories are open; close them first");
            }
            isClosed = true;
        }
        UnsafeApi.putIntVolatile(null, control + ControlLayout.CLOSED_OFFSET, 1);
        queuePairs.stopProgress();
        peers.close();
        fabric.release(index());
        file.close();
        fabric.leave();
    }
}
