/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.spi.AttributeNames;
import org.tutti.rdma.spi.AttributeRules;

import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.PATH_MTU;
import static org.tutti.rdma.QueuePairAttributeMask.RC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.RC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.STATE;
import static org.tutti.rdma.QueuePairAttributeMask.UC_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.UC_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.UC_RTS;
import static org.tutti.rdma.QueuePairAttributeMask.UD_INIT;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTR;
import static org.tutti.rdma.QueuePairAttributeMask.UD_RTS;

/**
 * Checks changes of a queue pair. The kernel checks the attributes of a transition, but values that exceed their fields
 * would be truncated before the kernel gets them, and some drivers check nothing. Stateless.
 */
final class ModifyChecks
{
    private static final String VERB = "ibv_modify_qp";

    private ModifyChecks()
    {
    }

    static void check(
        final Context context, final DeviceAttributes limits, final QueuePairAttributes attributes, final int mask)
    {
        AttributeRules.check(attributes, mask, new AttributeRules.Limits(limits.physicalPorts,
            (port) -> context.queryPort(port).gidTableLength, limits.maxPkeys, limits.maxInitRdAtomic,
            limits.maxRdAtomic));
    }

    /**
     * Diagnoses a change that the kernel rejected.
     *
     * @param errno      errno of the call.
     * @param context    context of the device.
     * @param queuePair  queue pair to change.
     * @param type       type of the queue pair.
     * @param attributes attributes with the new values.
     * @param mask       mask of the fields to use.
     * @return the exception to throw.
     */
    static RdmaException failure(
        final int errno, final Context context, final QueuePair queuePair, final QueuePairType type,
        final QueuePairAttributes attributes, final int mask)
    {
        final QueuePairState from = queuePair.state();
        final QueuePairState to = (mask & STATE) != 0 ? attributes.state : from;
        final String what = "queue pair " + queuePair.qpNum() + " (" + type + "), " + from + " to " + to;
        final int missing = required(type, from, to) & ~mask;
        if (missing != 0)
        {
            return VerbsErrors.of(errno, VERB, what + " also requires " + AttributeNames.of(missing));
        }
        final AddressHandleAttributes path = attributes.path;
        if ((mask & (PATH_MTU | AV)) == (PATH_MTU | AV))
        {
            final PortAttributes port = context.queryPort(path.portNum());
            if (attributes.pathMtu > port.activeMtu)
            {
                return VerbsErrors.of(errno, VERB, what + ": path_mtu " + attributes.pathMtu + " exceeds the port's " +
                    "active MTU of " + port.activeMtu + "; use the smaller active MTU of both sides, or raise the " +
                    "MTU of the network");
            }
        }
        if ((mask & AV) != 0)
        {
            return VerbsErrors.of(errno, VERB, what + ": " + Paths.describe(context, path));
        }
        return VerbsErrors.of(errno, VERB, what + " with" + (mask == STATE ? " no attribute" : " ") +
            AttributeNames.of(mask & ~STATE) + ": the transition does not exist, or one of these is not allowed in it");
    }

    private static int required(final QueuePairType type, final QueuePairState from, final QueuePairState to)
    {
        if (from == QueuePairState.RESET && to == QueuePairState.INIT)
        {
            return choose(type, RC_INIT, UC_INIT, UD_INIT);
        }
        if (from == QueuePairState.INIT && to == QueuePairState.RTR)
        {
            return choose(type, RC_RTR, UC_RTR, UD_RTR);
        }
        if (from == QueuePairState.RTR && to == QueuePairState.RTS)
        {
            return choose(type, RC_RTS, UC_RTS, UD_RTS);
        }
        return 0;
    }

    private static int choose(final QueuePairType type, final int rc, final int uc, final int ud)
    {
        return switch (type)
        {
            case RC -> rc;
            case UC -> uc;
            case UD -> ud;
        };
    }
}
