/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A queue pair's attributes ({@code ibv_qp_attr}), filled by the caller before {@link QueuePair#modify} and by
 * {@link QueuePair#query}. A plain mutable structure, as in C; not thread-safe.
 */
public final class QueuePairAttributes
{
    /** {@code qp_state}: the state to enter. */
    public QueuePairState state = QueuePairState.RESET;
    /** {@code cur_qp_state}: the state that the caller assumes to be current. */
    public QueuePairState currentState = QueuePairState.RESET;
    /** Whether draining the send queue raises an asynchronous event. */
    public boolean sqdAsyncNotify;
    /** A sum of {@link AccessFlags}: the rights of peers through this queue pair. */
    public int accessFlags;
    /** Index into the port's P_Key table. */
    public int pkeyIndex;
    /** The port, counted from 1. */
    public int portNum = 1;
    /** {@code qkey}, for datagrams. */
    public int qkey;
    /** {@code ah_attr}: the path to the peer. */
    public AddressHandleAttributes path = AddressHandleAttributes.NONE;
    /** Path MTU in bytes: 256, 512, 1024, 2048 or 4096. */
    public int pathMtu = 1024;
    /** Acknowledge timeout: 4.096 µs × 2^timeout; 0 for no timeout. From 0 to 31. */
    public int timeout;
    /** Number of retransmissions when no acknowledgement arrives. From 0 to 7. */
    public int retryCount;
    /** Number of retransmissions when the receiver is not ready; 7 for no limit. From 0 to 7. */
    public int rnrRetry;
    /** The first packet sequence number expected, 24 bits. */
    public int rqPsn;
    /** The first packet sequence number sent, 24 bits. */
    public int sqPsn;
    /** Outstanding reads and atomics as requester. */
    public int maxRdAtomic;
    /** Outstanding reads and atomics as responder. */
    public int maxDestRdAtomic;
    /** RNR NAK delay that this receiver requests when not ready, encoded as in the specification. From 0 to 31. */
    public int minRnrTimer;
    /** The peer's queue pair number, 24 bits. */
    public int destQpNum;
    /** {@code path_mig_state}. */
    public PathMigrationState pathMigrationState = PathMigrationState.MIGRATED;
    /** {@code alt_ah_attr}: the path to migrate to when the primary one fails. */
    public AddressHandleAttributes alternatePath = AddressHandleAttributes.NONE;
    /** The alternate path's index into its port's P_Key table. */
    public int alternatePkeyIndex;
    /** The alternate path's port, counted from 1; 0 when there is none. */
    public int alternatePortNum;
    /** The alternate path's acknowledge timeout, encoded like {@link #timeout}. */
    public int alternateTimeout;
    /** Whether the send queue is draining; set by {@link QueuePair#query}, ignored by modify. */
    public boolean sqDraining;
    /** {@code cap}: the sizes of the queues. */
    public QueuePairCapabilities capabilities = new QueuePairCapabilities(0, 0, 0, 0, 0);
    /** {@code rate_limit}: packet pacing in kbit/s; 0 for the port's full rate. */
    public int rateLimit;
}
