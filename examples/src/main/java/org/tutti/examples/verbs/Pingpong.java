/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Gid;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.WorkCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Interoperates with {@code ibv_rc_pingpong}, {@code ibv_uc_pingpong}, {@code ibv_ud_pingpong} and
 * {@code ibv_srq_pingpong} of libibverbs, in either role:
 * <pre>
 *   ibv_rc_pingpong -g 1                            tutti example pingpong --type rc --listen
 *   tutti example pingpong --type rc --connect HOST ibv_rc_pingpong -g 1 HOST
 * </pre>
 * Sizes, and for {@code srq} numbers of queue pairs, must be equal on both sides. The server sends back what it has
 * received, so that the client can check that its bytes were transferred intact in both directions.
 */
@Command(name = "pingpong", mixinStandardHelpOptions = true,
    description = "Exchanges messages with ibv_rc_pingpong, ibv_uc_, ibv_ud_ or ibv_srq_pingpong.")
final class Pingpong extends TwoSided
{
    private enum Type
    {
        RC(QueuePairType.RC), UC(QueuePairType.UC), UD(QueuePairType.UD), SRQ(QueuePairType.RC);

        private final QueuePairType service;

        Type(final QueuePairType service)
        {
            this.service = service;
        }
    }

    /** Length of the global route header before a datagram's data. */
    private static final int GRH = 40;
    private static final int PAGE = 4096;
    private static final int MAX_SIZE = 1 << 30;
    private static final int SENT = 1;
    private static final int RECEIVED = 2;

    @Option(names = "--type", paramLabel = "TYPE", defaultValue = "rc",
        description = "Type: rc, uc, ud or srq (default: ${DEFAULT-VALUE}).")
    private String typeName;

    @Option(names = "--size", paramLabel = "BYTES", description = "Message size (default: 4096; 1024 for ud).")
    private Integer sizeOption;

    @Option(names = "--iters", paramLabel = "N", defaultValue = "1000",
        description = "Minimum number of messages in each direction (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "1024",
        description = "Path MTU, the same on both sides (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(names = "--rx-depth", paramLabel = "N", defaultValue = "500",
        description = "Number of posted receives (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(names = "--qps", paramLabel = "N", defaultValue = "16",
        description = "Number of queue pairs that share the receive queue of srq (default: ${DEFAULT-VALUE}).")
    private int qpOption;

    private Type type;
    private int size;
    private int qpCount;

    @Override
    public void check(final int ranks)
    {
        super.check(ranks);
        require(List.of("rc", "uc", "ud", "srq").contains(typeName), "--type=" + typeName,
            "must be rc, uc, ud or srq");
        type = Type.valueOf(typeName.toUpperCase(Locale.ROOT));
        size = sizeOption != null ? sizeOption : type == Type.UD ? 1024 : 4096;
        qpCount = type == Type.SRQ ? qpOption : 1;
        require(size >= 1 && size <= MAX_SIZE, "--size=" + size, "must be from 1 to " + MAX_SIZE);
        require(iterations >= 1, "--iters=" + iterations, "must be at least 1");
        require(Integer.bitCount(mtu) == 1 && mtu >= 256 && mtu <= 4096, "--mtu=" + mtu,
            "must be 256, 512, 1024, 2048 or 4096");
        require(qpOption >= 1 && qpOption < PingpongExchange.MAX_QPS, "--qps=" + qpOption,
            "must be from 1 to " + (PingpongExchange.MAX_QPS - 1));
        require(depth >= qpCount, "--rx-depth=" + depth, "must be at least the number of queue pairs, " + qpCount);
    }

    @Override
    void serve(final ServerSocket socket)
    {
        try (PingpongExchange peer = PingpongExchange.accept(socket, timeoutMs()))
        {
            run(() -> play(false, peer));
        }
    }

    @Override
    void call(final Socket socket)
    {
        try (PingpongExchange peer = PingpongExchange.over(socket, timeoutMs()))
        {
            run(() -> play(true, peer));
        }
    }

    private void play(final boolean isClient, final PingpongExchange peer)
    {
        try (Port port = open();
            ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(2L * (GRH + size));
            MemoryRegion region = pd.registerMemory(memory.address(), memory.length(), AccessFlags.LOCAL_WRITE);
            CompletionQueue cq = port.context().createCompletionQueue(depth + qpCount, null);
            SharedReceiveQueue srq = type == Type.SRQ ? pd.createSharedReceiveQueue(depth, 1) : null;
            Table table = new Table(pd, memory.segment(), region, cq, srq))
        {
            require(type != Type.UD || size <= port.attributes().activeMtu, "--size=" + size,
                "must be at most the MTU of this port for a datagram, " + port.attributes().activeMtu + " bytes");
            table.open(port);
            table.refill();
            final int addresses = type == Type.SRQ ? PingpongExchange.MAX_QPS : 1;
            if (isClient)
            {
                peer.tell(table.mine, addresses);
                final List<Address> theirs = peer.hear(addresses);
                peer.tellDone();
                table.connect(port, theirs);
            }
            else
            {
                table.connect(port, peer.hear(addresses));
                peer.tell(table.mine, addresses);
                peer.hearDone();
            }

            final long start = System.nanoTime();
            table.play(isClient);
            final double seconds = (System.nanoTime() - start) / 1e9;
            say("%s %s: %d messages of %d bytes sent, %d received in %.3f s, %.1f µs round trip%s",
                typeName, isClient ? "client" : "server", table.sent, size, table.received, seconds,
                1e6 * seconds / iterations, isClient ? table.verdict() : "");
        }
    }

