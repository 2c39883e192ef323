/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Operation;
import org.tutti.tools.report.Numbers;

/**
 * What all peers do: one of it is one table, with a row for each size, or, of first calls, for each number of
 * them.
 *
 * @param operation collective.
 * @param inPlace   whether the times in place are taken.
 * @param ranks     number of ranks, at least 1.
 * @param bind      {@code core} or {@code none}.
 * @param options   options of all, beyond the defaults: {@code -n 100}, or empty.
 */
record Case(Operation operation, boolean inPlace, int ranks, String bind, String options)
{
    /** Among the options: the first calls of programs that have just started are timed, of one size. */
    static final String COLD = "--cold";

    private static final int ELEMENT_SIZE = 4;

    /**
     * A case; in place or not as far as the collective has that form.
     *
     * @param inPlace whether that is wanted where there are both.
     */
    static Case of(
        final Operation operation, final boolean inPlace, final int ranks, final String bind, final String options)
    {
        final boolean hasBoth = operation.isOutOfPlace() && operation.isInPlace() && operation != Operation.BARRIER;
        return new Case(operation, hasBoth ? inPlace : !operation.isOutOfPlace(), ranks, bind, options);
    }

    /** As people call it. */
    String title()
    {
        return operation.label() + ", " + ranks + (ranks == 1 ? " rank" : " ranks");
    }

    /** As files call it. */
    String form()
    {
        return inPlace ? "in" : "out";
    }

    /** Whether there is anything to move. */
    boolean hasSizes()
    {
        return operation != Operation.BARRIER;
    }

    /** Whether first calls are timed: rows are numbers of calls, times those of all of them together. */
    boolean isCold()
    {
        return options.startsWith(COLD);
    }

    /** What rows are. */
    String rowTitle()
    {
        return isCold() ? "calls" : "size";
    }

    /** A row, as people read it. */
    String rowLabel(final long row)
    {
        return isCold() ? Numbers.count(row) : hasSizes() ? Numbers.size(row) : "-";
    }

    /** The first size to measure: blocks shorter than an element would make calls that move nothing. */
    long first(final long minBytes)
    {
        return first(operation, minBytes, ranks);
    }

    static long first(final Operation operation, final long minBytes, final int ranks)
    {
        return operation.hasBlocks() ? Math.max(minBytes, (long)ELEMENT_SIZE * ranks) : minBytes;
    }

    /** The rest of the title. */
    String details()
    {
        return (!hasSizes() ? "" : (operation.reduces() ? "float sum, " : "") +
            (inPlace ? "in place, " : "out of place, ")) + (bind.equals("core") ? "bound to cores" : "not bound") +
            (options.isEmpty() ? "" : ", options " + options);
    }

    /** The bus bandwidth of a time, in GB/s of 10^9 bytes; 0 where nothing is moved, and of first calls. */
    double busGbs(final long size, final double timeUs)
    {
        return isCold() ? 0 : size / timeUs / 1e3 * operation.busFactor(ranks);
    }
}
