/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.QueuePairAttributeMask.ACCESS_FLAGS;
import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.CUR_STATE;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;
import static org.tutti.rdma.QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_DEST_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MAX_QP_RD_ATOMIC;
import static org.tutti.rdma.QueuePairAttributeMask.MIN_RNR_TIMER;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MTU;
import static org.tutti.rdma.QueuePairAttributeMask.PKEY_INDEX;
import static org.tutti.rdma.QueuePairAttributeMask.PORT;
import static org.tutti.rdma.QueuePairAttributeMask.QKEY;
import static org.tutti.rdma.QueuePairAttributeMask.RC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.RETRY_CNT;
import static org.tutti.rdma.QueuePairAttributeMask.RNR_RETRY;
import static org.tutti.rdma.QueuePairAttributeMask.RQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.SQ_PSN;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairAttributeMask.TIMEOUT;
import static org.tutti.rdma.QueuePairState.ERR;
import static org.tutti.rdma.QueuePairState.INIT;
import static org.tutti.rdma.QueuePairState.RESET;
import static org.tutti.rdma.QueuePairState.RTR;
import static org.tutti.rdma.QueuePairState.RTS;
import static org.tutti.rdma.QueuePairState.SQD;

/**
 * Tests every transition of a reliable connection with every attribute missing, present or superfluous. The table is
 * from the InfiniBand Architecture Specification, volume 1, "QP state transition properties", as Linux enforces it
 * ({@code qp_state_table} of {@code ib_core}).
 */
@Timeout(60)
abstract class StateMachineContract extends Contract
{
    private static final int[] BITS =
    {
        CUR_STATE, EN_SQD_ASYNC_NOTIFY, ACCESS_FLAGS, PKEY_INDEX, PORT, QKEY, AV, PATH_MTU, TIMEOUT, RETRY_CNT,
        RNR_RETRY, RQ_PSN, MAX_QP_RD_ATOMIC, MIN_RNR_TIMER, SQ_PSN, MAX_DEST_RD_ATOMIC, DEST_QPN
    };

    private final Map<QueuePairState, Map<QueuePairState, int[]>> table = new EnumMap<>(QueuePairState.class);
    Context context;
    private ProtectionDomain domain;
    private CompletionQueue queue;

    @BeforeEach
    void openAll()
    {
        context = open();
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(16, null);

        for (final QueuePairState state : QueuePairState.values())
        {
            table.put(state, new EnumMap<>(QueuePairState.class));
            allow(state, RESET, 0, 0);
            allow(state, ERR, 0, 0);
        }
        allow(RESET, INIT, PKEY_INDEX | PORT | ACCESS_FLAGS, 0);
        allow(INIT, INIT, 0, PKEY_INDEX | PORT | ACCESS_FLAGS);
        allow(INIT, RTR, AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER,
            PKEY_INDEX | ACCESS_FLAGS);
        allow(RTR, RTS, TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC,
            CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER);
        allow(RTS, RTS, 0, CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER);
        allow(RTS, SQD, 0, EN_SQD_ASYNC_NOTIFY);
        allow(SQD, RTS, 0, CUR_STATE | ACCESS_FLAGS | MIN_RNR_TIMER);
        allow(SQD, SQD, 0, PORT | AV | TIMEOUT | RETRY_CNT | RNR_RETRY | MAX_QP_RD_ATOMIC | MAX_DEST_RD_ATOMIC |
            (has(Quirk.NO_CURRENT_STATE_WHEN_DRAINED) ? 0 : CUR_STATE) | PKEY_INDEX | ACCESS_FLAGS | MIN_RNR_TIMER);
    }

    private void allow(final QueuePairState from, final QueuePairState to, final int required, final int optional)
    {
        table.get(from).put(to, new int[]{required, optional});
    }

