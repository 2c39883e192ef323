/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.queue.Responder;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.Delivery;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;
import org.tutti.rdma.soft.segment.RegionEntry;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.ReadRequest;
import org.tutti.rdma.tcp.wire.Terminate;

/**
 * The responder of a queue pair: checks every length, key, offset and number of incoming requests before their payload
 * is placed, executes them, and completes receives. The posting lock and the guard of the queue pair are held.
 * Allocates nothing.
 */
final class WireResponder
{
    /** The request was accepted: its payload is to be placed. */
    static final int ACCEPTED = -1;
    /** No receive is posted: the request is to be offered again. */
    static final int NO_RECEIVE = -2;

    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.ordinal();
    private static final int IMMEDIATE_SIZE = 8;
    private static final long MAX_MESSAGE = 1L << 31;

    private final long control;
    private final long entry;
    private final int token;
    private final int qpNum;
    private final Delivery delivery = new Delivery();
    private final Responses responses;
    private final ScatterList target;
    private long executed;
    private int sendMsn;
    private int readMsn;
    private long sent;
    private boolean isStandard;

    WireResponder(final WireQueuePair queuePair, final ScatterList target, final int maxPayload)
    {
        control = queuePair.control();
        entry = queuePair.entry();
        token = queuePair.token();
        qpNum = queuePair.qpNum();
        this.target = target;
        responses = new Responses(control, entry, maxPayload);
    }

    /** Prepares for a new connection. */
    void reset(final PrivateData.Place peer, final int firstMsn)
    {
        delivery.sourceQpNum = peer.qpNum();
        isStandard = peer.isStandard();
        executed = 0;
        sendMsn = firstMsn;
        readMsn = 1;
        sent = 0;
        responses.reset();
    }

    Responses responses()
    {
        return responses;
    }

    /** The number of messages that were executed since {@link #reset}. */
    long executed()
    {
        return executed;
    }

    /**
     * Checks a request; executes it if it has no payload to place.
     *
     * @param frame   address of the frame, of which at least the header is there; all of it unless it is a WRITE or
     *                SEND.
     * @param payload length of the payload in bytes.
     * @return {@link #ACCEPTED}, {@link #NO_RECEIVE} or an error of {@link Terminate}.
     */
    int begin(final long frame, final int payload)
    {
        if (UnsafeApi.getInt(entry + QueuePairEntry.ESTABLISHED_OFFSET) == 0)
        {
            UnsafeApi.putInt(entry + QueuePairEntry.ESTABLISHED_OFFSET, 1);
            if (QueuePairEntry.state(entry) == RTR)
            {
                AsyncEvents.raise(control, token, AsyncEventType.COMM_EST, qpNum);
            }
        }
        final int opcode = Fpdu.opcode(frame);
        return isStandard && !isForStandardPeers(opcode) ? invalid() : switch (opcode)
        {
            case Fpdu.WRITE -> beginWrite(frame, payload);
            case Fpdu.SEND, Fpdu.SEND_INVALIDATE, Fpdu.SEND_SOLICITED, Fpdu.SEND_SOLICITED_INVALIDATE ->
                beginSend(frame, payload);
            case Fpdu.IMMEDIATE, Fpdu.IMMEDIATE_SOLICITED -> immediate(frame, payload);
            case Fpdu.READ_REQUEST -> read(frame, payload);
            case Fpdu.ATOMIC_REQUEST -> atomic(frame, payload);
            default -> Terminate.PROTOCOL;
        };
    }

    /** Whether an opcode means between standard peers what it means between Tutti's. */
    private static boolean isForStandardPeers(final int opcode)
    {
        return opcode == Fpdu.WRITE || opcode == Fpdu.READ_REQUEST || opcode == Fpdu.SEND ||
            opcode == Fpdu.SEND_SOLICITED;
    }

    /**
     * Finishes a segment whose payload is placed and whose CRC is right.
     *
     * @param opcode    RDMAP opcode.
     * @param isLast    whether the segment is the last of its message.
     * @param payload   length of the payload in bytes.
     * @param immediate immediate data of a send that has some.
     */
    void end(final int opcode, final boolean isLast, final int payload, final int immediate)
    {
        if (opcode == Fpdu.WRITE)
        {
            executed += isLast ? 1 : 0;
            return;
        }
        if (opcode < Fpdu.SEND || opcode > Fpdu.SEND_SOLICITED_INVALIDATE)
        {
            return;
        }
        sent += payload;
        if (isLast)
        {
            final boolean hasImmediate =
                opcode == Fpdu.SEND_INVALIDATE || opcode == Fpdu.SEND_SOLICITED_INVALIDATE;
            describe(CompletionOpcode.RECV, sent, hasImmediate, immediate, opcode >= Fpdu.SEND_SOLICITED);
            Responder.completeReceive(control, entry, token, SUCCESS, delivery);
            executed++;
            sendMsn++;
            sent = 0;
        }
    }

    private int beginWrite(final long frame, final int payload)
    {
        final long address = Fpdu.taggedOffset(frame);
        final long length = payload * (1L + Fpdu.announced(frame));
        if (payload > 0 && !isAllowed(Fpdu.stag(frame), AccessFlags.REMOTE_WRITE, address, length))
        {
            return refuse();
        }
        target.setRange(address, payload, Fpdu.stag(frame));
        return ACCEPTED;
    }

    private boolean isAllowed(final int key, final int access, final long address, final long length)
    {
        final long region = RegionEntry.find(control, key);
        return region != 0 && (UnsafeApi.getInt(entry + QueuePairEntry.ACCESS_OFFSET) & access) == access &&
            RegionEntry.allows(
                region, UnsafeApi.getInt(entry + QueuePairEntry.DOMAIN_OFFSET), access, address, length);
    }

