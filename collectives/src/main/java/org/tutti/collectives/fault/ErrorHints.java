/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.select.TransportNames;

/** Probable causes of completion statuses, and what to try. */
public final class ErrorHints
{
    private static final String NO_CONNECTION = "the network between the hosts is down, or a firewall admits no " +
        "connections between them (TCP ports in net.ipv4.ip_local_port_range), or the interfaces are of different " +
        "networks, as the loopback interfaces of two hosts: compare tutti devices on both hosts, and name a network " +
        "that both have, such as --device tcp:10.1.0.0/16; hosts that are only slow need a larger TUTTI_ACK_TIMEOUT";
    private static final String LOST_PACKETS = "its link is down, or packets are lost on the way (a firewall before " +
        "UDP port 4791, a GID of another network, an MTU that a switch does not pass): compare tutti devices on both " +
        "hosts; a network that only pauses needs a larger TUTTI_ACK_TIMEOUT";
    private static final String BUG = "no call can cause this: it is a bug in Tutti, please report this line";

    private ErrorHints()
    {
    }

    /**
     * Returns the hint for an error status.
     *
     * @param status    status of the first request that failed on a connection.
     * @param transport name of the provider of the connection, such as {@code tcp}.
     * @return one line.
     */
    public static String of(final WorkCompletionStatus status, final String transport)
    {
        return switch (status)
        {
            case RETRY_EXC_ERR -> "the peer does not answer: it may have ended without closing its communicator, or " +
                (transport.equals(TransportNames.TCP) ? NO_CONNECTION : LOST_PACKETS);
            case RNR_RETRY_EXC_ERR -> "the peer posts no receives: it is stopped or too slow, or it may have ended " +
                "without closing its communicator; TUTTI_RNR_RETRY=7 waits for it until the deadline";
            case WR_FLUSH_ERR -> "the connection had already failed at the peer, which may have ended without " +
                "closing its communicator";
            case LOC_PROT_ERR -> "memory of this rank is not or no longer registered: check whether a buffer was " +
                "closed or unmapped during the call";
            case LOC_QP_OP_ERR -> "the adapter could not execute its own request: see vendor_err";
            case FATAL_ERR, GENERAL_ERR -> "the adapter or its driver failed: check the kernel log " +
                "(dmesg) and the device's log";
            case RESP_TIMEOUT_ERR, REM_ABORT_ERR, REM_OP_ERR -> "the peer's adapter failed: find the " +
                "first error of that rank";
            case LOC_LEN_ERR, LOC_ACCESS_ERR, REM_INV_REQ_ERR, REM_ACCESS_ERR, BAD_RESP_ERR -> BUG;
            case SUCCESS, LOC_EEC_OP_ERR, MW_BIND_ERR, LOC_RDD_VIOL_ERR, REM_INV_RD_REQ_ERR, INV_EECN_ERR,
                INV_EEC_STATE_ERR, TM_ERR, TM_RNDV_INCOMPLETE ->
                "a reliable connection does not report this status: " + BUG;
        };
    }

    /** Whether a status indicates an earlier failure at the peer. */
    public static boolean isConsequence(final WorkCompletionStatus status)
    {
        return status == WorkCompletionStatus.WR_FLUSH_ERR || status == WorkCompletionStatus.RETRY_EXC_ERR ||
            status == WorkCompletionStatus.RNR_RETRY_EXC_ERR;
    }
}
