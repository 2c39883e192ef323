/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * Reads or writes memory of a peer after both sides have exchanged its location.
 * <pre>
 *   client                              server
 *     | -- MSG_MR: address, key, length -> |     over the connection itself, by SEND
 *     | <- MSG_MR: address, key, length -- |
 *     | ==== RDMA read or write =========> |     neither side notices the other's access
 *     | <=== RDMA read or write ========== |
 *     | -- MSG_DONE ---------------------> |     "your memory is yours again"
 *     | <- MSG_DONE ---------------------- |
 * </pre>
 * A side posts its MSG_DONE right after the read or write, without waiting for completion: a queue pair starts its
 * requests in order, and the peer's adapter executes them in order. When the message arrives, the memory is no longer
 * accessed. A side disconnects only after it has sent its own MSG_DONE and received the other's.
 */
@Command(name = "read-write", mixinStandardHelpOptions = true,
    description = "Two sides exchange memory locations, and read or write each other's memory.")
final class ReadWrite extends TwoSidedExample
{
    private enum Direction
    {
        READ, WRITE
    }

    private static final int LENGTH = 4096;
    private static final int DEPTH = 8;

    // Memory layout: the part that peers access, the part for local reads and writes, and message buffers. Each sent
    // message has its own buffer: the first may not have left when the second is written.
    private static final int FOR_PEERS = 0;
    private static final int OWN = 1024;
    private static final int TEXT_LENGTH = 1024;
    private static final int MR_OUT = 2048;
    private static final int DONE_OUT = 2560;
    private static final int IN = 3072;

    // A message: its type, and the location of a region.
    private static final int MSG_MR = 1;
    private static final int MSG_DONE = 2;
    private static final int TYPE = 0;
    private static final int ADDRESS = 8;
    private static final int RKEY = 16;
    private static final int REGION_LENGTH = 20;
    private static final int MESSAGE_LENGTH = 24;

    @Parameters(arity = "0..1", paramLabel = "read|write", defaultValue = "write",
        description = "Access to the peer's memory, the same on both sides (default: ${DEFAULT-VALUE}).")
    private String how;

    private Direction direction;

    @Override
    public void check(final int size)
    {
        super.check(size);
        require(how.equals("read") || how.equals("write"), how, "must be read or write");
        direction = Direction.valueOf(how.toUpperCase(Locale.ROOT));
    }

    @Override
    void server(final OutOfBandConnection peer)
    {
        run("server", false, peer);
    }

    @Override
    void client(final OutOfBandConnection peer)
    {
        run("client", true, peer);
    }

    private void run(final String name, final boolean begins, final OutOfBandConnection peer)
    {
        final int access = AccessFlags.LOCAL_WRITE |
            (direction == Direction.READ ? AccessFlags.REMOTE_READ : AccessFlags.REMOTE_WRITE);
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            // The peer gets a key to the exported part only.
            MemoryRegion forPeers = pd.registerMemory(memory.address() + FOR_PEERS, TEXT_LENGTH, access);
            MemoryRegion own = pd.registerMemory(memory.address(), LENGTH, AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            final WorkRequests requests = requests();
            // A peer may send as soon as it is connected, so the first receive is posted before.
            States.init(qp, QueuePairType.RC, port);
            requests.postReceive(qp, 0, own, IN, MESSAGE_LENGTH);
            final Address mine = Address.of(port, qp);
            final Address theirs = peer.swap(mine);
            States.connect(qp, QueuePairType.RC, port, mine, theirs, Math.min(mine.mtu(), theirs.mtu()));
            peer.barrier();

            final int text = direction == Direction.READ ? FOR_PEERS : OWN;
            memory.segment().setString(text, "greetings from the " + name + ", process " +
                ProcessHandle.current().pid());
            new Conversation(name, memory.segment(), forPeers, own, cq, qp, requests).run(begins);

            final int arrived = direction == Direction.READ ? OWN : FOR_PEERS;
            say("%s: %s", name, memory.segment().getString(arrived));
            // Disconnecting destroys the queue pair, so both sides must have finished.
            peer.barrier();
        }
    }

    /** State machine of a side: messages sent and received so far, and the next action. */
    private final class Conversation
    {
        private final String name;
        private final MemorySegment memory;
        private final MemoryRegion forPeers;
        private final MemoryRegion own;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final WorkRequests requests;
        private boolean sentMr;
        private boolean sentDone;
        private boolean receivedDone;
        private int underWay;

        Conversation(
            final String name, final MemorySegment memory, final MemoryRegion forPeers, final MemoryRegion own,
            final CompletionQueue cq, final QueuePair qp, final WorkRequests requests)
        {
            this.name = name;
            this.memory = memory;
            this.forPeers = forPeers;
            this.own = own;
            this.cq = cq;
            this.qp = qp;
            this.requests = requests;
        }

        void run(final boolean begins)
        {
            if (begins)
            {
                sendMr();
            }
            while (!sentDone || !receivedDone || underWay > 0)
            {
                final WorkCompletion completion = requests.await(cq);
                if ((completion.opcode() & CompletionOpcode.RECV) == 0)
                {
                    underWay--;
                }
                else if (memory.get(ValueLayout.JAVA_INT, IN + TYPE) == MSG_MR)
                {
                    onMr();
                }
                else
                {
                    say("%s: received MSG_DONE", name);
                    receivedDone = true;
                }
            }
        }

        private void onMr()
        {
            final long address = memory.get(ValueLayout.JAVA_LONG, IN + ADDRESS);
            final int rkey = memory.get(ValueLayout.JAVA_INT, IN + RKEY);
            final int length = memory.get(ValueLayout.JAVA_INT, IN + REGION_LENGTH);
            say("%s: received MSG_MR, %d bytes at %x; %s them", name, length, address,
                direction == Direction.READ ? "reading" : "writing");
            // The receive buffer is free again: it is posted for the MSG_DONE.
            requests.postReceive(qp, 1, own, IN, MESSAGE_LENGTH);
            if (!sentMr)
            {
                sendMr();
            }
            requests.send(direction == Direction.READ ? SendOpcode.RDMA_READ : SendOpcode.RDMA_WRITE, own, OWN, length)
                .rdma(address, rkey);
            post();
            sendMessage(MSG_DONE, DONE_OUT);
            sentDone = true;
        }

        private void sendMr()
        {
            memory.set(ValueLayout.JAVA_LONG, MR_OUT + ADDRESS, forPeers.address());
            memory.set(ValueLayout.JAVA_INT, MR_OUT + RKEY, forPeers.rkey());
            memory.set(ValueLayout.JAVA_INT, MR_OUT + REGION_LENGTH, (int)forPeers.length());
            sendMessage(MSG_MR, MR_OUT);
            sentMr = true;
        }

        private void sendMessage(final int type, final int room)
        {
            memory.set(ValueLayout.JAVA_INT, room + TYPE, type);
            requests.send(SendOpcode.SEND, own, room, MESSAGE_LENGTH);
            post();
        }

        private void post()
        {
            requests.post(qp);
            underWay++;
        }
    }
}
