/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.StepKind;

/** Receives the events of a simulation, not ordered by time; times are in picoseconds from the start of the call. */
public interface Trace
{
    /**
     * A rank's processor was busy, or waited.
     *
     * @param rank  rank.
     * @param kind  kind of the step: WAIT covers the idle time and the processor time of the arrival.
     * @param begin start time.
     * @param end   end time, not before the start.
     */
    void busy(int rank, StepKind kind, long begin, long end);

    /**
     * A message was sent from rank to rank.
     *
     * @param from    sending rank.
     * @param step    step of the sender's schedule.
     * @param to      receiving rank.
     * @param bytes   number of bytes; 0 for a SIGNAL.
     * @param posted  time when the sender's processor had posted the message.
     * @param arrived time when the message was visible to the receiver.
     */
    void message(int from, int step, int to, long bytes, long posted, long arrived);
}
