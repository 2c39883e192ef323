/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.endpoint.QueuePairEndpoint;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.List;

/**
 * The memory of a team that its peers access: SCRATCH, the control block and, for each connection, the receive FIFO,
 * the memory of the endpoint, and the inbox. Not thread-safe.
 */
public final class TeamMemory
{
    /** Length in bytes of the SCRATCH of a communicator of one rank, which no peer writes. */
    private static final long NO_SCRATCH = 64;

    private final ResourceScope resources = new ResourceScope();
    private final CollectiveContext context;
    private final ScratchLayout scratchLayout;
    private final long inboxLength;
    private RegisteredBuffer scratch;
    private RegisteredBuffer controlBuffer;
    private ControlBlock control;

    /**
     * Creates an object without memory.
     *
     * @param context       context of the rank, whose pool is used once the devices are open.
     * @param scratchLayout layout of SCRATCH.
     * @param inboxLength   length in bytes of the memory into which each peer writes messages; 0 for none.
     */
    TeamMemory(final CollectiveContext context, final ScratchLayout scratchLayout, final long inboxLength)
    {
        this.context = context;
        this.scratchLayout = scratchLayout;
        this.inboxLength = inboxLength;
    }

    /** Allocates SCRATCH and the control block of a team of this number of ranks. */
    void open(final int ranks)
    {
        scratch = allocate(Math.max(NO_SCRATCH, ranks == 1 ? 0 : scratchLayout.length()));
        controlBuffer = allocate(ControlBlock.length(ranks, scratchLayout.slots()));
        control = new ControlBlock(controlBuffer.buffer(), scratchLayout.slots());
        control.clear();
    }

    /** Returns SCRATCH, which peers write. */
    public RegisteredBuffer scratch()
    {
        return scratch;
    }

    public ScratchLayout scratchLayout()
    {
        return scratchLayout;
    }

    public ControlBlock control()
    {
        return control;
    }

    /** Returns the memory of the control block. */
    RegisteredBuffer controlBuffer()
    {
        return controlBuffer;
    }

    ReceiveFifo allocateFifo(final int peer)
    {
        return new ReceiveFifo(peer, allocate(ReceiveFifo.LENGTH));
    }

    /** Allocates the memory of an endpoint over a queue pair. */
    RegisteredBuffer allocateEndpoint()
    {
        return allocate(QueuePairEndpoint.sharedLength(scratchLayout.slots()));
    }

    /** Allocates the memory into which a peer writes messages; returns null if the team has no messages. */
    RegisteredBuffer allocateInbox()
    {
        return inboxLength == 0 ? null : allocate(inboxLength);
    }

    private RegisteredBuffer allocate(final long length)
    {
        return resources.add(context.pool().allocate(length));
    }

    /**
     * Frees the memory, or leaves it to the context if peers may still store into it.
     *
     * @param areOthersDone whether no rank stores into this memory any longer.
     * @param problems      list to which exceptions are added.
     */
    void close(final boolean areOthersDone, final List<Exception> problems)
    {
        if (areOthersDone)
        {
            resources.close(problems);
        }
        else
        {
            context.keep(resources);
        }
    }
}
