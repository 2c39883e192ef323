/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import org.tutti.rdma.WorkCompletionStatus;

/**
 * The payload of a TERMINATE (RFC 5040, section 4.8): layer (4 bits), error type (4), error code (8), 16 bits that are
 * 0 if no header is repeated. Between Tutti peers the number of messages that the sender of the TERMINATE has executed
 * follows (8 bytes), so that the requester knows which request failed; a standard peer may repeat headers. Stateless.
 */
public final class Terminate
{
    /** Length between Tutti peers. */
    public static final int SIZE = 12;
    /** Length without repeated headers, and minimum length, between standard peers. */
    public static final int STANDARD_SIZE = 4;

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

    private static final int RDMAP_PROTECTION = 0x01;
    private static final int RDMAP_OPERATION = 0x02;
    private static final int DDP_TAGGED = 0x11;
    private static final int DDP_UNTAGGED = 0x12;
    private static final int DDP_UNTAGGED_SWAPPED = 0x21;
    private static final int NO_BUFFER = 2;
    private static final int STREAM = 7;
    private static final int MAX_MPA_CODE = 4;

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
        putStandard(payload, error);
        Fpdu.putLong(payload + STANDARD_SIZE, executed);
    }

    /**
     * Writes the payload for a standard peer.
     *
     * @param payload address of the payload.
     * @param error   layer, type and code.
     */
    public static void putStandard(final long payload, final int error)
    {
        Fpdu.putInt(payload, error << 16);
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
        return Fpdu.getLong(payload + STANDARD_SIZE);
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

    /**
     * The status of the first incomplete request when a standard peer ends the connection. Linux' siw swaps layer and
     * type. Where both orders name an error, an access error is assumed; the other one, a failure within the peer's DDP
     * layer, is rare.
     *
     * @param error layer, type and code, or type, layer and code.
     * @return status, never success.
     */
    public static WorkCompletionStatus standardStatus(final int error)
    {
        final int code = error & 0xFF;
        return switch (error >>> 8)
        {
            case RDMAP_PROTECTION, RDMAP_PROTECTION << 4, DDP_TAGGED -> WorkCompletionStatus.REM_ACCESS_ERR;
            case RDMAP_OPERATION, RDMAP_OPERATION << 4 -> code <= MAX_MPA_CODE ? WorkCompletionStatus.REM_ABORT_ERR :
                code == STREAM ? WorkCompletionStatus.REM_OP_ERR : WorkCompletionStatus.REM_INV_REQ_ERR;
            case DDP_UNTAGGED, DDP_UNTAGGED_SWAPPED -> code == NO_BUFFER ? WorkCompletionStatus.RNR_RETRY_EXC_ERR :
                WorkCompletionStatus.REM_INV_REQ_ERR;
            default -> WorkCompletionStatus.REM_ABORT_ERR;
        };
    }
}
