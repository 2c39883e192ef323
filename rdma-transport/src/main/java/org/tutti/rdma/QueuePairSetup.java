/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * Moves a new queue pair through the states that verbs require: RESET, INIT, RTR (ready to receive), RTS (ready to
 * send). One structure holds the attributes of all transitions; each transition uses those that it requires. Stateless.
 */
public final class QueuePairSetup
{
    private QueuePairSetup()
    {
    }

    /**
     * Moves a queue pair from RESET through INIT and RTR to RTS.
     *
     * @param queuePair  queue pair to set up, in RESET.
     * @param type       type of the queue pair.
     * @param attributes attributes of the transitions for this type; {@link QueuePairAttributes#state} is overwritten.
     * @throws RdmaException if an attribute is rejected; the queue pair then stays in the last state that it reached.
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
     * Moves a queue pair from RESET through INIT to RTR.
     *
     * @param queuePair  queue pair to set up, in RESET.
     * @param type       type of the queue pair.
     * @param attributes attributes of the transitions for this type; {@link QueuePairAttributes#state} is overwritten.
     * @throws RdmaException if an attribute is rejected; the queue pair then stays in the last state that it reached.
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
