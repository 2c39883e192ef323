/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;

import java.io.Serializable;
import java.util.List;

/**
 * One side of a test: a context with a protection domain, memory, two completion queues and queue pairs. It runs in
 * this process or in another one, transparently to the test: arguments and results are values.
 */
public interface Node extends AutoCloseable
{
    /** The configuration of a node. */
    record Shape(int sendCqDepth, int maxSend, int maxReceive, int maxSge, int maxInline, boolean signalAll,
        boolean localCompletion, long memoryLength) implements Serializable
    {
        public static final Shape DEFAULT = new Shape(256, 64, 64, 4, 128, false, false, 1 << 20);

        Shape withSendCqDepth(final int depth)
        {
            return new Shape(depth, maxSend, maxReceive, maxSge, maxInline, signalAll, localCompletion, memoryLength);
        }

        Shape withMaxSend(final int value)
        {
            return new Shape(
                sendCqDepth, value, maxReceive, maxSge, maxInline, signalAll, localCompletion, memoryLength);
        }

        Shape withSignalAll()
        {
            return new Shape(sendCqDepth, maxSend, maxReceive, maxSge, maxInline, true, localCompletion, memoryLength);
        }

        Shape withLocalCompletion()
        {
            return new Shape(sendCqDepth, maxSend, maxReceive, maxSge, maxInline, signalAll, true, memoryLength);
        }

        public Shape withMemory(final long length)
        {
            return new Shape(sendCqDepth, maxSend, maxReceive, maxSge, maxInline, signalAll, localCompletion, length);
        }
    }

    /** The addresses of a node and its memory, and the MTU of the port. */
    record Info(String device, long gidHigh, long gidLow, int lid, int mtu, long address, long length, long pid)
        implements Serializable
    {
    }

    /** The attributes of a shared receive queue. */
    record SharedAttributes(int maxWorkRequests, int maxSge, int limit) implements Serializable
    {
    }

    /** The capacities of a queue pair: at least those of the shape. */
    record Capabilities(int maxSend, int maxReceive, int maxSendSge, int maxReceiveSge, int maxInline)
        implements Serializable
    {
    }

    /** The destination of a datagram: number of an address handle, queue pair and Q_Key. */
    record Datagram(int addressHandle, int qpNum, int qkey) implements Serializable
    {
    }

    /** The attributes of a connection. */
    record Tuning(int timeout, int retryCount, int rnrRetry, int minRnrTimer, int access, int rdAtomic)
        implements Serializable
    {
        /**
         * RNR is retried without limit; a missing response is detected after 16.8 ms × 6, longer than even an emulated
         * processor pauses.
         */
        public static final Tuning DEFAULT = new Tuning(12, 5, 7, 1, AccessFlags.ALL, 16);

        /**
         * With another exponent of the acknowledge timeout. One of 7 makes requests to a peer that does not exist fail
         * early, where a connection may take a multiple of the timeout.
         */
        public Tuning withTimeout(final int exponent)
        {
            return new Tuning(exponent, retryCount, rnrRetry, minRnrTimer, access, rdAtomic);
        }

        public Tuning withRnr(final int retries, final int timer)
        {
            return new Tuning(timeout, retryCount, retries, timer, access, rdAtomic);
        }

        Tuning withAccess(final int flags)
        {
            return new Tuning(timeout, retryCount, rnrRetry, minRnrTimer, flags, rdAtomic);
        }

        Tuning withRdAtomic(final int count)
        {
            return new Tuning(timeout, retryCount, rnrRetry, minRnrTimer, access, count);
        }
    }

    /** A registered region. */
    record Region(int id, long address, long length, int lkey, int rkey) implements Serializable
    {
        public Sge sge(final long offset, final int size)
        {
            return new Sge(address + offset, size, lkey);
        }
    }

    /** A scatter/gather entry. */
    record Sge(long address, int length, int lkey) implements Serializable
    {
    }

    /** A receive request. */
    record Receive(long wrId, List<Sge> sges) implements Serializable
    {
        public static Receive of(final long wrId, final Sge... sges)
        {
            return new Receive(wrId, List.of(sges));
        }
    }

