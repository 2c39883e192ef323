/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * Takes a new queue pair to the states in which it receives and sends, in the order that verbs demand: RESET, INIT, RTR
 * (ready to receive), RTS (ready to send). Each step takes its part of the attributes, so one structure holds those of
 * all. Stateless.
 */
public final class QueuePairSetup
{
    private QueuePairSetup()
    {
    }

    /**
     * From RESET to RTS by way of INIT and RTR.
     *
     * @param queuePair  queue pair to set up, in RESET.
     * @param type       type of the queue pair.
     * @param attributes attributes of the transitions for this type; the state is overwritten.
     * @throws RdmaException if an attribute is refused; the queue pair is in the state before then.
     */
    public static void toReadyToSend(
        final QueuePair queuePair, final QueuePairType type, final QueuePairAttributes attributes)
    {
        toReadyToReceive(queuePair, type, attributes);
        attributes.state = QueuePairState.RTS;
        queuePair.modify(attributes, choose(
            type, QueuePairAttributeMask.RC_RTS, QueuePairAttributeMask.UC_RTS, QueuePairAttributeMask.UD_RTS));
    }

    /**
     * From RESET to RTR by way of INIT.
     *
     * @param queuePair  queue pair to set up, in RESET.
     * @param type       type of the queue pair.
     * @param attributes attributes of the transitions for this type; the state is overwritten.
     * @throws RdmaException if an attribute is refused; the queue pair is in the state before then.
     */
    public static void toReadyToReceive(
        final QueuePair queuePair, final QueuePairType type, final QueuePairAttributes attributes)
    {
        attributes.state = QueuePairState.INIT;
        queuePair.modify(attributes, choose(
            type, QueuePairAttributeMask.RC_INIT, QueuePairAttributeMask.UC_INIT, QueuePairAttributeMask.UD_INIT));
        attributes.state = QueuePairState.RTR;
        queuePair.modify(attributes, choose(
            type, QueuePairAttributeMask.RC_RTR, QueuePairAttributeMask.UC_RTR, QueuePairAttributeMask.UD_RTR));
    }

    private static int choose(final QueuePairType type, final int ofRc, final int ofUc, final int ofUd)
    {
        return switch (type)
        {
            case RC -> ofRc;
            case UC -> ofUc;
            case UD -> ofUd;
        };
    }
}
