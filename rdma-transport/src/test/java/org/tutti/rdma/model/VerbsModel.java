/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.model;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Shape;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import static org.tutti.rdma.QueuePairState.ERR;
import static org.tutti.rdma.QueuePairState.RESET;
import static org.tutti.rdma.QueuePairState.RTR;
import static org.tutti.rdma.QueuePairState.RTS;
import static org.tutti.rdma.QueuePairState.SQD;
import static org.tutti.rdma.WorkCompletionStatus.LOC_LEN_ERR;
import static org.tutti.rdma.WorkCompletionStatus.LOC_PROT_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_ACCESS_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_INV_REQ_ERR;
import static org.tutti.rdma.WorkCompletionStatus.REM_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.RETRY_EXC_ERR;
import static org.tutti.rdma.WorkCompletionStatus.RNR_RETRY_EXC_ERR;
import static org.tutti.rdma.WorkCompletionStatus.SUCCESS;
import static org.tutti.rdma.WorkCompletionStatus.WR_FLUSH_ERR;

/**
 * A model of one side of a reliable connection by the InfiniBand Architecture Specification, volume 1, chapters 9.7 to
 * 9.9 and 10: single-threaded and without time. A request that waits for a receive waits for ever or fails immediately;
 * a peer that does not respond never will. {@link #join} joins two sides.
 */
final class VerbsModel
{
    /** A posted send; inline data is a copy from the time of posting. Never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Pending(Send send, long position, byte[] inline)
    {
    }

    /** A completion, and the position up to which polling it frees send queue slots. */
    private record Done(Completion completion, long frees)
    {
    }

    private final Shape shape;
    private final ModelMemory memory;
    private final int qpNum;
    private final boolean isRnrForEver;
    /** Whether requests start when posted, even those behind one that waits for a receive. */
    private final boolean isPipelined;
    private final Deque<Pending> sends = new ArrayDeque<>();
    private final Deque<Receive> receives = new ArrayDeque<>();
    private final Deque<Done> sendCompletions = new ArrayDeque<>();
    private final Deque<Completion> receiveCompletions = new ArrayDeque<>();
    private VerbsModel peer;
    /** The position of the write with immediate whose data is placed while it waits for a receive. */
    private long placed = -1;
    private QueuePairState state = RTS;
    private long posted;
    private long freed;
    private int receivesHeld;

    VerbsModel(final Shape shape, final Info info, final int qpNum, final boolean isRnrForEver,
        final boolean isPipelined)
    {
        this.isPipelined = isPipelined;
        this.shape = shape;
        memory = new ModelMemory(info.address(), (int)shape.memoryLength());
        this.qpNum = qpNum;
        this.isRnrForEver = isRnrForEver;
    }

    static void join(final VerbsModel one, final VerbsModel other)
    {
        one.peer = other;
        other.peer = one;
    }

    byte[] memory()
    {
        return memory.bytes();
    }

    QueuePairState state()
    {
        return state;
    }

    boolean isIdle()
    {
        return sends.isEmpty();
    }

    void register(final Region region, final int access, final boolean isForeign)
    {
        memory.register(region, access, isForeign);
    }

    void deregister(final Region region)
    {
        memory.deregister(region);
        // Waiting requests are retried and fail because their key is gone.
        settle();
    }

    /**
     * Posts a chain. If requests are executed when posted, each is complete before the next one's inline data is read;
     * if they travel, the inline data of all is read before the first one is executed, even behind a fence.
     */
    Posted postSend(final List<Send> chain)
    {
        Posted result = Posted.ALL;
        for (int i = 0; i < chain.size() && result.errno() == 0; i++)
        {
            result = postOne(chain.get(i), i);
            if (!isPipelined)
            {
                settle();
            }
        }
        settle();
        return result;
    }

    private Posted postOne(final Send send, final int index)
    {
        if (state.ordinal() < RTS.ordinal() || !isValid(send))
        {
            return new Posted(Errno.EINVAL, index);
        }
        if (posted - freed >= shape.maxSend())
        {
            return new Posted(Errno.ENOMEM, index);
        }
        final boolean isInline = (send.flags() & SendFlags.INLINE) != 0;
        sends.add(new Pending(
            send, posted++, isInline || isReadWhenPosted(send) ? memory.gather(send.sges()) : null));
        return Posted.ALL;
    }

    /** Whether the data of a request is read when it is posted, although it may wait. */
    private boolean isReadWhenPosted(final Send send)
    {
        final boolean isFenced = (send.flags() & SendFlags.FENCE) != 0 &&
            sends.stream().anyMatch(other -> other.send().opcode() >= SendOpcode.RDMA_READ);
        return isPipelined && state == RTS && !isFenced && send.opcode() < SendOpcode.RDMA_READ &&
            memory.covers(send.sges(), 0);
    }

