/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.DataType;

import java.util.Arrays;

/** A call that creates communicators or windows, or closes a window, as errors name it. */
public enum Creation
{
    SPLIT("split"),
    SPLIT_BY_HOST("splitByHost"),
    DUP("dup"),
    SUB("sub"),
    WINDOW("window"),
    CLOSE_WINDOW("close of window");

    private final String text;

    Creation(final String text)
    {
        this.text = text;
    }

    /** Returns whether an ordinal, which was read from another rank's memory, is valid. */
    static boolean isOrdinal(final int ordinal)
    {
        return ordinal >= 0 && ordinal < values().length;
    }

    /**
     * Returns the description of a call.
     *
     * @param ranks ranks passed to {@code sub}, else none; every rank must pass the same ranks.
     */
    public CallDescription call(final int... ranks)
    {
        return new CallDescription(null, "", "", ranks.length, ordinal(), Arrays.hashCode(ranks));
    }

    /** Returns the description of a call that creates a window. */
    public static CallDescription window(final DataType type, final int signals)
    {
        return new CallDescription(null, type.shortName(), "", signals, WINDOW.ordinal(), 0);
    }

    /** Returns the description of a call that closes a window. */
    public static CallDescription closeWindow(final long number)
    {
        return new CallDescription(null, "", "", number, CLOSE_WINDOW.ordinal(), 0);
    }

    /**
     * Returns the text for a call of this kind.
     *
     * @param count number of ranks passed, number of signals, or, to close a window, the number of the call that
     *              created it.
     * @param type  type of the elements, or null.
     */
    String text(final long count, final String type)
    {
        return switch (this)
        {
            case SUB -> text + '(' + count + (count == 1 ? " rank)" : " ranks)");
            case WINDOW -> text + '(' + type + ", " + count + (count == 1 ? " signal)" : " signals)");
            case CLOSE_WINDOW -> text + " #" + count;
            default -> text;
        };
    }
}
