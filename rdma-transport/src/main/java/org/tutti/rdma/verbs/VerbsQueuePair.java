/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairCapabilities;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.spi.Parents;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/**
 * A queue pair: {@code struct ibv_qp}. Posting sends and posting receives are guarded by a gate each; changes of the
 * state are serialized and enter both.
 */
final class VerbsQueuePair implements QueuePair
{
    private static final String CREATE_QP = "ibv_create_qp";
    private static final String QUERY_QP = "ibv_query_qp";
    private static final int ALL_ATTRIBUTES = 0x1F_FFFF;

    private record Group(Gid gid, int lid)
    {
    }

    private final VerbsContext context;
    private final QueuePairType type;
    private final Parents parents;
    private final QueuePairCapabilities capabilities;
    private final Gate sendGate = new Gate();
    private final Gate receiveGate = new Gate();
    private final MemorySegment bad = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
    private final long badSend = bad.address();
    private final long badReceive = badSend + Long.BYTES;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final long handle;
    private final int qpNum;
    private final int opcodes;
    private final boolean hasSharedReceives;
    private final Set<Group> groups = new HashSet<>();
    /** Checked on posting, because drivers accept sends before the queue pair is in RTS and send them later. */
    private boolean canSend;
    private boolean canReceive;
    private long badSendRequest;
    private long badReceiveRequest;
    private boolean isClosed;

    private VerbsQueuePair(final VerbsContext context, final QueuePairInitAttributes attributes, final Parents parents,
        final long handle, final QueuePairCapabilities capabilities)
    {
        this.context = context;
        type = attributes.type();
        hasSharedReceives = attributes.sharedReceiveQueue() != null;
        this.parents = parents;
        this.handle = handle;
        this.capabilities = capabilities;
        qpNum = UnsafeApi.getInt(handle + Layout.QP_QP_NUM);
        opcodes = SendChecks.opcodes(type);
        postSend = context.postSend();
        postReceive = context.postReceive();
        context.elements().add(handle, this);
    }

