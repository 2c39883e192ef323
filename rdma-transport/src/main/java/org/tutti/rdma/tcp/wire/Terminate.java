/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import org.tutti.rdma.WorkCompletionStatus;

/**
 * The payload of a TERMINATE (RFC 5040, section 4.8): layer (4 bits), error type (4), error code (8), 16 bits that are
 * 0 because no header is repeated. Between Tutti peers the number of messages that the sender of the TERMINATE has
 * executed follows (8 bytes), so that the requester knows which request failed. Stateless.
 */
public final class Terminate
{
    public static final int SIZE = 12;

    /** The sender closes the connection without an error. */
    public static final int CLOSED = 0x0000;
    /** An STag, its bounds or rights forbid the access: RDMAP, remote protection. */
    public static final int ACCESS = 0x0102;
    /** The request is malformed or not supported: RDMAP, remote operation. */
    public static final int INVALID_REQUEST = 0x02FF;
    /** The receive names memory that its queue pair may not write: RDMAP, remote operation, stream. */
    public static final int OPERATION = 0x0207;
    /** No receive was posted in time: DDP, untagged buffer. */
    public static final int NO_RECEIVE = 0x1202;
    /** The receive is shorter than the message: DDP, untagged buffer. */
    public static final int TOO_LONG = 0x1205;
    /** A frame violates the protocol: DDP, local. */
    public static final int PROTOCOL = 0x1000;

    private Terminate()
    {
    }

    /**
     * Writes the payload.
     *
     * @param payload  address of the payload.
     * @param error    layer, type and code.
     * @param executed number of executed messages.
     */
    public static void put(final long payload, final int error, final long executed)
    {
        Fpdu.putInt(payload, error << 16);
        Fpdu.putLong(payload + 4, executed);
    }

    /**
     * Layer, type and code.
     *
     * @param payload address of the payload.
     * @return 16 bits.
     */
    public static int error(final long payload)
    {
        return Fpdu.getInt(payload) >>> 16;
    }

    public static long executed(final long payload)
    {
        return Fpdu.getLong(payload + 4);
    }

    /**
     * The status of the first request that was not executed.
     *
     * @param error layer, type and code.
     * @return status, never success.
     */
    public static WorkCompletionStatus status(final int error)
    {
        return switch (error)
        {
            case ACCESS -> WorkCompletionStatus.REM_ACCESS_ERR;
            case INVALID_REQUEST, TOO_LONG -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case OPERATION -> WorkCompletionStatus.REM_OP_ERR;
            case NO_RECEIVE -> WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            case PROTOCOL -> WorkCompletionStatus.REM_ABORT_ERR;
            default -> WorkCompletionStatus.RETRY_EXC_ERR;
        };
    }
}
