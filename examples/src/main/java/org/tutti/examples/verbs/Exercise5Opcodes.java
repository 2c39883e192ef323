/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/**
 * Exercise 5: create all resources, and transfer data with every send opcode: first over a reliable connection (RC),
 * then over an unreliable one (UC), which has no reads and no atomics.
 * <pre>
 *   opcode                 data         the responder's receive request    completion at the responder
 *   SEND                   to peer      provides memory                    yes
 *   SEND_WITH_IMM          to peer      provides memory                    yes, with an immediate
 *   RDMA_WRITE             to peer      not used                           no
 *   RDMA_WRITE_WITH_IMM    to peer      consumed, but not its memory       yes, with an immediate
 *   RDMA_READ              from peer    not used                           no
 *   ATOMIC_*               both ways    not used                           no
 * </pre>
 * The client is the requester, the server the responder.
 */
@Command(name = "verbs-5", mixinStandardHelpOptions = true, description = "Every send opcode, over RC and over UC.")
final class Exercise5Opcodes extends TwoSidedExample
{
    private static final int LENGTH = 4096;
    private static final int DEPTH = 16;

    // Memory layout of both sides.
    private static final int OUTBOX = 0;
    private static final int WINDOW = 1024;
    private static final int COUNTER = 2048;
    private static final int INBOX = 3072;
    private static final int ROOM = 256;

    private static final int IMMEDIATE = 0xCAFE;

    @Option(names = "--type", paramLabel = "TYPE", split = ",", defaultValue = "RC,UC",
        description = "Types of the queue pairs: RC, UC, or both (default: ${DEFAULT-VALUE}).")
    private List<String> types;

    @Override
    public void check(final int size)
    {
        super.check(size);
        for (final String type : types)
        {
            require(type.equalsIgnoreCase("RC") || type.equalsIgnoreCase("UC"), "--type=" + type, "must be RC or UC");
        }
    }

    @Override
    void client(final OutOfBandConnection peer)
    {
        for (final String type : types)
        {
            run(QueuePairType.valueOf(type.toUpperCase(Locale.ROOT)), true, peer);
        }
    }

    @Override
    void server(final OutOfBandConnection peer)
    {
        for (final String type : types)
        {
            run(QueuePairType.valueOf(type.toUpperCase(Locale.ROOT)), false, peer);
        }
    }

