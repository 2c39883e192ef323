/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

/**
 * What the two sides of a connection agreed on before its first frame.
 *
 * @param isCrcUsed  whether frames have CRCs.
 * @param isAccepted whether the peer connected, and not this side.
 * @param sendMsn    number of the first SEND of this side.
 * @param msn        number of the first SEND of the peer.
 * @param psn        packet sequence number that the peer expects; 0 if it is a standard peer, which has none.
 * @param maxReads   maximum number of reads and atomics of this side that the peer answers at once.
 */
public record HandshakeResult(
    boolean isCrcUsed, boolean isAccepted, int sendMsn, int msn, int psn, int maxReads)
{
}