    /** A send request; signaled unless said otherwise. */
    record Send(long wrId, int opcode, int flags, int imm, long remoteAddress, int rkey, long compareAdd, long swap,
        List<Sge> sges, Datagram datagram) implements Serializable
    {
        public Send(final long wrId, final int opcode, final int flags, final int imm, final long remoteAddress,
            final int rkey, final long compareAdd, final long swap, final List<Sge> sges)
        {
            this(wrId, opcode, flags, imm, remoteAddress, rkey, compareAdd, swap, sges, null);
        }

        public static Send send(final long wrId, final Sge... sges)
        {
            return new Send(wrId, SendOpcode.SEND, SendFlags.SIGNALED, 0, 0, 0, 0, 0, List.of(sges));
        }

        public static Send rdma(
            final int opcode, final long wrId, final long remoteAddress, final int rkey, final Sge... sges)
        {
            return new Send(wrId, opcode, SendFlags.SIGNALED, 0, remoteAddress, rkey, 0, 0, List.of(sges));
        }

        public static Send write(final long wrId, final Region remote, final long offset, final Sge... sges)
        {
            return rdma(SendOpcode.RDMA_WRITE, wrId, remote.address() + offset, remote.rkey(), sges);
        }

        static Send read(final long wrId, final Region remote, final long offset, final Sge... sges)
        {
            return rdma(SendOpcode.RDMA_READ, wrId, remote.address() + offset, remote.rkey(), sges);
        }

        static Send writeImm(
            final long wrId, final int imm, final Region remote, final long offset, final Sge... sges)
        {
            return rdma(SendOpcode.RDMA_WRITE_WITH_IMM, wrId, remote.address() + offset, remote.rkey(), sges)
                .withImm(imm);
        }

        static Send fetchAdd(final long wrId, final Region remote, final long offset, final long add, final Sge sge)
        {
            return rdma(SendOpcode.ATOMIC_FETCH_AND_ADD, wrId, remote.address() + offset, remote.rkey(), sge)
                .withOperands(add, 0);
        }

        static Send compareSwap(final long wrId, final Region remote, final long offset, final long compare,
            final long swap, final Sge sge)
        {
            return rdma(SendOpcode.ATOMIC_CMP_AND_SWP, wrId, remote.address() + offset, remote.rkey(), sge)
                .withOperands(compare, swap);
        }

        public Send withOpcode(final int value)
        {
            return new Send(wrId, value, flags, imm, remoteAddress, rkey, compareAdd, swap, sges, datagram);
        }

        public Send withFlags(final int value)
        {
            return new Send(wrId, opcode, value, imm, remoteAddress, rkey, compareAdd, swap, sges, datagram);
        }

        Send unsignaled()
        {
            return withFlags(flags & ~SendFlags.SIGNALED);
        }

        Send and(final int flag)
        {
            return withFlags(flags | flag);
        }

        public Send withImm(final int value)
        {
            return new Send(wrId, opcode, flags, value, remoteAddress, rkey, compareAdd, swap, sges, datagram);
        }

        public Send withOperands(final long first, final long second)
        {
            return new Send(wrId, opcode, flags, imm, remoteAddress, rkey, first, second, sges, datagram);
        }

        Send to(final int addressHandle, final int qpNum, final int qkey)
        {
            return new Send(wrId, opcode, flags, imm, remoteAddress, rkey, compareAdd, swap, sges,
                new Datagram(addressHandle, qpNum, qkey));
        }
    }

    /** A completion: if failed, only the fields that verbs define; the source only for a datagram. */
    record Completion(
        long wrId, WorkCompletionStatus status, int qpNum, int opcode, int byteLength, int flags, int imm, int srcQp)
        implements Serializable
    {
        public Completion(final long wrId, final WorkCompletionStatus status, final int qpNum, final int opcode,
            final int byteLength, final int flags, final int imm)
        {
            this(wrId, status, qpNum, opcode, byteLength, flags, imm, 0);
        }

        public boolean isSuccess()
        {
            return status == WorkCompletionStatus.SUCCESS;
        }

        boolean hasGrh()
        {
            return (flags & CompletionFlags.GRH) != 0;
        }

        boolean hasImm()
        {
            return (flags & CompletionFlags.WITH_IMM) != 0;
        }
    }

