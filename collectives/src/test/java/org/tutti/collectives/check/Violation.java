/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

/**
 * Something that is wrong with a schedule.
 *
 * @param rank    whose schedule, or -1 when it is about all of them.
 * @param step    at which step, or -1 when it is about no single one.
 * @param element at which element of the buffer that the problem names, or -1.
 * @param problem what is wrong, in words.
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
