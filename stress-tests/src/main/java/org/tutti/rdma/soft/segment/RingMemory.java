/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.tutti.rdma.WorkCompletion;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A control segment with a channel and a ring. Instances are reused: {@link #next} takes one, and the test's arbiter
 * returns it.
 */
final class RingMemory
{
    static final int CAPACITY = 2;
    static final int TOKEN = 0x1001;
    static final int OTHER_TOKEN = 0x2002;

    private static final int CHANNEL = 64;
    private static final int RING = 128;
    private static final int OPCODE = 1;
    private static final Queue<RingMemory> FREE = new ConcurrentLinkedQueue<>();

    final long control = UnsafeApi.allocateMemory(RING + CompletionRing.length(CAPACITY));
    final long ring = control + RING;

    private RingMemory()
    {
        // next() writes the memory.
    }

    /** Takes an instance with an empty ring. */
    static RingMemory next()
    {
        final RingMemory found = FREE.poll();
        final RingMemory memory = found == null ? new RingMemory() : found;
        UnsafeApi.setMemory(memory.control, RING, (byte)0);
        CompletionRing.init(memory.ring, CAPACITY, CHANNEL, 1);
        return memory;
    }

    void giveBack()
    {
        FREE.add(this);
    }

    /** Claims a position and returns it; -1 if the ring is full. */
    int claim(final int token)
    {
        return (int)CompletionRing.claim(control, ring, token);
    }

    /** Writes and publishes a completion at a claimed position. */
    void publish(final int position, final int token, final int value)
    {
        final long slot = CompletionRing.slot(control, ring, position);
        CompletionRing.putRequest(slot, value, 0, value, value);
        CompletionRing.putDetail(slot, OPCODE, value);
        CompletionRing.publish(control, ring, position, token, false);
    }

    /** Claims a position and publishes a completion there; returns false if the ring is full. */
    boolean add(final int token, final int value)
    {
        final int position = claim(token);
        if (position >= 0)
        {
            publish(position, token, value);
        }
        return position >= 0;
    }

    /** Value of the completion at a position: 0 if none is published, -1 if its fields differ. */
    int value(final int position)
    {
        final long slot = CompletionRing.peek(control, ring, position);
        if (slot == 0)
        {
            return 0;
        }
        final int value = (int)UnsafeApi.getLong(slot + WorkCompletion.WR_ID_OFFSET);
        return value == UnsafeApi.getInt(slot + WorkCompletion.BYTE_LEN_OFFSET) &&
            value == UnsafeApi.getInt(slot + WorkCompletion.QP_NUM_OFFSET) &&
            value == UnsafeApi.getLong(slot + CompletionRing.FREES_OFFSET) ? value : -1;
    }
}
