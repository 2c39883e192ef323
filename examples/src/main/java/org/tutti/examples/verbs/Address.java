/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePair;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Address information that one side needs to connect its queue pair to the other side's.
 *
 * @param gid   GID of the port.
 * @param lid   LID of the port, 0 on Ethernet.
 * @param mtu   MTU of the port in bytes.
 * @param qpNum queue pair number.
 * @param psn   packet sequence number of the first packet that the queue pair sends, 24 bits.
 */
record Address(Gid gid, int lid, int mtu, int qpNum, int psn)
{
    private static final int PSN_LIMIT = 1 << 24;

    /** Address of a local queue pair. The PSN is random, so that packets of an old connection are not accepted. */
    static Address of(final Port port, final QueuePair qp)
    {
        return new Address(port.gid().gid(), port.attributes().lid, port.attributes().activeMtu, qp.qpNum(),
            ThreadLocalRandom.current().nextInt(PSN_LIMIT));
    }

    void write(final DataOutput out) throws IOException
    {
        out.write(gid.bytes());
        out.writeInt(lid);
        out.writeInt(mtu);
        out.writeInt(qpNum);
        out.writeInt(psn);
    }

    static Address read(final DataInput in) throws IOException
    {
        final byte[] gid = new byte[Gid.LENGTH];
        in.readFully(gid);
        return new Address(Gid.of(gid), in.readInt(), in.readInt(), in.readInt(), in.readInt());
    }
}