    private boolean isValid(final Send send)
    {
        final boolean isInline = (send.flags() & SendFlags.INLINE) != 0;
        return send.opcode() >= 0 && send.opcode() <= SendOpcode.ATOMIC_FETCH_AND_ADD &&
            send.sges().size() <= shape.maxSge() &&
            (!isInline || (send.opcode() < SendOpcode.RDMA_READ &&
                ModelMemory.length(send.sges()) <= shape.maxInline()));
    }

    Posted postReceive(final List<Receive> chain)
    {
        for (int i = 0; i < chain.size(); i++)
        {
            if (state == RESET || chain.get(i).sges().size() > shape.maxSge())
            {
                return new Posted(Errno.EINVAL, i);
            }
            if (receivesHeld >= shape.maxReceive())
            {
                return new Posted(Errno.ENOMEM, i);
            }
            receivesHeld++;
            receives.add(chain.get(i));
            settle();
        }
        return Posted.ALL;
    }

    List<Completion> pollSends(final int max)
    {
        final List<Completion> polled = new ArrayList<>();
        while (polled.size() < max && !sendCompletions.isEmpty())
        {
            final Done done = sendCompletions.remove();
            freed = done.frees();
            polled.add(done.completion());
        }
        return polled;
    }

    List<Completion> pollReceives(final int max)
    {
        final List<Completion> polled = new ArrayList<>();
        while (polled.size() < max && !receiveCompletions.isEmpty())
        {
            receivesHeld--;
            polled.add(receiveCompletions.remove());
        }
        return polled;
    }

    void fail()
    {
        state = ERR;
        settle();
    }

    void reset()
    {
        state = RESET;
        sends.clear();
        receives.clear();
        sendCompletions.clear();
        receiveCompletions.clear();
        freed = posted;
        receivesHeld = 0;
        settle();
    }

    void drain()
    {
        state = SQD;
    }

    void ready()
    {
        state = RTS;
        settle();
    }

    /** Executes all executable requests on both sides. */
    private void settle()
    {
        boolean isMoving = true;
        while (isMoving)
        {
            final boolean isOwnMoving = step();
            isMoving = peer.step() || isOwnMoving;
        }
    }

    private boolean step()
    {
        if (state == ERR)
        {
            flush();
        }
        if (state != RTS || sends.isEmpty())
        {
            return false;
        }
        final Pending pending = sends.peek();
        final WorkCompletionStatus status = execute(pending);
        if (status == null)
        {
            return false;
        }
        sends.remove();
        if (status != SUCCESS || shape.signalAll() || (pending.send().flags() & SendFlags.SIGNALED) != 0)
        {
            complete(pending, status);
        }
        if (status != SUCCESS)
        {
            state = ERR;
            flush();
        }
        return true;
    }

    /** Returns null if the request must wait. */
    private WorkCompletionStatus execute(final Pending pending)
    {
        final Send send = pending.send();
        final boolean isIncoming = send.opcode() >= SendOpcode.RDMA_READ;
        if (pending.inline() == null && !memory.covers(send.sges(), isIncoming ? AccessFlags.LOCAL_WRITE : 0))
        {
            return LOC_PROT_ERR;
        }
        final long length = ModelMemory.length(send.sges());
        if (send.opcode() > SendOpcode.RDMA_READ && length != Long.BYTES)
        {
            return LOC_LEN_ERR;
        }
        if (peer.state.ordinal() < RTR.ordinal() || peer.state.ordinal() > SQD.ordinal())
        {
            return RETRY_EXC_ERR;
        }
        return switch (send.opcode())
        {
            case SendOpcode.RDMA_WRITE -> write(pending, length);
            case SendOpcode.RDMA_WRITE_WITH_IMM -> writeImm(pending, length);
            case SendOpcode.RDMA_READ -> read(send, length);
            case SendOpcode.SEND, SendOpcode.SEND_WITH_IMM -> message(pending, length);
            default -> atomic(send);
        };
    }

    private WorkCompletionStatus write(final Pending pending, final long length)
    {
        final Send send = pending.send();
        if (length > 0)
        {
            if (!peer.memory.opens(send.rkey(), send.remoteAddress(), length, AccessFlags.REMOTE_WRITE))
            {
                return peer.refuse(REM_ACCESS_ERR);
            }
            peer.memory.store(send.remoteAddress(), data(pending));
        }
        return SUCCESS;
    }

    private WorkCompletionStatus writeImm(final Pending pending, final long length)
    {
        final Send send = pending.send();
        if (placed != pending.position() && length > 0 &&
            !peer.memory.opens(send.rkey(), send.remoteAddress(), length, AccessFlags.REMOTE_WRITE))
        {
            return peer.refuse(REM_ACCESS_ERR);
        }
        if (isPipelined && placed != pending.position())
        {
            placed = pending.position();
            write(pending, length);
        }
        if (peer.receives.isEmpty())
        {
            return isRnrForEver ? null : RNR_RETRY_EXC_ERR;
        }
        if (placed != pending.position())
        {
            write(pending, length);
        }
        peer.received(CompletionOpcode.RECV_RDMA_WITH_IMM, length, true, send.imm());
        return SUCCESS;
    }

