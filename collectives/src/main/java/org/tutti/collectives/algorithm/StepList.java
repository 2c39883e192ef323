/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import java.util.Arrays;

/** A list of steps that other steps depend on. */
final class StepList
{
    private int[] steps = new int[8];
    private int length;

    StepList()
    {
    }

    /**
     * Copies a list and adds a step.
     *
     * @param others steps to copy.
     * @param step   step to add, or -1 for none.
     */
    StepList(final StepList others, final int step)
    {
        addAll(others);
        add(step);
    }

    /**
     * Adds a step.
     *
     * @param step step to add, or -1 for none.
     */
    void add(final int step)
    {
        if (step >= 0)
        {
            if (length == steps.length)
            {
                steps = Arrays.copyOf(steps, 2 * length);
            }
            steps[length++] = step;
        }
    }

    void addAll(final StepList others)
    {
        for (int i = 0; i < others.length; i++)
        {
            add(others.steps[i]);
        }
    }

    boolean isEmpty()
    {
        return length == 0;
    }

    int[] toArray()
    {
        return Arrays.copyOf(steps, length);
    }
}
