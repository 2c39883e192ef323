/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.RdmaException;

import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;

/** The checks of the attributes that name a peer. Stateless. */
final class PeerAttributes
{
    private PeerAttributes()
    {
    }

    /**
     * Checks attributes.
     *
     * @param values          new values.
     * @param mask            the values to check.
     * @param standardAllowed whether the peer may be a standard one, whose queue pair number is 0. Its LID is 0 if it
     *                        is to connect, and its GID then 0 if it may do so from any address.
     * @throws RdmaException with EINVAL if they name no peer that may be connected.
     */
    static void check(final QueuePairAttributes values, final int mask, final boolean standardAllowed)
    {
        final boolean isStandard = (mask & DEST_QPN) != 0 && values.destQpNum == 0;
        if (isStandard && !standardAllowed)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_modify_qp", "dest_qp_num is 0, which stands for a peer other " +
                "than Tutti's: such peers prove nothing; permit them by TcpProvider.acceptingStandardPeers");
        }
        if ((mask & AV) == 0)
        {
            return;
        }
        final AddressHandleAttributes path = values.path;
        final boolean isAwaited = isStandard && path.dlid() == 0;
        final boolean hasAddress = path.global() && (isAwaited || !path.dgid().equals(Gid.ZERO));
        if (!hasAddress || (path.dlid() == 0 && !isAwaited))
        {
            throw new RdmaException(Errno.EINVAL, "ibv_modify_qp", "ah_attr has " +
                (hasAddress ? "dlid 0" : "no dgid") + ": tcp needs the peer's GID and LID, its TCP port");
        }
    }
}
