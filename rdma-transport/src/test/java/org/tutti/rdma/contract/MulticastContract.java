/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Send;

import java.util.List;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.WorkCompletionStatus.SUCCESS;

/** Tests multicast groups: joining, leaving, and a copy for each member. */
abstract class MulticastContract extends DatagramPairContract
{
    private static final int GROUP_QP_NUM = 0xFF_FFFF;

    private Gid group(final int number)
    {
        // On RoCE v2 over IPv4, groups have IPv4 addresses.
        return new Gid(aInfo.gidHigh(), aInfo.gidLow()).isIpv4Mapped() ?
            new Gid(0, 0xFFFF_EF01_0100L | number) : new Gid(0xFF0E_0000_0000_0000L, 0x7_0000L | number);
    }

    private int handle(final Gid group)
    {
        return a.createGroupHandle(group.high(), group.low());
    }

    private static void join(final Node node, final int qpNum, final Gid group)
    {
        node.attachMulticast(qpNum, group.high(), group.low());
    }

    private static void leave(final Node node, final int qpNum, final Gid group)
    {
        node.detachMulticast(qpNum, group.high(), group.low());
    }

    @Test
    void shouldDeliverACopyToEachMember()
    {
        final int other = b.createQueuePair(QueuePairType.UD, 0);
        final int nonMember = b.createQueuePair(QueuePairType.UD, 0);
        b.openDatagrams(other, QKEY);
        b.openDatagrams(nonMember, QKEY);
        join(b, bQp, group(1));
        join(b, other, group(1));
        join(b, nonMember, group(2));
        bReceives(bReceive(1, 0, 8));
        assertEquals(Posted.ALL, b.postReceive(other, List.of(bReceive(2, 104, 8))));
        assertEquals(Posted.ALL, b.postReceive(nonMember, List.of(bReceive(3, 208, 8))));
        a.putLong(0, 987);
        aPosts(Send.send(4, aRegion.sge(0, 8)).to(handle(group(1)), GROUP_QP_NUM, QKEY));

        aSends(SUCCESS, 4);
        final TreeSet<Long> received = new TreeSet<>();
        for (final Completion completion : b.pollReceives(2, SOON_MS))
        {
            assertTrue(completion.isSuccess() && completion.hasGrh(), completion::toString);
            assertEquals(aQp, completion.srcQp());
            received.add(completion.wrId());
        }
        assertEquals(new TreeSet<>(List.of(1L, 2L)), received);
        assertEquals(987, b.getLong(GRH));
        assertEquals(987, b.getLong(104 + GRH));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldDeliverToSenderWhenItIsAMember()
    {
        join(a, aQp, group(3));
        join(b, bQp, group(3));
        aReceives(Node.Receive.of(1, aRegion.sge(0, GRH + 8)));
        bReceives(bReceive(2, 0, 8));
        aPosts(Send.send(3, aRegion.sge(104, 8)).to(handle(group(3)), GROUP_QP_NUM, QKEY));

        bGets(SUCCESS, 2);
        assertTrue(only(a.pollReceives(1, SOON_MS), 1).isSuccess());
    }

    @Test
    void shouldDeliverNothingWhenDetached()
    {
        final int handle = handle(group(4));
        join(b, bQp, group(4));
        bReceives(bReceive(1, 0, 8), bReceive(2, 0, 8));
        aPosts(Send.send(3, aRegion.sge(0, 8)).to(handle, GROUP_QP_NUM, QKEY));
        bGets(SUCCESS, 1);
        aSends(SUCCESS, 3);

        leave(b, bQp, group(4));
        aPosts(Send.send(4, aRegion.sge(0, 8)).to(handle, GROUP_QP_NUM, QKEY));
        aSends(SUCCESS, 4);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldSkipMembersThatCannotReceive()
    {
        final int other = b.createQueuePair(QueuePairType.UD, 0);
        b.openDatagrams(other, QKEY ^ 1);
        join(b, other, group(5));
        join(b, bQp, group(5));
        assertEquals(Posted.ALL, b.postReceive(other, List.of(bReceive(1, 104, 8))));
        bReceives(bReceive(2, 0, 8));
        aPosts(Send.send(3, aRegion.sge(0, 8)).to(handle(group(5)), GROUP_QP_NUM, QKEY));

        bGets(SUCCESS, 2);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldAttachOnceWhenAttachedRepeatedly()
    {
        join(b, bQp, group(6));
        join(b, bQp, group(6));
        bReceives(bReceive(1, 0, 8), bReceive(2, 104, 8));
        aPosts(Send.send(3, aRegion.sge(0, 8)).to(handle(group(6)), GROUP_QP_NUM, QKEY));

        bGets(SUCCESS, 1);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
        leave(b, bQp, group(6));
        assertRefused(Errno.EINVAL, () -> leave(b, bQp, group(6)));
    }

    @Test
    void shouldRejectAttachWhenGidOrTypeIsInvalid()
    {
        assertRefused(Errno.EINVAL, () -> join(b, bQp, new Gid(aInfo.gidHigh(), aInfo.gidLow())));
        final int connected = b.createQueuePair();
        assertRefused(Errno.EINVAL, () -> join(b, connected, group(7)));
        assertRefused(Errno.EINVAL, () -> leave(b, bQp, group(7)));
    }

    @Test
    void shouldRejectCloseWhenQueuePairIsAMember()
    {
        final int member = b.createQueuePair(QueuePairType.UD, 0);
        b.openDatagrams(member, QKEY);
        join(b, member, group(8));
        assertRefused(Errno.EBUSY, () -> b.destroyQueuePair(member));

        leave(b, member, group(8));
        b.destroyQueuePair(member);
    }

    private static void assertRefused(final int errno, final Runnable action)
    {
        final RdmaException ex = assertThrows(RdmaException.class, action::run);
        assertEquals(errno, ex.errno(), ex::getMessage);
    }
}