    private WorkCompletionStatus read(final Send send, final long length)
    {
        if (length > 0)
        {
            if (!peer.memory.opens(send.rkey(), send.remoteAddress(), length, AccessFlags.REMOTE_READ))
            {
                return peer.refuse(REM_ACCESS_ERR);
            }
            memory.scatter(send.sges(), peer.memory.load(send.remoteAddress(), (int)length));
        }
        return SUCCESS;
    }

    private WorkCompletionStatus message(final Pending pending, final long length)
    {
        if (peer.receives.isEmpty())
        {
            return isRnrForEver ? null : RNR_RETRY_EXC_ERR;
        }
        final List<Sge> entries = peer.receives.peek().sges();
        if (ModelMemory.length(entries) < length)
        {
            return peer.reject(LOC_LEN_ERR, REM_INV_REQ_ERR);
        }
        final List<Sge> touched = new ArrayList<>();
        for (int i = 0; i < entries.size() && ModelMemory.length(touched) < length; i++)
        {
            touched.add(entries.get(i));
        }
        if (!peer.memory.covers(touched, AccessFlags.LOCAL_WRITE))
        {
            return peer.reject(LOC_PROT_ERR, REM_OP_ERR);
        }
        peer.memory.scatter(touched, data(pending));
        final boolean hasImm = pending.send().opcode() == SendOpcode.SEND_WITH_IMM;
        peer.received(CompletionOpcode.RECV, length, hasImm, pending.send().imm());
        return SUCCESS;
    }

    private WorkCompletionStatus atomic(final Send send)
    {
        if (send.remoteAddress() % Long.BYTES != 0)
        {
            return peer.refuse(REM_INV_REQ_ERR);
        }
        if (!peer.memory.opens(send.rkey(), send.remoteAddress(), Long.BYTES, AccessFlags.REMOTE_ATOMIC))
        {
            return peer.refuse(REM_ACCESS_ERR);
        }
        final byte[] bytes = peer.memory.load(send.remoteAddress(), Long.BYTES);
        final ByteBuffer before = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        final ByteBuffer after = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        final long value = before.getLong(0);
        final boolean isAdd = send.opcode() == SendOpcode.ATOMIC_FETCH_AND_ADD;
        after.putLong(isAdd ? value + send.compareAdd() : value == send.compareAdd() ? send.swap() : value);
        peer.memory.store(send.remoteAddress(), after.array());
        memory.scatter(send.sges(), bytes);
        return SUCCESS;
    }

    /** Fails a request that consumed no receive, and breaks the connection. */
    private WorkCompletionStatus refuse(final WorkCompletionStatus requesterStatus)
    {
        state = ERR;
        flush();
        return requesterStatus;
    }

    private WorkCompletionStatus reject(
        final WorkCompletionStatus ownStatus, final WorkCompletionStatus requesterStatus)
    {
        receiveCompletions.add(failed(receives.remove().wrId(), ownStatus));
        return refuse(requesterStatus);
    }

    private void received(final int opcode, final long length, final boolean hasImm, final int imm)
    {
        receiveCompletions.add(new Completion(receives.remove().wrId(), SUCCESS, qpNum, opcode, (int)length,
            hasImm ? CompletionFlags.WITH_IMM : 0, hasImm ? imm : 0));
    }

    private void flush()
    {
        while (!sends.isEmpty())
        {
            complete(sends.remove(), WR_FLUSH_ERR);
        }
        while (!receives.isEmpty())
        {
            receiveCompletions.add(failed(receives.remove().wrId(), WR_FLUSH_ERR));
        }
    }

    private void complete(final Pending pending, final WorkCompletionStatus status)
    {
        final long wrId = pending.send().wrId();
        final int opcode = pending.send().opcode();
        final int length = opcode >= SendOpcode.RDMA_READ ? (int)ModelMemory.length(pending.send().sges()) : 0;
        final Completion completion = status != SUCCESS ? failed(wrId, status) :
            new Completion(wrId, SUCCESS, qpNum, completionOpcode(opcode), length, 0, 0);
        sendCompletions.add(new Done(completion, pending.position() + 1));
    }

    private Completion failed(final long wrId, final WorkCompletionStatus status)
    {
        return new Completion(wrId, status, qpNum, 0, 0, 0, 0);
    }

    private static int completionOpcode(final int opcode)
    {
        return switch (opcode)
        {
            case SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM -> CompletionOpcode.RDMA_WRITE;
            case SendOpcode.RDMA_READ -> CompletionOpcode.RDMA_READ;
            case SendOpcode.ATOMIC_CMP_AND_SWP -> CompletionOpcode.COMP_SWAP;
            case SendOpcode.ATOMIC_FETCH_AND_ADD -> CompletionOpcode.FETCH_ADD;
            default -> CompletionOpcode.SEND;
        };
    }

    private byte[] data(final Pending pending)
    {
        return pending.inline() != null ? pending.inline() : memory.gather(pending.send().sges());
    }
}