    /** The result of posting: the errno, and the index of the rejected request, or -1. */
    record Posted(int errno, int refused) implements Serializable
    {
        public static final Posted ALL = new Posted(0, -1);
    }

    /** An asynchronous event; the number is 0 if it does not concern a queue pair. */
    record Event(AsyncEventType type, int qpNum) implements Serializable
    {
    }

    Info open(Shape shape);

    Region register(long offset, long length, int access);

    /** Registers with another protection domain than that of the queue pairs. */
    Region registerForeign(long offset, long length, int access);

    /** Registers user memory, accessible by {@link #getAt} and {@link #putAt}. */
    Region registerUser(long length, int access);

    void deregister(int regionId);

    /** Creates a queue pair of a reliable connection. */
    int createQueuePair();

    /** Creates a queue pair, with its own receives if the shared queue's number is 0. */
    int createQueuePair(QueuePairType type, int sharedQueue);

    Capabilities capabilities(int qpNum);

    void destroyQueuePair(int qpNum);

    /** Moves a queue pair of a connected type from RESET to RTS. */
    void connect(int qpNum, Info peer, int peerQpNum, Tuning tuning);

    /** Moves a queue pair of a connected type from RESET to RTR. */
    void listen(int qpNum, Info peer, int peerQpNum, Tuning tuning);

    /** Moves a queue pair of type UD from RESET to RTS. */
    void openDatagrams(int qpNum, int qkey);

    /** Creates a path for datagrams; returns its number. */
    int createAddressHandle(Info peer);

    /** Creates a path to a multicast group; returns its number. */
    int createGroupHandle(long gidHigh, long gidLow);

    void destroyAddressHandle(int addressHandle);

    void attachMulticast(int qpNum, long gidHigh, long gidLow);

    void detachMulticast(int qpNum, long gidHigh, long gidLow);

    /** Creates a shared receive queue; returns its number, which is not 0. */
    int createSharedQueue(int maxWorkRequests, int maxSge);

    void destroySharedQueue(int sharedQueue);

    Posted postShared(int sharedQueue, List<Receive> receives);

    void armLimit(int sharedQueue, int limit);

    SharedAttributes querySharedQueue(int sharedQueue);

    /** Changes the state without other attributes. */
    void toState(int qpNum, QueuePairState state);

    /** Moves a queue pair to SQD, with an event when it is drained. */
    void drain(int qpNum);

    QueuePairState state(int qpNum);

    /** Posts a chain. */
    Posted postSend(int qpNum, List<Send> sends);

    /** Posts a chain. */
    Posted postReceive(int qpNum, List<Receive> receives);

    long loadStoreAddress(int qpNum, long remoteAddress, long length, int rkey, int access);

    /** Polls until the count or the timeout is reached; returns the completions so far. */
    List<Completion> pollSends(int count, long timeoutMs);

    List<Completion> pollReceives(int count, long timeoutMs);

    /** The result of polling if it is a negative errno, else 0. Takes no completion. */
    int sendCqErrno();

    void armReceives(boolean solicitedOnly);

    /** Waits for an event of the receives' completion queue. */
    boolean awaitEvent(long timeoutMs);

    /** The next asynchronous event, or null. */
    Event awaitAsync(long timeoutMs);

    byte[] get(long offset, int length);

    void put(long offset, byte[] bytes);

    byte[] getAt(long address, int length);

    void putAt(long address, byte[] bytes);

    long getLong(long offset);

    void putLong(long offset, long value);

    /**
     * Writes repeatedly in a separate thread, every 16th request signaled, until the node is closed or a request fails.
     */
    void startWriting(int qpNum, Send write);

    /** Posts the request a number of times, each after the previous one completed; returns the last status. */
    WorkCompletionStatus repeat(int qpNum, Send send, int times);

    /** Closes all objects, children first. */
    @Override
    void close();
}
