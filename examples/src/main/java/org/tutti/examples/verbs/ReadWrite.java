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
 * Reading and writing memory of a peer, which must first be told where it is.
 * <pre>
 *   client                              server
 *     | -- MSG_MR: address, key, length -> |     over the connection itself, by SEND
 *     | <- MSG_MR: address, key, length -- |
 *     | ==== RDMA read or write =========> |     neither sees the other's
 *     | <=== RDMA read or write ========== |
 *     | -- MSG_DONE ---------------------> |     "you can have your memory back"
 *     | <- MSG_DONE ---------------------- |
 * </pre>
 * A side posts its MSG_DONE right after the read or write, without waiting for that to complete: a queue pair begins
 * its requests in order, and the peer's adapter executes them in order. So when the message arrives, the memory is done
 * with. And nobody disconnects before it has sent its own and received the other's.
 */
@Command(name = "read-write", mixinStandardHelpOptions = true,
    description = "Two sides tell each other of memory, and read or write it.")
final class ReadWrite extends TwoSidedExample
{
    private enum Mode
    {
        READ, WRITE
    }

    private static final int LENGTH = 4096;
    private static final int DEPTH = 8;

    // The memory of a side: what peers may work on, what its own reads and writes work on, and room for messages. Each
    // that it sends has room of its own: the first may not have left yet when the second is written.
    private static final int FOR_PEERS = 0;
    private static final int OWN = 1024;
    private static final int TEXT_LENGTH = 1024;
    private static final int MR_OUT = 2048;
    private static final int DONE_OUT = 2560;
    private static final int IN = 3072;

    // A message: what it is, and of a region all that a peer needs.
    private static final int MSG_MR = 1;
    private static final int MSG_DONE = 2;
    private static final int TYPE = 0;
    private static final int ADDRESS = 8;
    private static final int RKEY = 16;
    private static final int REGION_LENGTH = 20;
    private static final int MESSAGE_LENGTH = 24;

    @Parameters(arity = "0..1", paramLabel = "read|write", defaultValue = "write",
        description = "What to do to the peer's memory, the same on both sides (default: ${DEFAULT-VALUE}).")
    private String how;

    private Mode mode;

    @Override
    public void check(final int size)
    {
        super.check(size);
        require(how.equals("read") || how.equals("write"), how, "say read or write");
        mode = Mode.valueOf(how.toUpperCase(Locale.ROOT));
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
            (mode == Mode.READ ? AccessFlags.REMOTE_READ : AccessFlags.REMOTE_WRITE);
        try (Port port = open(peer.shmDirectory());
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            // Peers get a key to what is theirs to use, and to nothing else.
            MemoryRegion forPeers = pd.registerMemory(memory.address() + FOR_PEERS, TEXT_LENGTH, access);
            MemoryRegion own = pd.registerMemory(memory.address(), LENGTH, AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(2 * DEPTH, null);
            QueuePair qp = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, DEPTH, DEPTH, 1, 0)))
        {
            final WorkRequests requests = requests();
            // A peer may send as soon as it is connected: the first receive is there before.
            States.init(qp, QueuePairType.RC, port);
            requests.postReceive(qp, 0, own, IN, MESSAGE_LENGTH);
            final Address mine = Address.of(port, qp);
            final Address theirs = peer.swap(mine);
            States.connect(qp, QueuePairType.RC, port, mine, theirs, Math.min(mine.mtu(), theirs.mtu()));
            peer.barrier();

            final int text = mode == Mode.READ ? FOR_PEERS : OWN;
            memory.segment().setString(text, "greetings from the " + name + ", process " +
                ProcessHandle.current().pid());
            new Conversation(name, memory.segment(), forPeers, own, cq, qp, requests).run(begins);

            final int arrived = mode == Mode.READ ? OWN : FOR_PEERS;
            say("%s: %s", name, memory.segment().getString(arrived));
            // Disconnecting takes the queue pair from under the last acknowledgement: not before both are through.
            peer.barrier();
        }
    }

    /** What a side has sent and received so far, and what it therefore does next. */
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
                mode == Mode.READ ? "reading" : "writing");
            // Read, so its room is free: for the MSG_DONE.
            requests.postReceive(qp, 1, own, IN, MESSAGE_LENGTH);
            if (!sentMr)
            {
                sendMr();
            }
            requests.send(mode == Mode.READ ? SendOpcode.RDMA_READ : SendOpcode.RDMA_WRITE, own, OWN, length)
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
