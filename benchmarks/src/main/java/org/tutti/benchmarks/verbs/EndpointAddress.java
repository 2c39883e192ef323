/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.rdma.Gid;

import java.nio.ByteBuffer;

/**
 * Address that one end of a connection sends to the other.
 *
 * @param gid           GID of the port.
 * @param lid           LID of the port, 0 if the fabric has none.
 * @param mtu           active MTU of the port in bytes.
 * @param qpNum         queue pair number, 24 bits.
 * @param memoryAddress address of the memory to write to.
 * @param rkey          remote key of that memory.
 */
public record EndpointAddress(Gid gid, int lid, int mtu, int qpNum, long memoryAddress, int rkey)
{
    private static final int LENGTH = Gid.LENGTH + 4 * Integer.BYTES + Long.BYTES;

    byte[] encode()
    {
        return ByteBuffer.allocate(LENGTH).put(gid.bytes())
            .putInt(lid).putInt(mtu).putInt(qpNum).putLong(memoryAddress).putInt(rkey).array();
    }

    static EndpointAddress decode(final byte[] bytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final byte[] gid = new byte[Gid.LENGTH];
        buffer.get(gid);
        return new EndpointAddress(
            Gid.of(gid), buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getLong(), buffer.getInt());
    }
}
