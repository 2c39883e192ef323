/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** A pure function from a request to a schedule. Stateless, thread-safe. */
@FunctionalInterface
public interface ScheduleGenerator
{
    /**
     * Makes the schedule of one rank.
     *
     * @param request request of the schedule.
     * @return equal for equal requests; it matches those of the other ranks.
     */
    Schedule generate(ScheduleRequest request);
}
