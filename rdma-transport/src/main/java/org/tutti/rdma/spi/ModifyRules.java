/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;

import static org.tutti.rdma.QueuePairAttributeMask.CUR_STATE;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;

/**
 * Checks changes of a queue pair's attributes by the InfiniBand Architecture Specification, volume 1, table 91 (modify
 * QP state), as Linux interprets it. Stateless.
 */
public final class ModifyRules
{
    private static final String VERB = "ibv_modify_qp";

    private ModifyRules()
    {
    }

    /**
     * Checks a change.
     *
     * @param type       type of the queue pair.
     * @param actual     current state of the queue pair.
     * @param attributes attributes with the new values.
     * @param mask       mask of the fields to use.
     * @param limits     limits of the device.
     * @return the next state.
     * @throws RdmaException with EINVAL if the change is not permitted; the message names the missing, forbidden or
     *                       invalid attributes.
     */
    public static QueuePairState check(final QueuePairType type, final QueuePairState actual,
        final QueuePairAttributes attributes, final int mask, final AttributeRules.Limits limits)
    {
        if ((mask & CUR_STATE) != 0 && attributes.currentState != actual)
        {
            throw invalid("cur_qp_state is " + attributes.currentState + " but the queue pair is in " + actual);
        }
        final QueuePairState next = (mask & STATE) != 0 ? attributes.state : actual;
        final Transitions transitions = Transitions.of(type);
        final int required = transitions.required(actual, next);
        if (required == Transitions.FORBIDDEN)
        {
            throw invalid("no transition from " + actual + " to " + next + " for " + type);
        }
        final int missing = required & ~mask;
        if (missing != 0)
        {
            throw invalid(actual + " to " + next + " also requires " + AttributeNames.of(missing));
        }
        final int forbidden = mask & ~(STATE | required | transitions.optional(actual, next));
        if (forbidden != 0)
        {
            throw invalid(actual + " to " + next + " does not allow " + AttributeNames.of(forbidden));
        }
        AttributeRules.check(attributes, mask, limits);
        return next;
    }

    private static RdmaException invalid(final String detail)
    {
        return new RdmaException(Errno.EINVAL, VERB, detail);
    }
}
