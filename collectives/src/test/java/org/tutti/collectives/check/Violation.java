/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

/**
 * A violation in a schedule.
 *
 * @param rank    rank of the schedule, or -1 if it concerns all ranks.
 * @param step    index of the step, or -1 if it concerns no single step.
 * @param element index of the element in the buffer that the problem names, or -1.
 * @param problem description of the violation.
 */
public record Violation(int rank, int step, long element, String problem)
{
    @Override
    public String toString()
    {
        return (rank < 0 ? "all ranks" : "rank " + rank) +
            (step < 0 ? "" : ", step " + step) +
            (element < 0 ? "" : ", element " + element) +
            ": " + problem;
    }
}
