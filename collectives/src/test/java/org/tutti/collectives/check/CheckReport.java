/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a check found.
 *
 * @param violations  what is wrong, at most {@link #MAX_VIOLATIONS}; a kind of fault that makes the later questions
 *                    meaningless ends the check.
 * @param outstanding the most arrivals that a rank can have from one peer before it has waited for them; -1 if the
 *                    check did not get that far.
 */
public record CheckReport(List<Violation> violations, int outstanding)
{
    /** How many violations are kept. */
    public static final int MAX_VIOLATIONS = 100;

    /**
     * Whether the schedules are proved right.
     *
     * @return true if there are no violations.
     */
    public boolean isRight()
    {
        return violations.isEmpty();
    }

    /** One violation per line. */
    @Override
    public String toString()
    {
        return isRight() ? "no violations, at most " + outstanding + " arrivals outstanding" :
            violations.stream().map(Violation::toString).collect(Collectors.joining("\n"));
    }
}