    @AfterEach
    void closeAll()
    {
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldPermitExactlyTheTransitionsOfTheTable()
    {
        for (final QueuePairState from : new QueuePairState[]{RESET, INIT, RTR, RTS, SQD, ERR})
        {
            for (final QueuePairState to : QueuePairState.values())
            {
                // The specification permits every state to enter error, Linux all but this one.
                if ((from != RESET || to != ERR) && (can(Feature.DRAINING) || (from != SQD && to != SQD)))
                {
                    checkTransition(from, to);
                }
            }
        }
    }

    private void checkTransition(final QueuePairState from, final QueuePairState to)
    {
        final int[] masks = table.get(from).get(to);
        if (masks == null)
        {
            for (final int attributes : new int[]{0, RC_INIT & ~STATE, RC_RTR & ~STATE, RC_RTS & ~STATE})
            {
                check(from, to, attributes, false);
            }
            return;
        }

        final int required = masks[0];
        final int optional = masks[1];
        check(from, to, required, true);
        check(from, to, required | optional, true);
        for (final int bit : BITS)
        {
            if ((required & bit) != 0)
            {
                check(from, to, required & ~bit, false);
            }
            else
            {
                check(from, to, required | bit, (optional & bit) != 0);
            }
        }
    }

    private void check(final QueuePairState from, final QueuePairState to, final int bits, final boolean isAllowed)
    {
        final String what = from + " to " + to + " with attributes 0x" + Integer.toHexString(bits);
        try (QueuePair qp = queuePairIn(from))
        {
            final QueuePairAttributes attributes = attributes(qp);
            attributes.state = to;
            attributes.currentState = from;
            if (isAllowed)
            {
                qp.modify(attributes, STATE | bits);
                assertEquals(to, qp.state(), what);
            }
            else
            {
                final RdmaException ex =
                    assertThrows(RdmaException.class, () -> qp.modify(attributes, STATE | bits), what);
                assertEquals(Errno.EINVAL, ex.errno(), what);
                assertEquals(from, qp.state(), what);
            }
        }
    }

    @Test
    void shouldChangeNothingWhenValueIsOutOfRange()
    {
        assertRefused(RESET, INIT, RC_INIT, (attributes) -> attributes.portNum = 0);
        assertRefused(RESET, INIT, RC_INIT, (attributes) -> attributes.portNum = 77);
        assertRefused(RESET, INIT, RC_INIT, (attributes) -> attributes.pkeyIndex = 1 << 20);
        assertRefused(RESET, INIT, RC_INIT, (attributes) -> attributes.accessFlags = 1 << 30);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.pathMtu = 1000);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.pathMtu = 8192);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.minRnrTimer = 32);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.destQpNum = 1 << 24);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.rqPsn = 1 << 24);
        assertRefused(INIT, RTR, RC_RTR, (attributes) -> attributes.maxDestRdAtomic = 1 << 20);
        assertRefused(RTR, RTS, RC_RTS, (attributes) -> attributes.timeout = 32);
        assertRefused(RTR, RTS, RC_RTS, (attributes) -> attributes.retryCount = 8);
        assertRefused(RTR, RTS, RC_RTS, (attributes) -> attributes.rnrRetry = -1);
        assertRefused(RTR, RTS, RC_RTS, (attributes) -> attributes.sqPsn = -1);
        assertRefused(RTR, RTS, RC_RTS, (attributes) -> attributes.maxRdAtomic = 1 << 20);
        assertRefused(RTS, RTS, STATE | CUR_STATE, (attributes) -> attributes.currentState = SQD);
    }

    @Test
    void shouldRejectPathWhenInvalidOnEveryDevice()
    {
        final Gid gid = TestPort.source(context).gid();
        final int entries = context.queryPort(1).gidTableLength;
        final int ports = context.queryDevice().physicalPorts;
        final int[] masks = can(Feature.DRAINING) ? new int[]{RC_RTR, STATE | AV} : new int[]{RC_RTR};
        for (final int mask : masks)
        {
            final QueuePairState from = mask == RC_RTR ? INIT : SQD;
            final QueuePairState to = mask == RC_RTR ? RTR : SQD;
            assertRefused(from, to, mask, (attributes) -> attributes.path = null);
            assertRefused(from, to, mask, (attributes) -> attributes.path =
                new AddressHandleAttributes(true, null, 0, 1, 0, 0, 1));
            assertRefused(from, to, mask, (attributes) -> attributes.path =
                new AddressHandleAttributes(true, gid, entries, 1, 0, 0, 1));
            assertRefused(from, to, mask, (attributes) -> attributes.path =
                new AddressHandleAttributes(true, gid, 0, 1, 0, 0, ports + 1));
            // Each would be truncated in its field.
            assertRefused(from, to, mask, (attributes) -> attributes.path = path(gid, 1 << 20, 0, 0, 0, 0));
            assertRefused(from, to, mask, (attributes) -> attributes.path = path(gid, 0, 256, 0, 0, 0));
            assertRefused(from, to, mask, (attributes) -> attributes.path = path(gid, 0, 0, 16, 0, 0));
            assertRefused(from, to, mask, (attributes) -> attributes.path = path(gid, 0, 0, 0, 128, 0));
            assertRefused(from, to, mask, (attributes) -> attributes.path = path(gid, 0, 0, 0, 0, 256));
        }
    }

    private AddressHandleAttributes path(final Gid gid, final int flowLabel, final int trafficClass,
        final int serviceLevel, final int sourcePathBits, final int staticRate)
    {
        final AddressHandleAttributes own = TestPort.path(context, gid, context.queryPort(1).lid);
        return new AddressHandleAttributes(true, gid, flowLabel, own.sgidIndex(), own.hopLimit(), trafficClass,
            own.dlid(), serviceLevel, sourcePathBits, staticRate, own.portNum());
    }

    @Test
    void shouldRejectMtuWithoutPath()
    {
        assertRefused(RTS, RTS, STATE | PATH_MTU, (attributes) -> attributes.path = null);
    }

    void assertRefused(final QueuePairState from, final QueuePairState to, final int mask,
        final Consumer<QueuePairAttributes> change)
    {
        assertRefused(Errno.EINVAL, from, to, mask, change);
    }

    void assertRefused(final int errno, final QueuePairState from, final QueuePairState to, final int mask,
        final Consumer<QueuePairAttributes> change)
    {
        try (QueuePair qp = queuePairIn(from))
        {
            final QueuePairAttributes attributes = attributes(qp);
            attributes.state = to;
            change.accept(attributes);
            final RdmaException ex = assertThrows(RdmaException.class, () -> qp.modify(attributes, mask));
            assertEquals(errno, ex.errno(), ex.getMessage());
            assertEquals(from, qp.state());
        }
    }

    @Test
    void shouldReportTheAttributesThatWereSet()
    {
        try (QueuePair qp = queuePairIn(RTS))
        {
            final QueuePairAttributes attributes = new QueuePairAttributes();
            qp.query(attributes);

            assertEquals(RTS, attributes.state);
            assertEquals(AccessFlags.ALL, attributes.accessFlags);
            assertEquals(qp.qpNum(), attributes.destQpNum);
            assertEquals(2048, attributes.pathMtu);
            assertEquals(9, attributes.timeout);
            assertEquals(3, attributes.retryCount);
            assertEquals(5, attributes.rnrRetry);
            assertEquals(11, attributes.minRnrTimer);
            assertEquals(0x123456, attributes.rqPsn);
            assertEquals(0x123456, attributes.sqPsn);
            assertEquals(attributes(qp).path, attributes.path);
            assertEquals(4, attributes.maxRdAtomic);
            assertEquals(8, attributes.maxDestRdAtomic);
        }
    }

    @Test
    void shouldChangeAttributesWithoutAState()
    {
        try (QueuePair qp = queuePairIn(RTS))
        {
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.accessFlags = AccessFlags.REMOTE_READ;
            qp.modify(attributes, ACCESS_FLAGS);
            qp.query(attributes);

            assertEquals(RTS, qp.state());
            assertEquals(AccessFlags.REMOTE_READ, attributes.accessFlags);
        }
    }

    @Test
    void shouldReportWhenSendQueueIsDrained()
    {
        needs(Feature.DRAINING);
        try (QueuePair qp = queuePairIn(RTS))
        {
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.state = SQD;
            attributes.sqdAsyncNotify = true;
            qp.modify(attributes, STATE | EN_SQD_ASYNC_NOTIFY);
            assertEquals(new AsyncEvent(AsyncEventType.SQ_DRAINED, qp), context.awaitAsyncEvent(5_000_000_000L));
            assertNull(context.awaitAsyncEvent(0));
        }
    }

    @Test
    void shouldNameMissingAttributes()
    {
        try (QueuePair qp = queuePairIn(INIT))
        {
            final QueuePairAttributes attributes = attributes(qp);
            attributes.state = RTR;
            final RdmaException ex =
                assertThrows(RdmaException.class, () -> qp.modify(attributes, RC_RTR & ~DEST_QPN));
            assertEquals("ibv_modify_qp", ex.verb());
            assertTrue(ex.getMessage().contains("DEST_QPN"), ex.getMessage());
        }
    }

    /** Connects a queue pair to itself. */
    QueuePair queuePairIn(final QueuePairState state)
    {
        final QueuePair qp = domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 4, 4, 1, 0));
        final QueuePairAttributes attributes = attributes(qp);
        if (state != RESET)
        {
            go(qp, attributes, INIT, RC_INIT);
        }
        if (state == RTR || state == RTS || state == SQD)
        {
            go(qp, attributes, RTR, RC_RTR);
        }
        if (state == RTS || state == SQD)
        {
            go(qp, attributes, RTS, RC_RTS);
        }
        if (state == SQD)
        {
            attributes.sqdAsyncNotify = true;
            go(qp, attributes, state, STATE | EN_SQD_ASYNC_NOTIFY);
            // Until the drain completes, nothing may be changed.
            assertEquals(new AsyncEvent(AsyncEventType.SQ_DRAINED, qp), context.awaitAsyncEvent(5_000_000_000L));
        }
        if (state == ERR)
        {
            go(qp, attributes, state, STATE);
        }
        return qp;
    }

    static void go(
        final QueuePair qp, final QueuePairAttributes attributes, final QueuePairState state, final int mask)
    {
        attributes.state = state;
        qp.modify(attributes, mask);
        assertEquals(state, qp.state());
    }

    QueuePairAttributes attributes(final QueuePair qp)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.accessFlags = AccessFlags.ALL;
        attributes.destQpNum = qp.qpNum();
        attributes.path = TestPort.path(context, TestPort.source(context).gid(), context.queryPort(1).lid);
        attributes.pathMtu = 2048;
        attributes.timeout = 9;
        attributes.retryCount = 3;
        attributes.rnrRetry = 5;
        attributes.minRnrTimer = 11;
        attributes.rqPsn = 0x123456;
        attributes.sqPsn = 0x123456;
        attributes.maxRdAtomic = 4;
        attributes.maxDestRdAtomic = 8;
        return attributes;
    }
}
