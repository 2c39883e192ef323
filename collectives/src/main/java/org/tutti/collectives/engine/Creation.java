/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.util.Arrays;

/** A call that makes communicators, as errors name it. */
enum Creation
{
    SPLIT("split"),
    SPLIT_BY_HOST("splitByHost"),
    DUP("dup"),
    SUB("sub");

    private final String text;

    Creation(final String text)
    {
        this.text = text;
    }

    /**
     * What a rank called.
     *
     * @param ranks that were passed, if any: all ranks must pass the same.
     */
    CallDescription call(final int... ranks)
    {
        return new CallDescription(null, "", "", ranks.length, ordinal(), Arrays.hashCode(ranks));
    }

    /** The words for a call of this kind with so many ranks. */
    String text(final long ranks)
    {
        return this == SUB ? text + '(' + ranks + (ranks == 1 ? " rank)" : " ranks)") : text;
    }
}
