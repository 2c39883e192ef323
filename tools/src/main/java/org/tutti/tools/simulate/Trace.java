/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.StepKind;

/** Sees what happens in a simulation, in no particular order of times; times are in picoseconds from the call. */
public interface Trace
{
    /**
     * A rank's processor did something.
     *
     * @param rank  the rank that is busy.
     * @param kind  kind of the step: WAIT is the time in which it had nothing to do, and that for taking the arrival.
     * @param begin start time.
     * @param end   end time, not before the start.
     */
    void busy(int rank, StepKind kind, long begin, long end);

    /**
     * A message went from rank to rank.
     *
     * @param from    sender.
     * @param step    step of the sender's schedule.
     * @param to      receiver.
     * @param bytes   0 for a SIGNAL.
     * @param posted  when the sender's processor was done with it.
     * @param arrived when the receiver could see it.
     */
    void message(int from, int step, int to, long bytes, long posted, long arrived);
}