    /** Creates all resources, in the order of their dependencies. */
    private void run(final QueuePairType type, final boolean isRequester, final OutOfBandConnection peer)
    {
        final int access = type == QueuePairType.RC ? AccessFlags.ALL :
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, access);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(
                new QueuePairInitAttributes(type, cq, cq, null, DEPTH, DEPTH, 1, 1, 0, false)))
        {
            connect(qp, type, port, peer);
            // Address and rkey of our memory: a peer that has both can access it as the region allows.
            final long remoteAddress = peer.swap(region.address());
            final int rkey = (int)peer.swap(region.rkey());

            final Side side = new Side(type, memory.segment(), region, cq, qp, requests());
            if (isRequester)
            {
                request(side, remoteAddress, rkey, peer);
            }
            else
            {
                respond(side, peer);
            }
            // The memory must stay registered while the peer accesses it.
            peer.barrier();
        }
    }

    private record Side(
        QueuePairType type, MemorySegment memory, MemoryRegion region, CompletionQueue cq, QueuePair qp,
        WorkRequests requests)
    {
    }

    private void request(final Side side, final long remoteAddress, final int rkey, final OutOfBandConnection peer)
    {
        final WorkRequests requests = side.requests();
        // Waits until the responder has posted its receives: without a receive, a message would be retried, or lost on
        // an unreliable connection.
        peer.barrier();

        int length = write(side, "a message");
        requests.send(SendOpcode.SEND, side.region(), OUTBOX, length);
        execute(side, "SEND");

        length = write(side, "sent, with an immediate");
        requests.send(SendOpcode.SEND_WITH_IMM, side.region(), OUTBOX, length).immData(IMMEDIATE);
        execute(side, "SEND_WITH_IMM");

        length = write(side, "written into your memory");
        requests.send(SendOpcode.RDMA_WRITE, side.region(), OUTBOX, length).rdma(remoteAddress + WINDOW, rkey);
        execute(side, "RDMA_WRITE");

        length = write(side, "written with an immediate");
        requests.send(SendOpcode.RDMA_WRITE_WITH_IMM, side.region(), OUTBOX, length)
            .rdma(remoteAddress + WINDOW + ROOM, rkey).immData(IMMEDIATE + 1);
        execute(side, "RDMA_WRITE_WITH_IMM");

        if (side.type() == QueuePairType.RC)
        {
            requestReadAndAtomics(side, remoteAddress, rkey);
        }
        peer.barrier();
    }

    private void requestReadAndAtomics(final Side side, final long remoteAddress, final int rkey)
    {
        final WorkRequests requests = side.requests();
        requests.send(SendOpcode.RDMA_READ, side.region(), INBOX, ROOM).rdma(remoteAddress + WINDOW, rkey);
        execute(side, "RDMA_READ");
        say("RC requester: read '%s'", side.memory().getString(INBOX));

        // An atomic works on 8 bytes at an aligned address, and returns the previous value.
        requests.send(SendOpcode.ATOMIC_FETCH_AND_ADD, side.region(), INBOX, Long.BYTES)
            .atomic(remoteAddress + COUNTER, rkey, 5, 0);
        execute(side, "ATOMIC_FETCH_AND_ADD");
        say("RC requester: the counter was %d", side.memory().get(ValueLayout.JAVA_LONG, INBOX));

        requests.send(SendOpcode.ATOMIC_CMP_AND_SWP, side.region(), INBOX, Long.BYTES)
            .atomic(remoteAddress + COUNTER, rkey, 42, 1000);
        execute(side, "ATOMIC_CMP_AND_SWP");
        say("RC requester: the counter was %d", side.memory().get(ValueLayout.JAVA_LONG, INBOX));
    }

    private void respond(final Side side, final OutOfBandConnection peer)
    {
        final WorkRequests requests = side.requests();
        side.memory().set(ValueLayout.JAVA_LONG, COUNTER, 37);
        // Each SEND consumes the oldest receive, whose memory must be long enough. So does the write with immediate,
        // whose data goes elsewhere: its receive needs no memory.
        requests.postReceive(side.qp(), 0, side.region(), INBOX, ROOM);
        requests.postReceive(side.qp(), 1, side.region(), INBOX + ROOM, ROOM);
        requests.postReceive(side.qp(), 2, side.region(), 0, 0);
        peer.barrier();

        received(side, "a SEND");
        received(side, "a SEND_WITH_IMM");
        // The plain write generates no completion here, but has completed, because a queue pair executes requests in
        // order.
        received(side, "an RDMA_WRITE_WITH_IMM");
        say("%s responder: in memory '%s' and '%s'", side.type(), side.memory().getString(WINDOW),
            side.memory().getString(WINDOW + ROOM));

        // The responder does not notice reads and atomics; here the out-of-band exchange reports their end.
        peer.barrier();
        if (side.type() == QueuePairType.RC)
        {
            say("RC responder: the counter is %d", side.memory().get(ValueLayout.JAVA_LONG, COUNTER));
        }
    }

    private void execute(final Side side, final String name)
    {
        side.requests().post(side.qp());
        side.requests().await(side.cq());
        say("%s requester: %s done", side.type(), name);
    }

    private void received(final Side side, final String what)
    {
        final WorkCompletion completion = side.requests().await(side.cq());
        final String immediate = (completion.wcFlags() & CompletionFlags.WITH_IMM) == 0 ? "" :
            String.format(", immediate %x", completion.immData());
        say("%s responder: %s: %d bytes, receive %d%s", side.type(), what, completion.byteLength(), completion.wrId(),
            immediate);
    }

    /** Writes the text to send; returns its length in bytes, including the final zero. */
    private static int write(final Side side, final String text)
    {
        side.memory().setString(OUTBOX, text);
        return text.length() + 1;
    }
}
