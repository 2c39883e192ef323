/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.ScheduleBuilder;

/** What ranks send that must arrive even if there is nothing in it, because it also says how far they are. */
final class Messages
{
    private Messages()
    {
    }

    /**
     * Writes elements to where they lie at the peer too, or says that there are none.
     *
     * @param steps   gets the step.
     * @param peer    to write to.
     * @param channel to arrive on.
     * @param buffer  OUTPUT of both.
     * @param offset  in it.
     * @param count   elements, from 0.
     * @param after   steps that must be done before.
     * @return the step.
     */
    static int send(
        final ScheduleBuilder steps, final int peer, final int channel, final BufferId buffer, final long offset,
        final long count, final int... after)
    {
        return send(steps, peer, channel, buffer, offset, buffer, offset, count, after);
    }

    /**
     * Writes elements, or says that there are none.
     *
     * @param steps       gets the step.
     * @param peer        to write to.
     * @param channel     to arrive on.
     * @param source      local buffer.
     * @param offset      in it.
     * @param destination buffer of the peer.
     * @param destOffset  in it.
     * @param count       elements, from 0.
     * @param after       steps that must be done before.
     * @return the step.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    static int send(
        final ScheduleBuilder steps, final int peer, final int channel, final BufferId source, final long offset,
        final BufferId destination, final long destOffset, final long count, final int... after)
    {
        return count == 0 ? steps.signal(peer, channel, after) :
            steps.put(peer, channel, source, offset, destination, destOffset, count, after);
    }
}
