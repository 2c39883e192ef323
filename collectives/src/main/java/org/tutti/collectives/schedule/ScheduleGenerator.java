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
     * Generates the schedule of one rank.
     *
     * @param request request of the schedule.
     * @return schedule that matches those of the other ranks; equal for equal requests.
     */
    Schedule generate(ScheduleRequest request);
}
