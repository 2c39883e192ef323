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
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
 * Tests the transitions of unreliable connections and datagrams, like {@link StateMachineContract} for reliable ones.
 */
@Timeout(60)
abstract class UnreliableStateContract extends Contract
{
    private static final long SOON_NS = 10_000_000_000L;

    private static final int[] BITS =
    {
        EN_SQD_ASYNC_NOTIFY, ACCESS_FLAGS, PKEY_INDEX, PORT, QKEY, AV, PATH_MTU, TIMEOUT, RETRY_CNT,
        RNR_RETRY, RQ_PSN, MAX_QP_RD_ATOMIC, MIN_RNR_TIMER, SQ_PSN, MAX_DEST_RD_ATOMIC, DEST_QPN
    };

    private record Rule(QueuePairState from, QueuePairState to, int required, int optional)
    {
    }

    private static final List<Rule> DATAGRAM = List.of(
        new Rule(RESET, INIT, PKEY_INDEX | PORT | QKEY, 0),
        new Rule(INIT, INIT, 0, PKEY_INDEX | PORT | QKEY),
        new Rule(INIT, RTR, 0, PKEY_INDEX | QKEY),
        new Rule(RTR, RTS, SQ_PSN, QKEY),
        new Rule(RTS, RTS, 0, QKEY),
        new Rule(RTS, SQD, 0, EN_SQD_ASYNC_NOTIFY),
        new Rule(SQD, RTS, 0, QKEY),
        new Rule(SQD, SQD, 0, PKEY_INDEX | QKEY));

    private final List<Rule> connection = List.of(
        new Rule(RESET, INIT, PKEY_INDEX | PORT | ACCESS_FLAGS, 0),
        new Rule(INIT, INIT, 0, PKEY_INDEX | PORT | ACCESS_FLAGS),
        new Rule(INIT, RTR, AV | PATH_MTU | DEST_QPN | RQ_PSN, PKEY_INDEX | ACCESS_FLAGS),
        new Rule(RTR, RTS, SQ_PSN, ACCESS_FLAGS),
        new Rule(RTS, RTS, 0, ACCESS_FLAGS),
        new Rule(RTS, SQD, 0, EN_SQD_ASYNC_NOTIFY),
        new Rule(SQD, RTS, 0, ACCESS_FLAGS),
        new Rule(SQD, SQD, 0,
            ACCESS_FLAGS | PKEY_INDEX | (has(Quirk.NO_NEW_PATH_OF_UNRELIABLE_CONNECTIONS) ? 0 : AV)));

    private Context context;
    private ProtectionDomain domain;
    private CompletionQueue queue;

    @BeforeEach
    void openAll()
    {
        context = open();
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(16, null);
    }

    @AfterEach
    void closeAll()
    {
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldPermitTransitionsOfUnreliableConnectionsByTheTable()
    {
        checkAll(QueuePairType.UC, connection);
    }

    @Test
    void shouldPermitTransitionsOfDatagramsByTheTable()
    {
        checkAll(QueuePairType.UD, DATAGRAM);
    }

    private void checkAll(final QueuePairType type, final List<Rule> rules)
    {
        for (final Rule rule : rules)
        {
            check(type, rules, rule, rule.required(), true);
            check(type, rules, rule, rule.required() | rule.optional(), true);
            for (final int bit : BITS)
            {
                final boolean isRequired = (rule.required() & bit) != 0;
                check(type, rules, rule, rule.required() ^ bit, !isRequired && (rule.optional() & bit) != 0);
            }
        }
        for (final QueuePairState from : new QueuePairState[]{INIT, RTR, RTS, SQD})
        {
            check(type, rules, new Rule(from, ERR, 0, 0), 0, true);
            check(type, rules, new Rule(from, RESET, 0, 0), 0, true);
            check(type, rules, new Rule(from, RESET, 0, 0), CUR_STATE, false);
        }
        check(type, rules, new Rule(RESET, RTR, 0, 0), 0, false);
        check(type, rules, new Rule(RTR, SQD, 0, 0), 0, false);
        check(type, rules, new Rule(RTS, INIT, 0, 0), 0, false);
    }

    private void check(
        final QueuePairType type, final List<Rule> rules, final Rule rule, final int bits, final boolean isAllowed)
    {
        final String what =
            type + " from " + rule.from() + " to " + rule.to() + " with attributes 0x" + Integer.toHexString(bits);
        try (QueuePair qp = domain.createQueuePair(
            new QueuePairInitAttributes(type, queue, queue, null, 4, 4, 1, 1, 0, false)))
        {
            final QueuePairAttributes attributes = attributes(qp);
            for (final QueuePairState state : List.of(INIT, RTR, RTS, SQD))
            {
                if (state.compareTo(rule.from()) <= 0)
                {
                    attributes.state = state;
                    qp.modify(attributes, STATE | requiredTo(rules, state) | (state == SQD ? EN_SQD_ASYNC_NOTIFY : 0));
                }
            }
            if (rule.from() == SQD)
            {
                // Until the drain completes, nothing may be changed.
                assertEquals(new AsyncEvent(AsyncEventType.SQ_DRAINED, qp), context.awaitAsyncEvent(SOON_NS));
            }
            attributes.state = rule.to();
            attributes.currentState = rule.from();
            if (isAllowed)
            {
                qp.modify(attributes, STATE | bits);
                assertEquals(rule.to(), qp.state(), what);
                return;
            }
            final RdmaException ex =
                assertThrows(RdmaException.class, () -> qp.modify(attributes, STATE | bits), what);
            assertEquals(Errno.EINVAL, ex.errno(), what);
            assertEquals(rule.from(), qp.state(), what);
        }
    }

    private static int requiredTo(final List<Rule> rules, final QueuePairState state)
    {
        return rules.stream().filter((rule) -> rule.to() == state && rule.from() != state)
            .findFirst().orElseThrow().required();
    }

    private QueuePairAttributes attributes(final QueuePair qp)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.accessFlags = AccessFlags.REMOTE_WRITE | AccessFlags.LOCAL_WRITE;
        attributes.destQpNum = qp.qpNum();
        attributes.path = TestPort.path(context, TestPort.source(context).gid(), context.queryPort(1).lid);
        attributes.qkey = 0x1234;
        attributes.sqdAsyncNotify = true;
        return attributes;
    }
}
