/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.Map;

/** Which of two peers was faster, told without colours. */
enum Mark
{
    /** Tutti was, in all rounds. */
    FASTER("+", "▲", "faster"),
    /** The other was, in all rounds. */
    SLOWER("-", "▼", "slower"),
    /** Some time of one was reached by the other. */
    ALIKE("~", "≈", "alike"),
    /** One of them has no time. */
    NONE("", "", "none");

    private final String plain;
    private final String sign;
    private final String word;

    Mark(final String plain, final String sign, final String word)
    {
        this.plain = plain;
        this.sign = sign;
        this.word = word;
    }

    static Mark of(final Map<String, Figure> row, final String other)
    {
        final Figure tutti = row.get(CaseResult.TUTTI);
        final Figure its = row.get(other);
        if (tutti == null || its == null)
        {
            return NONE;
        }
        return tutti.overlaps(its) ? ALIKE : tutti.medianUs() < its.medianUs() ? FASTER : SLOWER;
    }

    /** For terminals. */
    String plain()
    {
        return plain;
    }

    /** For pages. */
    String sign()
    {
        return sign;
    }

    /** For pages' classes, and for screen readers. */
    String word()
    {
        return word;
    }
}
