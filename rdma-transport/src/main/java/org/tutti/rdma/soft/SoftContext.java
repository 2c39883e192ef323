/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.WaitCalls;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.ControlMemory;
import org.tutti.rdma.soft.segment.Heap;
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.RegionMemory;
import org.tutti.rdma.soft.segment.RegionTable;
import org.tutti.rdma.spi.Parents;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * An open context of a software adapter: the objects created from it, and their state in its control segment. A
 * subclass adds what depends on the way to the peers.
 */
public abstract class SoftContext implements PortQueries
{
    /** The length of the header and of the first pages of the tables. */
    protected static final long INITIAL_LENGTH = ControlLayout.QP_TABLE_OFFSET + 4096;

    private static final long MAX_SLEEP_NS = 100_000_000L;

    private final Device device;
    private final ControlMemory memory;
    private final long control;
    private final int token;
    private final Heap heap;
    private final RegionTable regions;
    private final QueuePairs queuePairs;
    private final AtomicInteger children = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private boolean isClosed;

    /**
     * Opens a context.
     *
     * @param device device of the context.
     * @param memory control segment with the token of the context, owned by this object from now on; all bytes up to
     *               {@link #INITIAL_LENGTH} are reserved.
     */
    protected SoftContext(final Device device, final ControlMemory memory)
    {
        this.device = device;
        this.memory = memory;
        control = memory.address();
        token = UnsafeApi.getInt(control + ControlLayout.TOKEN_OFFSET);
        CompletionRing.init(control + ControlLayout.EVENT_RING_OFFSET, ControlLayout.EVENT_RING_CAPACITY, 0, 0);
        heap = new Heap(memory);
        regions = new RegionTable(memory);
        queuePairs = new QueuePairs(memory);
    }

    /**
     * The name of the provider, for messages.
     *
     * @return the name.
     */
    public abstract String provider();

    /**
     * Checks that queue pairs of a type can be created.
     *
     * @param type type of the service.
     * @throws RdmaException with EOPNOTSUPP if the provider does not support it.
     */
    protected abstract void checkType(QueuePairType type);

    /**
     * Describes a queue pair that is being created.
     *
     * @param index  index of its entry in the control segment.
     * @param domain number of its protection domain.
     * @return its state.
     */
    protected abstract LocalQueuePair newQueuePair(int index, int domain);

    /**
     * Creates the transport of a queue pair that is being created.
     *
     * @param type      type of the service.
     * @param queuePair result of {@link #newQueuePair}.
     * @param receives  source of its receives.
     * @return the transport, owned by the queue pair.
     */
    protected abstract Transport newTransport(QueuePairType type, LocalQueuePair queuePair, ReceiveSource receives);

    /**
     * Creates the send queue of a queue pair that is being created.
     *
     * @param queuePair  result of {@link #newQueuePair}.
     * @param transport  result of {@link #newTransport}.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of the send completions.
     * @return the send queue, owned by the queue pair.
     */
    protected abstract SendQueue newSendQueue(
        LocalQueuePair queuePair, Transport transport, QueuePairInitAttributes attributes, long ring);

    /**
     * Finds the allocated memory of a range to be registered.
     *
     * @param address address of the first byte.
     * @param length  length in bytes.
     * @param access  access flags, already checked.
     * @return the memory, or null for other memory.
     * @throws RdmaException with EFAULT if the range is not mapped, with EOPNOTSUPP if this memory does not support the
     *                       access.
     */
    protected abstract RegionMemory memoryOf(long address, long length, int access);

    /**
     * Creates an address handle.
     *
     * @param domain     protection domain, not retained yet.
     * @param attributes path of the handle.
     * @return the handle.
     */
    protected abstract AddressHandle createAddressHandle(
        SoftProtectionDomain domain, AddressHandleAttributes attributes);

    /**
     * Whether the context of a token can no longer publish what it claimed.
     *
     * @param claimant token of the context.
     * @return true only if certain.
     */
    protected abstract boolean isDead(int claimant);

    /** Continues what this thread can do for all queue pairs; called when a completion queue is empty. */
    protected abstract void progress();

    /** Called by a thread that is about to sleep until a completion: the progress thread is to continue at once. */
    protected void handOver()
    {
        // By default, the progress thread takes no turns with polling threads.
    }

    /** Starts the progress thread, once. */
    protected abstract void startProgress();

    /** Stops the progress thread and releases what the subclass owns, before the control segment is unmapped. */
    protected abstract void shutdown();

    /** Called once, after the control segment was unmapped. */
    protected void unmapped()
    {
        // Nothing is left by default.
    }

