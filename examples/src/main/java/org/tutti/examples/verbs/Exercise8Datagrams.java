/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletion;
import picocli.CommandLine.Command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Exercise 8: exercise 5 with unreliable datagrams (UD).
 * <p>
 * One queue pair communicates with any number of others. It has no peer, so each send carries its destination: an
 * address handle (the route to the port), the destination's queue pair number, and its Q_Key. A message fits into one
 * packet, may be lost, and is not acknowledged: a completed send has only left the adapter.
 * <p>
 * The completion of a receive identifies the sender. The first 40 bytes of the buffer are reserved for the packet's
 * global route header, whether there is one or not; the message follows. Here the server replies using only that
 * information.
 */
@Command(name = "verbs-8", mixinStandardHelpOptions = true, description = "Datagrams and address handles.")
final class Exercise8Datagrams extends TwoSidedExample
{
    private static final int GRH = 40;
    private static final int LENGTH = 4096;
    private static final int INBOX = 2048;
    private static final int ROOM = GRH + 256;
    private static final int DEPTH = 4;

    // On InfiniBand and with IPv6, the reserved 40 bytes hold one header; with IPv4, they are 20 unused bytes and the
    // IPv4 header.
    private static final int IPV6 = 6;
    private static final int SOURCE_GID = 8;
    private static final int IPV4_HEADER = 20;
    private static final int IPV4_SOURCE = IPV4_HEADER + 12;
    private static final ValueLayout.OfInt BIG_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong BIG_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    @Override
    void server(final OutOfBandConnection peer)
    {
        run(false, peer);
    }

    @Override
    void client(final OutOfBandConnection peer)
    {
        run(true, peer);
    }

    private void run(final boolean isClient, final OutOfBandConnection peer)
    {
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(
                new QueuePairInitAttributes(QueuePairType.UD, cq, cq, null, DEPTH, DEPTH, 1, 1, 0, false)))
        {
            States.init(qp, QueuePairType.UD, port);
            final Address mine = Address.of(port, qp);
            States.openForDatagrams(qp, mine);
            final WorkRequests requests = requests();
            requests.postReceive(qp, 0, region, INBOX, ROOM);
            // The client must know its destination. The server needs no address: each packet carries the sender's.
            final Address theirs = peer.swap(mine);

            if (isClient)
            {
                final AddressHandleAttributes path = port.pathTo(theirs.gid(), theirs.lid());
                send(pd, qp, path, theirs.qpNum(), "who am I?", region, requests, cq);
                final WorkCompletion answer = requests.await(cq);
                say("client: QP %d answers '%s'", answer.srcQp(), memory.segment().getString(INBOX + GRH));
            }
            else
            {
                final WorkCompletion question = requests.await(cq);
                final int sender = question.srcQp();
                final AddressHandleAttributes path = routeBack(port, question, memory.segment().asSlice(INBOX, GRH));
                say("server: %d bytes from QP %d at %s, LID %d: '%s'", question.byteLength(), sender, path.dgid(),
                    path.dlid(), memory.segment().getString(INBOX + GRH));
                send(pd, qp, path, sender, "you are QP " + sender, region, requests, cq);
            }
            peer.barrier();
        }
    }

    private static void send(
        final ProtectionDomain pd, final QueuePair qp, final AddressHandleAttributes path, final int qpNum,
        final String text, final MemoryRegion region, final WorkRequests requests, final CompletionQueue cq)
    {
        // An address handle serves any number of sends, and must live until the last of them has completed.
        try (AddressHandle handle = pd.createAddressHandle(path))
        {
            MemorySegment.ofAddress(region.address()).reinterpret(region.length()).setString(0, text);
            requests.send(SendOpcode.SEND, region, 0, text.length() + 1)
                .datagram(handle.handle(), qpNum, States.QKEY);
            requests.post(qp);
            requests.await(cq);
        }
    }

    /** Route back to the sender of a datagram, from its completion and header. */
    private static AddressHandleAttributes routeBack(
        final Port port, final WorkCompletion completion, final MemorySegment header)
    {
        Gid source = Gid.ZERO;
        if ((completion.wcFlags() & CompletionFlags.GRH) != 0)
        {
            source = header.get(ValueLayout.JAVA_BYTE, 0) >> 4 == IPV6 ?
                new Gid(header.get(BIG_LONG, SOURCE_GID), header.get(BIG_LONG, SOURCE_GID + Long.BYTES)) :
                new Gid(0, 0xFFFF_0000_0000L | Integer.toUnsignedLong(header.get(BIG_INT, IPV4_SOURCE)));
        }
        return port.pathTo(source, completion.slid());
    }
}
