/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.SharedReceiveQueueAttributes;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A shared receive queue: {@code struct ibv_srq}. */
final class VerbsSharedReceiveQueue implements SharedReceiveQueue
{
    private static final String CREATE_SRQ = "ibv_create_srq";
    private static final String MODIFY_SRQ = "ibv_modify_srq";
    private static final String QUERY_SRQ = "ibv_query_srq";

    private final VerbsContext context;
    private final Parents parents;
    private final Children children = new Children("shared receive queue", "queue pairs");
    private final Gate gate = new Gate();
    private final MemorySegment bad = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final long badReceive = bad.address();
    private final MemorySegment postReceive;
    private final long handle;
    private long badReceiveRequest;

    private VerbsSharedReceiveQueue(final VerbsContext context, final Parents parents, final long handle)
    {
        this.context = context;
        this.parents = parents;
        this.handle = handle;
        postReceive = context.postSharedReceive();
        context.elements().add(handle, this);
    }

    static VerbsSharedReceiveQueue create(
        final VerbsProtectionDomain domain, final int maxWorkRequests, final int maxSge)
    {
        final Parents parents = Parents.retain(CREATE_SRQ, domain.children());
        try (Arena arena = Arena.ofConfined())
        {
            final long init = arena.allocate(Layout.SRQ_INIT_ATTR_SIZE, Long.BYTES).address();
            final long attributes = init + Layout.SRQ_INIT_ATTR_ATTR;
            UnsafeApi.putInt(attributes + Layout.SRQ_ATTR_MAX_WR, maxWorkRequests);
            UnsafeApi.putInt(attributes + Layout.SRQ_ATTR_MAX_SGE, maxSge);
            final long handle = Libibverbs.CREATE_SRQ.call(domain.handle(), init);
            return new VerbsSharedReceiveQueue(domain.context(), parents, VerbsErrors.checkPointer(handle, CREATE_SRQ,
                "cannot create a queue for " + maxWorkRequests + " requests of " + maxSge + " entries"));
        }
        catch (final RuntimeException ex)
        {
            parents.release();
            throw ex;
        }
    }

    VerbsContext context()
    {
        return context;
    }

    long handle()
    {
        return handle;
    }

    Children children()
    {
        return children;
    }

    boolean isClosed()
    {
        return gate.isClosed();
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        if (!gate.enter())
        {
            return Errno.EINVAL;
        }
        try
        {
            final int result = DataPath.post(postReceive, handle, receiveRequestAddress, badReceive);
            badReceiveRequest = result == 0 ? 0 : UnsafeApi.getLong(badReceive);
            return Math.abs(result);
        }
        finally
        {
            gate.exit();
        }
    }

    @Override
    public long badReceiveRequest()
    {
        return badReceiveRequest;
    }

    @Override
    public SharedReceiveQueueAttributes query()
    {
        enter(QUERY_SRQ);
        try (Arena local = Arena.ofConfined())
        {
            final long attributes = local.allocate(Layout.SRQ_ATTR_SIZE, Long.BYTES).address();
            VerbsErrors.check(Libibverbs.QUERY_SRQ.call(handle, attributes), QUERY_SRQ, "cannot read the attributes");
            return new SharedReceiveQueueAttributes(
                UnsafeApi.getInt(attributes + Layout.SRQ_ATTR_MAX_WR),
                UnsafeApi.getInt(attributes + Layout.SRQ_ATTR_MAX_SGE),
                UnsafeApi.getInt(attributes + Layout.SRQ_ATTR_SRQ_LIMIT));
        }
        finally
        {
            gate.exit();
        }
    }

    @Override
    public void resize(final int maxWorkRequests)
    {
        VerbsErrors.checkRange(MODIFY_SRQ, "max_wr", maxWorkRequests, 1, context.limits().maxSharedWorkRequests);
        modify(maxWorkRequests, 0, Layout.SRQ_MAX_WR, "cannot resize to " + maxWorkRequests + " requests");
    }

    @Override
    public void armLimit(final int limit)
    {
        VerbsErrors.checkRange(MODIFY_SRQ, "srq_limit", limit, 0, query().maxWorkRequests());
        modify(0, limit, Layout.SRQ_LIMIT, "cannot arm the limit of " + limit + " requests");
    }

    private void modify(final int maxWorkRequests, final int limit, final int mask, final String detail)
    {
        enter(MODIFY_SRQ);
        try (Arena local = Arena.ofConfined())
        {
            final long attributes = local.allocate(Layout.SRQ_ATTR_SIZE, Long.BYTES).address();
            UnsafeApi.putInt(attributes + Layout.SRQ_ATTR_MAX_WR, maxWorkRequests);
            UnsafeApi.putInt(attributes + Layout.SRQ_ATTR_SRQ_LIMIT, limit);
            VerbsErrors.check(Libibverbs.MODIFY_SRQ.call(handle, attributes, mask), MODIFY_SRQ, detail);
        }
        finally
        {
            gate.exit();
        }
    }

    private void enter(final String verb)
    {
        if (!gate.enterRarely())
        {
            throw VerbsErrors.invalid(verb, "the shared receive queue is closed");
        }
    }

    @Override
    public void close()
    {
        if (children.close("ibv_destroy_srq"))
        {
            gate.close();
            final long result = Libibverbs.DESTROY_SRQ.call(handle);
            context.elements().remove(handle, this);
            parents.release();
            VerbsErrors.check(result, "ibv_destroy_srq", "cannot free the shared receive queue");
        }
    }
}
