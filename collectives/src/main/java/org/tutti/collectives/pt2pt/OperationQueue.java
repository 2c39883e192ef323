/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/** A queue of operations, linked by {@link MessageOperation#next}: an operation is in at most one. */
final class OperationQueue
{
    private MessageOperation first;
    private MessageOperation last;

    MessageOperation first()
    {
        return first;
    }

    boolean isEmpty()
    {
        return first == null;
    }

    void add(final MessageOperation operation)
    {
        operation.next = null;
        if (first == null)
        {
            first = operation;
        }
        else
        {
            last.next = operation;
        }
        last = operation;
    }

    void addFirst(final MessageOperation operation)
    {
        operation.next = first;
        first = operation;
        last = last == null ? operation : last;
    }

    /** Removes the first operation. */
    MessageOperation remove()
    {
        final MessageOperation removed = first;
        first = removed.next;
        removed.next = null;
        last = first == null ? null : last;
        return removed;
    }

    /** Removes an operation; returns false if it is not in this queue. */
    @SuppressWarnings("ReferenceEquality") // An element of this queue.
    boolean remove(final MessageOperation operation)
    {
        MessageOperation before = null;
        for (MessageOperation each = first; each != null; each = each.next)
        {
            if (each == operation)
            {
                if (before == null)
                {
                    remove();
                }
                else
                {
                    before.next = each.next;
                    each.next = null;
                    last = before.next == null ? before : last;
                }
                return true;
            }
            before = each;
        }
        return false;
    }

    void clear()
    {
        first = null;
        last = null;
    }
}
