/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.soft.queue.RetryTimer;
import org.tutti.rdma.soft.segment.QueuePairEntry;

import java.util.HashSet;
import java.util.Set;

/** The transport of unreliable datagrams: each request names its destination, possibly a multicast group. */
final class DatagramTransport extends PeerTransport
{
    private static final int SENDS = (1 << SendOpcode.SEND) | (1 << SendOpcode.SEND_WITH_IMM);
    private static final int MIN_MULTICAST_LID = 0xC000;
    private static final int MAX_MULTICAST_LID = 0xFFFE;

    private record Membership(Gid group, int lid)
    {
    }

    private final Set<Membership> memberships = new HashSet<>();
    private DatagramRequester requester;

    DatagramTransport(final GuardedQueuePair queuePair)
    {
        super(queuePair);
        UnsafeApi.putInt(queuePair.entry() + QueuePairEntry.LISTENS_TO_OFFSET,
            QueuePairEntry.listensTo(QueuePairType.UD, 0));
    }

    @Override
    int opcodes()
    {
        return SENDS;
    }

    @Override
    QueuePairState afterFailedSend()
    {
        return QueuePairState.SQE;
    }

    @Override
    Requester requester()
    {
        if (requester == null)
        {
            requester = new DatagramRequester(queuePair);
        }
        return requester;
    }

    @Override
    int giveUp(final int why, final Requester used, final long nowNs, final RetryTimer timer)
    {
        return Requester.SUCCESS;
    }

    @Override
    public void changed(final QueuePairAttributes values, final QueuePairState next)
    {
        // Nothing to do: the requester reads the Q_Key for each message.
    }

    @Override
    public void disconnect()
    {
        if (requester != null)
        {
            requester.close();
            requester = null;
        }
    }

    @Override
    public void attachMulticast(final Gid group, final int lid)
    {
        final String verb = "ibv_attach_mcast";
        if (!group.isMulticast())
        {
            throw new RdmaException(Errno.EINVAL, verb, "GID " + group + " is not a multicast address; it must start " +
                "with ff");
        }
        if (lid != 0 && (lid < MIN_MULTICAST_LID || lid > MAX_MULTICAST_LID))
        {
            throw new RdmaException(Errno.EINVAL, verb, "LID 0x" + Integer.toHexString(lid) +
                " is not a multicast LID; it must be from 0xc000 to 0xfffe, or 0 for none");
        }
        final boolean isMember = isMember(group);
        if (memberships.add(new Membership(group, lid)) && !isMember)
        {
            try
            {
                peers.fabric().groups(verb).attach(peers, group, queuePair.qpNum());
            }
            catch (final RuntimeException e)
            {
                memberships.remove(new Membership(group, lid));
                throw e;
            }
        }
    }

    @Override
    public void detachMulticast(final Gid group, final int lid)
    {
        final String verb = "ibv_detach_mcast";
        if (!memberships.contains(new Membership(group, lid)))
        {
            throw new RdmaException(Errno.EINVAL, verb,
                "queue pair " + queuePair.qpNum() + " is not in group " + group + " with LID " + lid);
        }
        memberships.remove(new Membership(group, lid));
        if (!isMember(group))
        {
            peers.fabric().groups(verb).detach(peers, group, queuePair.qpNum());
        }
    }

    private boolean isMember(final Gid group)
    {
        return memberships.stream().anyMatch(membership -> membership.group().equals(group));
    }

    @Override
    public int groups()
    {
        return memberships.size();
    }
}
