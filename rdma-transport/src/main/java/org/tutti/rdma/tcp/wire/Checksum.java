/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC32C of frames (RFC 5044, section 4.4), or 0 if switched off. Used by one thread at a time. */
public final class Checksum
{
    private final CRC32C crc = new CRC32C();
    private final boolean isUsed;

    /**
     * Creates a checksum.
     *
     * @param isUsed false if frames carry 0 instead.
     */
    public Checksum(final boolean isUsed)
    {
        this.isUsed = isUsed;
    }

    /**
     * Whether frames carry a CRC.
     *
     * @return false if they carry 0.
     */
    public boolean isUsed()
    {
        return isUsed;
    }

    /** Starts a frame. */
    public void reset()
    {
        if (isUsed)
        {
            crc.reset();
        }
    }

    /**
     * Adds bytes.
     *
     * @param bytes direct buffer; its remaining bytes are added and its position is kept.
     */
    public void add(final ByteBuffer bytes)
    {
        if (isUsed)
        {
            final int position = bytes.position();
            crc.update(bytes);
            bytes.position(position);
        }
    }

    /**
     * The checksum of the bytes added since {@link #reset}.
     *
     * @return checksum, or 0 if switched off.
     */
    public int value()
    {
        return isUsed ? (int)crc.getValue() : 0;
    }
}