    /**
     * Creates a queue pair.
     *
     * @param domain     protection domain.
     * @param attributes checked attributes.
     * @param parents    retained parents; released if this fails, else on close.
     * @return the queue pair.
     */
    static VerbsQueuePair create(
        final VerbsProtectionDomain domain, final QueuePairInitAttributes attributes, final Parents parents)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long init = arena.allocate(Layout.QP_INIT_ATTR_SIZE, Long.BYTES).address();
            final SharedReceiveQueue shared = attributes.sharedReceiveQueue();
            QueuePairStructs.putInit(init, attributes, ((VerbsCompletionQueue)attributes.sendQueue()).handle(),
                ((VerbsCompletionQueue)attributes.receiveQueue()).handle(),
                shared == null ? 0 : ((VerbsSharedReceiveQueue)shared).handle());
            final long handle = Libibverbs.CREATE_QP.call(domain.handle(), init);
            if (handle == 0)
            {
                throw creationFailure(NativeFunction.errno(), domain.context(), attributes);
            }
            return new VerbsQueuePair(domain.context(), attributes, parents, handle, capabilities(arena, handle, init));
        }
        catch (final RuntimeException ex)
        {
            parents.release();
            throw ex;
        }
    }

    /** Some drivers report the rounded capacities on creation, others on query. */
    private static QueuePairCapabilities capabilities(final Arena arena, final long handle, final long init)
    {
        final QueuePairCapabilities made = QueuePairStructs.capabilities(init + Layout.QP_INIT_ATTR_CAP);
        final long attributes = arena.allocate(Layout.QP_ATTR_SIZE, Long.BYTES).address();
        if (Libibverbs.QUERY_QP.call(handle, attributes, QueuePairAttributeMask.CAP, init) != 0)
        {
            return made;
        }
        final QueuePairCapabilities queried = QueuePairStructs.capabilities(attributes + Layout.QP_ATTR_CAP);
        return new QueuePairCapabilities(
            Math.max(made.maxSendRequests(), queried.maxSendRequests()),
            Math.max(made.maxReceiveRequests(), queried.maxReceiveRequests()),
            Math.max(made.maxSendSge(), queried.maxSendSge()),
            Math.max(made.maxReceiveSge(), queried.maxReceiveSge()),
            Math.max(made.maxInlineData(), queried.maxInlineData()));
    }

    private static RdmaException creationFailure(
        final int errno, final VerbsContext context, final QueuePairInitAttributes attributes)
    {
        if (attributes.maxInlineData() > context.maxInlineData())
        {
            return VerbsErrors.invalid(CREATE_QP, "max_inline_data " + attributes.maxInlineData() +
                " is not from 0 to " + context.maxInlineData());
        }
        return VerbsErrors.of(errno, CREATE_QP, "cannot create a queue pair of type " + attributes.type() + " with " +
            attributes.capabilities() + ", one of " + context.limits().maxQueuePairs + " of " + context.device() +
            "; each value is within its limit, but their combination may be too large: request less");
    }

    boolean isClosed()
    {
        return sendGate.isClosed();
    }

    @Override
    public int qpNum()
    {
        return qpNum;
    }

    @Override
    public QueuePairCapabilities capabilities()
    {
        return capabilities;
    }

    @Override
    public int postSend(final long sendRequestAddress)
    {
        if (!sendGate.enter())
        {
            return Errno.EINVAL;
        }
        try
        {
            if (!canSend)
            {
                badSendRequest = sendRequestAddress;
                return Errno.EINVAL;
            }
            final long invalid = SendChecks.firstInvalid(sendRequestAddress, opcodes);
            return invalid == 0 ? post(sendRequestAddress) : postUpTo(sendRequestAddress, invalid);
        }
        finally
        {
            sendGate.exit();
        }
    }

    private int post(final long sendRequestAddress)
    {
        final int result = DataPath.post(postSend, handle, sendRequestAddress, badSend);
        badSendRequest = result == 0 ? 0 : UnsafeApi.getLong(badSend);
        return Math.abs(result);
    }

    /** Posts the requests before an invalid one. */
    private int postUpTo(final long sendRequestAddress, final long invalid)
    {
        if (invalid != sendRequestAddress)
        {
            final long last = SendChecks.before(sendRequestAddress, invalid) + SendWorkRequest.NEXT_OFFSET;
            UnsafeApi.putLong(last, 0);
            final int errno = post(sendRequestAddress);
            UnsafeApi.putLong(last, invalid);
            if (errno != 0)
            {
                return errno;
            }
        }
        badSendRequest = invalid;
        return Errno.EINVAL;
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        if (!receiveGate.enter())
        {
            return Errno.EINVAL;
        }
        try
        {
            if (!canReceive)
            {
                badReceiveRequest = receiveRequestAddress;
                return Errno.EINVAL;
            }
            final int result = DataPath.post(postReceive, handle, receiveRequestAddress, badReceive);
            badReceiveRequest = result == 0 ? 0 : UnsafeApi.getLong(badReceive);
            return Math.abs(result);
        }
        finally
        {
            receiveGate.exit();
        }
    }

    @Override
    public long badSendRequest()
    {
        return badSendRequest;
    }

    @Override
    public long badReceiveRequest()
    {
        return badReceiveRequest;
    }

    /** Always 0: remote memory is accessible by requests only. */
    @Override
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        return 0;
    }

    @Override
    public synchronized QueuePairState state()
    {
        try (Arena local = Arena.ofConfined())
        {
            return QueuePairStructs.state(query(local, QueuePairAttributeMask.STATE));
        }
    }

    @Override
    public synchronized void query(final QueuePairAttributes attributes)
    {
        try (Arena local = Arena.ofConfined())
        {
            QueuePairStructs.get(query(local, ALL_ATTRIBUTES), attributes);
        }
    }

    private long query(final Arena local, final int mask)
    {
        checkOpen(QUERY_QP);
        final long attributes = local.allocate(Layout.QP_ATTR_SIZE, Long.BYTES).address();
        final long init = local.allocate(Layout.QP_INIT_ATTR_SIZE, Long.BYTES).address();
        VerbsErrors.check(Libibverbs.QUERY_QP.call(handle, attributes, mask, init), QUERY_QP, "queue pair " + qpNum);
        return attributes;
    }

    @Override
    public synchronized void modify(final QueuePairAttributes attributes, final int mask)
    {
        checkOpen("ibv_modify_qp");
        ModifyChecks.check(context, context.limits(), attributes, mask);
        if ((mask & QueuePairAttributeMask.CUR_STATE) != 0 && attributes.currentState != state())
        {
            throw VerbsErrors.invalid("ibv_modify_qp",
                "cur_qp_state is " + attributes.currentState + " but the queue pair is in " + state());
        }
        final long result;
        sendGate.enterRarely();
        receiveGate.enterRarely();
        try (Arena local = Arena.ofConfined())
        {
            final long values = local.allocate(Layout.QP_ATTR_SIZE, Long.BYTES).address();
            QueuePairStructs.put(values, attributes);
            result = Libibverbs.MODIFY_QP.call(handle, values, mask);
            if (result == 0 && (mask & QueuePairAttributeMask.STATE) != 0)
            {
                canSend = attributes.state.compareTo(QueuePairState.RTS) >= 0;
                canReceive = attributes.state != QueuePairState.RESET && !hasSharedReceives;
            }
        }
        finally
        {
            receiveGate.exit();
            sendGate.exit();
        }
        if (result != 0)
        {
            final int errno = result == -1 ? NativeFunction.errno() : (int)Math.abs(result);
            throw ModifyChecks.failure(errno, context, this, type, attributes, mask);
        }
    }

    @Override
    public synchronized void attachMulticast(final Gid group, final int lid)
    {
        multicast(Libibverbs.ATTACH_MCAST, group, lid);
        groups.add(new Group(group, lid));
    }

    @Override
    public synchronized void detachMulticast(final Gid group, final int lid)
    {
        multicast(Libibverbs.DETACH_MCAST, group, lid);
        groups.remove(new Group(group, lid));
    }

    private void multicast(final NativeFunction function, final Gid group, final int lid)
    {
        checkOpen(function.name());
        if (type != QueuePairType.UD)
        {
            throw VerbsErrors.invalid(function.name(), "queue pair " + qpNum + " is " + type +
                "; only UD queue pairs can attach to multicast groups");
        }
        if (!group.isMulticast())
        {
            throw VerbsErrors.invalid(function.name(), group + " is not a multicast address: it must start with ff " +
                "(IPv6) or be from 224.0.0.0 on (IPv4)");
        }
        try (Arena local = Arena.ofConfined())
        {
            final long gid = local.allocate(Gid.LENGTH, Long.BYTES).address();
            Structs.putGid(gid, group);
            VerbsErrors.check(function.call(handle, gid, lid), function.name(),
                "queue pair " + qpNum + ", group " + group + ", LID " + lid);
        }
    }

    private void checkOpen(final String verb)
    {
        if (isClosed)
        {
            throw VerbsErrors.invalid(verb, "queue pair " + qpNum + " is closed");
        }
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            if (!groups.isEmpty())
            {
                // Checked here, because the device reports it only after the queue pair has become unusable.
                throw new RdmaException(Errno.EBUSY, "ibv_destroy_qp", "queue pair " + qpNum + " is in " +
                    groups.size() + " multicast groups; detach it first");
            }
            isClosed = true;
            sendGate.close();
            receiveGate.close();
            final long result = Libibverbs.DESTROY_QP.call(handle);
            context.elements().remove(handle, this);
            parents.release();
            VerbsErrors.check(result, "ibv_destroy_qp", "queue pair " + qpNum);
        }
    }
}
