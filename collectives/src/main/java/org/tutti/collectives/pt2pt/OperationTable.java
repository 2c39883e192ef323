/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.agrona.collections.IntArrayList;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The operations of a rank that are not done, by id: messages of peers refer to them by these ids. Not thread-safe,
 * except {@link #releaseWithoutLock}; allocates only when there are more operations than ever before.
 */
@SuppressWarnings("ReferenceEquality") // Operations are compared by identity.
final class OperationTable
{
    private static final int FIRST_OPERATIONS = 16;

    private final StagingBuffers staging;
    private MessageOperation[] operations = new MessageOperation[FIRST_OPERATIONS];
    private final IntArrayList freeIds = new IntArrayList();
    private int idCount;
    private int count;
    private int probes;
    private MessageOperation pooled;
    /** Operations that threads have released without the lock. */
    private final AtomicReference<MessageOperation> returned = new AtomicReference<>();
    private MessageOperation awaited;
    /** The operation that was begun last, for messages only. */
    private MessageOperation latest;
    private long sequence = -1;

    /** Creates an empty table that gives back staging memory of operations that are done. */
    OperationTable(final StagingBuffers staging)
    {
        this.staging = staging;
    }

    /** Returns an operation without arguments; {@link #release} takes it back. */
    MessageOperation take()
    {
        if (pooled == null)
        {
            pooled = returned.getAndSet(null);
        }
        final MessageOperation taken = pooled;
        if (taken == null)
        {
            return new MessageOperation();
        }
        pooled = taken.next;
        return taken;
    }

    void release(final MessageOperation operation)
    {
        operation.clearSegment();
        operation.next = pooled;
        pooled = operation;
    }

    /** As {@link #release}, for any thread. */
    void releaseWithoutLock(final MessageOperation operation)
    {
        operation.clearSegment();
        MessageOperation before;
        do
        {
            before = returned.get();
            operation.next = before;
        }
        while (!returned.compareAndSet(before, operation));
    }

    /** Numbers an operation that begins. */
    void begin(final MessageOperation operation)
    {
        operation.begin(++sequence);
        if (latest != operation)
        {
            latest = operation;
        }
    }

    /** Adds an operation that cannot be done at once, and sets its id. */
    void add(final MessageOperation operation)
    {
        if (freeIds.isEmpty())
        {
            if (idCount == operations.length)
            {
                operations = Arrays.copyOf(operations, 2 * idCount);
            }
            operation.id = idCount++;
        }
        else
        {
            operation.id = freeIds.removeAt(freeIds.size() - 1);
        }
        operations[operation.id] = operation;
        count++;
        probes += operation.isProbe() ? 1 : 0;
    }

    /** Removes an operation, if it is in the table. */
    void remove(final MessageOperation operation)
    {
        if (operation.id >= 0)
        {
            operations[operation.id] = null;
            freeIds.add(operation.id);
            operation.id = -1;
            count--;
            probes -= operation.isProbe() ? 1 : 0;
        }
        if (operation.staging != null)
        {
            staging.give(operation.staging);
            operation.staging = null;
        }
        if (awaited == operation)
        {
            awaited = null;
        }
    }

    /**
     * Ends an operation. Its thread may reuse the operation at once, so the operation ends last, after its request.
     */
    void finish(final MessageOperation operation)
    {
        remove(operation);
        if (operation.request != null)
        {
            operation.request.finished(null);
        }
        operation.done();
    }

    /** Fails all operations, which access their memory no longer. */
    void failAll(final RuntimeException cause)
    {
        for (int id = 0; id < idCount; id++)
        {
            final MessageOperation operation = operations[id];
            if (operation != null)
            {
                remove(operation);
                if (operation.request != null)
                {
                    operation.request.finished(cause);
                }
                operation.fail(cause);
            }
        }
    }

    /** Lets all probes look again. */
    void wakeProbes()
    {
        for (int id = 0; id < idCount && probes > 0; id++)
        {
            if (operations[id] != null && operations[id].isProbe())
            {
                operations[id].mustLook = true;
            }
        }
    }

    /** Sets the operation that the thread waits for. */
    void await(final MessageOperation operation)
    {
        awaited = operation;
    }

    boolean hasAwaited()
    {
        return awaited != null;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    /** Returns the number of ids in use so far: all are below it. */
    int ids()
    {
        return idCount;
    }

    /** Returns the operation with an id, or null. */
    MessageOperation get(final int id)
    {
        return id < 0 || id >= idCount ? null : operations[id];
    }

    /** Returns the number of the awaited operation, else of the oldest, else of the last one begun. */
    long sequence()
    {
        final MessageOperation current = current();
        return current == null ? sequence : current.sequence;
    }

    /** Returns the awaited operation, or else the oldest; null if there is none. */
    MessageOperation current()
    {
        if (awaited != null || count == 0)
        {
            return awaited;
        }
        MessageOperation oldest = null;
        for (int id = 0; id < idCount; id++)
        {
            if (operations[id] != null && (oldest == null || operations[id].sequence < oldest.sequence))
            {
                oldest = operations[id];
            }
        }
        return oldest;
    }

    /** Returns the operation with a number, if it is not done or was begun last; else null. */
    MessageOperation find(final long number)
    {
        if (awaited != null && awaited.sequence == number)
        {
            return awaited;
        }
        if (latest != null && latest.sequence == number)
        {
            return latest;
        }
        for (int id = 0; id < idCount; id++)
        {
            if (operations[id] != null && operations[id].sequence == number)
            {
                return operations[id];
            }
        }
        return null;
    }

    /** Returns a request that is not done, or null. */
    MessageOperation.Listener anyRequest()
    {
        for (int id = 0; id < idCount; id++)
        {
            if (operations[id] != null && operations[id].request != null)
            {
                return operations[id].request;
            }
        }
        return null;
    }
}
