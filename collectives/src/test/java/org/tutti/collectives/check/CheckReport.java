/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of a check.
 *
 * @param violations  violations, at most {@link #MAX_VIOLATIONS}; a violation that makes later checks meaningless ends
 *                    the check.
 * @param outstanding maximum number of arrivals from one peer before a rank waits for them; -1 if the check ended
 *                    before.
 */
public record CheckReport(List<Violation> violations, int outstanding)
{
    /** The maximum number of violations that are kept. */
    public static final int MAX_VIOLATIONS = 100;

    /**
     * Returns whether the schedules are proved correct.
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
