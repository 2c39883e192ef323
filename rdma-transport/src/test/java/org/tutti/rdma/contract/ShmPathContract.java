/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;

import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairState.INIT;
import static org.tutti.rdma.QueuePairState.RTR;
import static org.tutti.rdma.QueuePairState.SQD;

/** Tests which paths shared memory accepts. */
abstract class ShmPathContract extends StateMachineContract
{
    @Test
    void shouldRejectPathWhenItDoesNotLeadToThePeer()
    {
        final Gid gid = context.queryGid(1, 0);
        final int lid = context.queryPort(1).lid;
        final int[] masks = {RC_RTR, STATE | AV};
        for (final int mask : masks)
        {
            final QueuePairState from = mask == RC_RTR ? INIT : SQD;
            final QueuePairState to = mask == RC_RTR ? RTR : SQD;
            assertRefused(Errno.EHOSTUNREACH, from, to, mask, (attributes) ->
                attributes.path = globalPath(new Gid(gid.high() ^ 1, gid.low())));
            assertRefused(Errno.EHOSTUNREACH, from, to, mask, (attributes) ->
                attributes.path = globalPath(new Gid(gid.high(), gid.low() ^ 1L << 20)));
            assertRefused(from, to, mask, (attributes) ->
                attributes.path = globalPath(new Gid(gid.high(), gid.low() ^ 1)));
            assertRefused(from, to, mask, (attributes) -> attributes.path = localPath(lid + 1));
            assertRefused(from, to, mask, (attributes) -> attributes.path = AddressHandleAttributes.NONE);
            assertRefused(from, to, mask, (attributes) -> attributes.path = null);
            assertRefused(from, to, mask, (attributes) -> attributes.path = globalPath(null));
            assertRefused(from, to, mask, (attributes) -> attributes.path =
                new AddressHandleAttributes(true, gid, 1, 1, lid, 0, 1));
            assertRefused(from, to, mask, (attributes) -> attributes.path =
                new AddressHandleAttributes(true, gid, 0, 1, lid, 0, 2));
        }
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.destQpNum ^= 1 << 20);
    }

    @Test
    void shouldAcceptPathWithinTheSubnet()
    {
        try (QueuePair qp = queuePairIn(INIT))
        {
            final QueuePairAttributes attributes = attributes(qp);
            attributes.path = localPath(context.queryPort(1).lid);
            go(qp, attributes, RTR, RC_RTR);
        }
    }

    private static AddressHandleAttributes globalPath(final Gid gid)
    {
        return new AddressHandleAttributes(true, gid, 0, 1, 0, 0, 1);
    }

    private static AddressHandleAttributes localPath(final int lid)
    {
        return new AddressHandleAttributes(false, Gid.ZERO, 0, 0, lid, 0, 1);
    }
}