    private int beginSend(final long frame, final int payload)
    {
        final long offset = Fpdu.messageOffset(frame);
        if (Fpdu.msn(frame) != sendMsn || offset != sent || offset + payload > MAX_MESSAGE)
        {
            return Terminate.PROTOCOL;
        }
        if (Receives.next(control, entry) == 0)
        {
            return NO_RECEIVE;
        }
        final long receive = Receives.current(control, entry);
        final int count = UnsafeApi.getInt(receive + QueuePairEntry.RECEIVE_NUM_SGE_OFFSET);
        final long list = receive + QueuePairEntry.RECEIVE_SGE_OFFSET;
        final int domain = UnsafeApi.getInt(entry + QueuePairEntry.RECEIVE_DOMAIN_OFFSET);
        final int fit = ScatterList.check(control, domain, list, count, offset + payload);
        if (fit == ScatterList.FITS)
        {
            target.set(list, count, offset);
            return ACCEPTED;
        }
        final boolean isTooLong = fit == ScatterList.TOO_LONG;
        describe(CompletionOpcode.RECV, 0, false, 0, false);
        final WorkCompletionStatus status =
            isTooLong ? WorkCompletionStatus.LOC_LEN_ERR : WorkCompletionStatus.LOC_PROT_ERR;
        Responder.completeReceive(control, entry, token, status.ordinal(), delivery);
        Responder.fail(control, entry, token, null);
        return isTooLong ? Terminate.TOO_LONG : Terminate.OPERATION;
    }

    private int immediate(final long frame, final int payload)
    {
        if (payload != IMMEDIATE_SIZE || Fpdu.msn(frame) != sendMsn || sent != 0 || !Fpdu.isLast(frame) ||
            Fpdu.messageOffset(frame) != 0)
        {
            return Terminate.PROTOCOL;
        }
        if (Receives.next(control, entry) == 0)
        {
            return NO_RECEIVE;
        }
        final long data = frame + Fpdu.UNTAGGED_HEADER;
        describe(CompletionOpcode.RECV_RDMA_WITH_IMM, Fpdu.getInt(data + Integer.BYTES), true,
            UnsafeApi.getInt(data), Fpdu.opcode(frame) == Fpdu.IMMEDIATE_SOLICITED);
        Responder.completeReceive(control, entry, token, SUCCESS, delivery);
        executed++;
        sendMsn++;
        return ACCEPTED;
    }

    private void describe(
        final int opcode, final long length, final boolean hasImmediate, final int immediate, final boolean solicited)
    {
        delivery.opcode = opcode;
        delivery.length = (int)length;
        delivery.flags = hasImmediate ? CompletionFlags.WITH_IMM : 0;
        delivery.imm = hasImmediate ? immediate : 0;
        delivery.isSolicited = solicited;
    }

    private boolean isNextRead(final long frame, final int payload, final int size)
    {
        return payload == size && Fpdu.msn(frame) == readMsn && Fpdu.isLast(frame) && Fpdu.messageOffset(frame) == 0;
    }

    private int read(final long frame, final int payload)
    {
        if (!isNextRead(frame, payload, ReadRequest.SIZE))
        {
            return Terminate.PROTOCOL;
        }
        final long request = frame + Fpdu.UNTAGGED_HEADER;
        final long length = ReadRequest.length(request);
        final int key = ReadRequest.source(request);
        final long source = ReadRequest.sourceOffset(request);
        if (length > MAX_MESSAGE)
        {
            return Terminate.PROTOCOL;
        }
        // Empty reads need no resources: they only ask whether earlier requests are executed.
        if (length > 0 && !hasReadResources())
        {
            return invalid();
        }
        if (length > 0 && !isAllowed(key, AccessFlags.REMOTE_READ, source, length))
        {
            return refuse();
        }
        readMsn++;
        executed++;
        return responses.addRead(ReadRequest.sink(request), ReadRequest.sinkOffset(request), key, source, length) ?
            ACCEPTED : Terminate.PROTOCOL;
    }

    private boolean hasReadResources()
    {
        return UnsafeApi.getInt(entry + QueuePairEntry.MAX_DEST_RD_ATOMIC_OFFSET) > 0;
    }

    private int atomic(final long frame, final int payload)
    {
        final long request = frame + Fpdu.UNTAGGED_HEADER;
        if (!isNextRead(frame, payload, AtomicRequest.SIZE) || !AtomicRequest.isSupported(request))
        {
            return Terminate.PROTOCOL;
        }
        final long address = AtomicRequest.offset(request);
        if ((address & (Long.BYTES - 1)) != 0 || !hasReadResources())
        {
            return invalid();
        }
        if (!isAllowed(AtomicRequest.stag(request), AccessFlags.REMOTE_ATOMIC, address, Long.BYTES))
        {
            return refuse();
        }
        final long value = AtomicRequest.value(request);
        final long before = AtomicRequest.operation(request) == AtomicRequest.FETCH_ADD ?
            UnsafeApi.getAndAddLong(null, address, value) :
            UnsafeApi.compareAndExchangeLong(null, address, AtomicRequest.compare(request), value);
        readMsn++;
        executed++;
        return responses.addAtomic(AtomicRequest.id(request), before) ? ACCEPTED : Terminate.PROTOCOL;
    }

    private int refuse()
    {
        Responder.fail(control, entry, token, AsyncEventType.QP_ACCESS_ERR);
        return Terminate.ACCESS;
    }

    private int invalid()
    {
        Responder.fail(control, entry, token, AsyncEventType.QP_REQ_ERR);
        return Terminate.INVALID_REQUEST;
    }
}
