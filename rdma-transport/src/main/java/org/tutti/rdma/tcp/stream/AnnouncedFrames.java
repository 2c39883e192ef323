/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.tcp.wire.Fpdu;

/**
 * The frames that a segment of a write announces: further segments of the same message, of the same length, contiguous,
 * with no other frame between them ({@link Fpdu#announced}). One system call may therefore read their payloads together
 * with that of the announcing segment: its checked header says where they belong, and the responder has checked the
 * whole range. Their headers are compared with the announcement when they arrive; another one ends the connection.
 *
 * <p>As with any long frame, the CRC of the announcing header is known only when its payload is placed. If damage
 * that TCP's checksum does not notice changes its address or announcement, up to 8 payloads instead of one are placed
 * wrongly, but only within a region to which the peer may write. The CRC is checked before any later header is used,
 * and ends the connection, so no message that was placed wrongly is reported as complete. Calls that use the region
 * fail then, and its content is undefined. Used by one thread at a time; allocates nothing.
 */
final class AnnouncedFrames
{
    private int left;
    private int length;
    private int stag;
    private long offset;

    /** The number of announced frames that have not begun. */
    int left()
    {
        return left;
    }

    /**
     * Whether a frame may come next. A TERMINATE may always come: the peer's program may close its queue pair.
     *
     * @param frame address of a valid header.
     * @return false if another frame is announced.
     */
    boolean admits(final long frame)
    {
        return left == 0 || isNext(frame) || Fpdu.opcode(frame) == Fpdu.TERMINATE;
    }

    private boolean isNext(final long frame)
    {
        // Only the last one may end the message, and none announces others.
        return Fpdu.opcode(frame) == Fpdu.WRITE && Fpdu.length(frame) == length && Fpdu.stag(frame) == stag &&
            Fpdu.taggedOffset(frame) == offset && Fpdu.announced(frame) == 0 && (left == 1 || !Fpdu.isLast(frame));
    }

    /**
     * Notes the beginning of a segment of a write, which {@link #admits} admits.
     *
     * @param frame address of its header.
     */
    void begin(final long frame)
    {
        if (left > 0)
        {
            left--;
        }
        else
        {
            left = Fpdu.announced(frame);
            length = Fpdu.length(frame);
            stag = Fpdu.stag(frame);
        }
        offset = Fpdu.taggedOffset(frame) + length - Fpdu.TAGGED_HEADER;
    }
}
