/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.Map;

/** Result of comparing Tutti with another peer in one row, shown by signs that are legible without colours. */
enum Mark
{
    /** Tutti was faster in all rounds. */
    FASTER("+", "▲", "faster"),
    /** The other peer was faster in all rounds. */
    SLOWER("-", "▼", "slower"),
    /** The ranges of Tutti's and the other peer's times overlap. */
    ALIKE("~", "≈", "alike"),
    /** Tutti or the other peer has no time. */
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

    /** Sign for terminals. */
    String plain()
    {
        return plain;
    }

    /** Sign for HTML pages. */
    String sign()
    {
        return sign;
    }

    /** Word for CSS classes and screen readers. */
    String word()
    {
        return word;
    }
}