    /** All queue pairs of a side, and the outstanding messages of each. */
    private final class Table implements AutoCloseable
    {
        private final ProtectionDomain pd;
        private final MemorySegment memory;
        private final MemoryRegion region;
        private final CompletionQueue cq;
        private final SharedReceiveQueue srq;
        private final WorkRequests requests = requests();
        private final List<QueuePair> qps = new ArrayList<>();
        private final List<Address> mine = new ArrayList<>();
        private final int[] awaited = new int[qpCount];
        private final int in = type == Type.UD ? 0 : GRH;
        private final int out = 2 * GRH + size;
        private AddressHandle way;
        private int peerQpNum;
        private int posted;
        private int sent;
        private int received;

        Table(
            final ProtectionDomain pd, final MemorySegment memory, final MemoryRegion region, final CompletionQueue cq,
            final SharedReceiveQueue srq)
        {
            this.pd = pd;
            this.memory = memory;
            this.region = region;
            this.cq = cq;
            this.srq = srq;
        }

        void open(final Port port)
        {
            for (int i = 0; i < qpCount; i++)
            {
                final QueuePair qp = pd.createQueuePair(new QueuePairInitAttributes(
                    type.service, cq, cq, srq, 1, srq == null ? depth : 0, 1, srq == null ? 1 : 0, 0, false));
                qps.add(qp);
                States.init(qp, type.service, port);
                final Address address = Address.of(port, qp);
                // If LIDs route packets, a GID of zeros tells the other side that packets need no GID.
                mine.add(port.isGlobal() ? address :
                    new Address(Gid.ZERO, address.lid(), address.mtu(), address.qpNum(), address.psn()));
            }
        }

        void connect(final Port port, final List<Address> theirs)
        {
            for (int i = 0; i < qpCount; i++)
            {
                final Address peer = theirs.get(i);
                if (port.isGlobal() && peer.gid().equals(Gid.ZERO))
                {
                    throw new ExampleException("the other side sent no GID, which this network requires:" +
                        " start it with -g INDEX (ibv_devinfo -v lists the indexes)");
                }
                if (type == Type.UD)
                {
                    way = pd.createAddressHandle(port.pathTo(peer.gid(), peer.lid()));
                    peerQpNum = peer.qpNum();
                    States.openForDatagrams(qps.get(i), mine.get(i));
                }
                else
                {
                    States.connect(qps.get(i), type.service, port, mine.get(i), peer,
                        Math.min(mtu, port.attributes().activeMtu));
                }
            }
        }

        /**
         * The client sends first on all queue pairs; then each side sends again on a queue pair after a send and a
         * receive on that queue pair have completed.
         */
        void play(final boolean isClient)
        {
            final int source = isClient ? out : GRH;
            for (int i = 0; i < size; i++)
            {
                // The programs of libibverbs check that the first byte of each page is zero.
                memory.set(ValueLayout.JAVA_BYTE, out + i, (byte)(i % PAGE == 0 ? 0 : 1 + i % 251));
            }
            for (int i = 0; i < qpCount; i++)
            {
                awaited[i] = RECEIVED;
                if (isClient)
                {
                    send(i, source);
                }
            }
            while (sent < iterations || received < iterations)
            {
                final WorkCompletion completion = requests.await(cq);
                final int index = indexOf(completion.qpNum());
                if (completion.wrId() == WorkRequests.SEND_ID)
                {
                    sent++;
                    awaited[index] &= ~SENT;
                }
                else
                {
                    received++;
                    awaited[index] &= ~RECEIVED;
                    if (--posted <= qpCount)
                    {
                        refill();
                    }
                }
                if (awaited[index] == 0 && sent < iterations)
                {
                    send(index, source);
                }
            }
        }

        /** Posts receives up to the requested number. */
        void refill()
        {
            for (; posted < depth; posted++)
            {
                // All receives use the same buffer, because all messages carry the same bytes.
                if (srq == null)
                {
                    requests.postReceive(qps.getFirst(), 0, region, in, GRH + size - in);
                }
                else
                {
                    requests.postReceive(srq, 0, region, in, GRH + size - in);
                }
            }
        }

        private void send(final int index, final int source)
        {
            final SendWorkRequest send = requests.send(SendOpcode.SEND, region, source, size);
            if (type == Type.UD)
            {
                send.datagram(way.handle(), peerQpNum, States.QKEY);
            }
            awaited[index] = SENT | RECEIVED;
            requests.post(qps.get(index));
        }

        private int indexOf(final int qpNum)
        {
            int index = 0;
            while (qps.get(index).qpNum() != qpNum)
            {
                index++;
            }
            return index;
        }

        /** Compares the received with the sent data. */
        String verdict()
        {
            final long wrong = memory.asSlice(GRH, size).mismatch(memory.asSlice(out, size));
            if (wrong >= 0)
            {
                throw new ExampleException("byte " + wrong + " came back as " +
                    memory.get(ValueLayout.JAVA_BYTE, GRH + wrong) + " instead of " +
                    memory.get(ValueLayout.JAVA_BYTE, out + wrong));
            }
            return ", the bytes intact";
        }

        @Override
        public void close()
        {
            qps.forEach(QueuePair::close);
            if (way != null)
            {
                way.close();
            }
        }
    }
}