    /**
     * The control segment.
     *
     * @return address of the segment.
     */
    public final long control()
    {
        return control;
    }

    /**
     * The token of this context.
     *
     * @return the token, greater than 0.
     */
    public final int token()
    {
        return token;
    }

    /**
     * The index of this context among those of its directory or process.
     *
     * @return the index, at least 0.
     */
    public final int index()
    {
        return ControlLayout.index(token);
    }

    final Heap heap()
    {
        return heap;
    }

    final RegionTable regions()
    {
        return regions;
    }

    /**
     * Finds a queue pair.
     *
     * @param qpNum number of the queue pair.
     * @return the queue pair, or null if there is none.
     */
    public final SoftQueuePair queuePair(final int qpNum)
    {
        return queuePairs.find(qpNum);
    }

    final boolean owns(final SoftCompletionQueue queue)
    {
        return queuePairs.owns(queue);
    }

    final boolean owns(final SoftSharedReceiveQueue queue)
    {
        return queuePairs.owns(queue);
    }

    /**
     * Flushes the receives that are left in queue pairs in the error state.
     *
     * @return delay until the next call, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    public final long flushReceives()
    {
        return queuePairs.flushReceives();
    }

    /** Raises the event DEVICE_FATAL: no queue pair of this context works any more. */
    public final void failDevice()
    {
        AsyncEvents.raise(control, token, AsyncEventType.DEVICE_FATAL, 0);
    }

    /** Moves the queue pairs of overrun completion queues to the error state. */
    public final void handleOverruns()
    {
        queuePairs.handleOverruns();
    }

    /** Handles overruns and limit events that were recorded and that only the owner of the queues can handle. */
    public final void attend()
    {
        queuePairs.attend();
    }

    final void whileStopped(final Predicate<SoftQueuePair> which, final String verb, final Runnable change)
    {
        queuePairs.whileStopped(which, verb, change);
    }

    final void passQueuePairs(final int key)
    {
        queuePairs.pass(key);
    }

    @Override
    public final Device device()
    {
        return device;
    }

    @Override
    public int completionVectors()
    {
        return 1;
    }

    /**
     * A number that no other object of the context has.
     *
     * @return number greater than 0.
     */
    protected final int nextNumber()
    {
        return numbers.incrementAndGet();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        retain("ibv_alloc_pd");
        return new SoftProtectionDomain(this, numbers.incrementAndGet());
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        retain("ibv_create_comp_channel");
        try
        {
            return new SoftCompletionChannel(this);
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
        if (channel != null && !(channel instanceof SoftCompletionChannel own && own.context() == this))
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "the channel belongs to another context");
        }
        retain("ibv_create_cq");
        try
        {
            final SoftCompletionQueue queue = new SoftCompletionQueue(
                this, capacity, (SoftCompletionChannel)channel, numbers.incrementAndGet());
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

    SoftSharedReceiveQueue createSharedReceiveQueue(
        final SoftProtectionDomain domain, final int maxWorkRequests, final int maxSge)
    {
        final SoftSharedReceiveQueue queue =
            new SoftSharedReceiveQueue(domain, numbers.incrementAndGet(), maxWorkRequests, maxSge);
        queuePairs.add(queue);
        // The progress thread raises the limit and last-WQE events.
        startProgress();
        return queue;
    }

    QueuePair createQueuePair(
        final SoftProtectionDomain domain, final QueuePairInitAttributes attributes, final Parents parents)
    {
        return queuePairs.create(domain, attributes, parents);
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
                if (claimant == 0 || !isDead(claimant))
                {
                    return null;
                }
                CompletionRing.head(ring, head + 1);
                continue;
            }
            final AsyncEventType type = AsyncEvents.type(slot);
            final int number = AsyncEvents.number(slot);
            CompletionRing.head(ring, head + 1);
            if (type == AsyncEventType.DEVICE_FATAL)
            {
                return new AsyncEvent(type, null);
            }
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

    void remove(final SoftCompletionQueue queue)
    {
        queuePairs.remove(queue);
        release();
    }

    void remove(final SoftSharedReceiveQueue queue)
    {
        queuePairs.remove(queue);
    }

    void remove(final SoftQueuePair queuePair)
    {
        queuePairs.remove(queuePair);
    }

    /**
     * Counts a new child.
     *
     * @param verb verb that creates the child.
     * @throws RdmaException with EINVAL if the context is closed.
     */
    protected final synchronized void retain(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the context is closed");
        }
        children.incrementAndGet();
    }

    /** Counts a closed child. */
    public final void release()
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
        shutdown();
        memory.close();
        unmapped();
    }
}
