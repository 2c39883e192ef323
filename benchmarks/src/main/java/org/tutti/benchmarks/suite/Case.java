/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Operation;
import org.tutti.tools.report.Numbers;

/**
 * A benchmark case, run by all peers. It is one table, with a row per size or, for first calls, a row per number of
 * calls.
 *
 * @param operation operation to measure.
 * @param inPlace   whether the in-place times are used.
 * @param ranks     number of ranks, at least 1.
 * @param bind      {@code core} or {@code none}.
 * @param wire      what carries the data.
 * @param options   options of all programs beyond the defaults, such as {@code -n 100}, or empty.
 */
record Case(Operation operation, boolean inPlace, int ranks, String bind, Wire wire, String options)
{
    /** Option that times the first calls of newly started processes, at one size. */
    static final String COLD = "--cold";

    /** Option that sets the kind of Tutti's buffers. */
    static final String MEMORY = "--memory";

    private static final int ELEMENT_SIZE = 4;

    /**
     * Creates a case.
     *
     * @param inPlace whether to use the in-place form; ignored if the operation has only one form.
     */
    static Case of(
        final Operation operation, final boolean inPlace, final int ranks, final String bind, final Wire wire,
        final String options)
    {
        final boolean hasBoth = operation.isOutOfPlace() && operation.isInPlace() && operation != Operation.BARRIER;
        return new Case(operation, hasBoth ? inPlace : !operation.isOutOfPlace(), ranks, bind, wire, options);
    }

    /** Title for users. */
    String title()
    {
        return wire.title(operation.label() + ", " + ranks + (ranks == 1 ? " rank" : " ranks"));
    }

    /** Form of the operation as written to files: {@code in} for in place, {@code out} for out of place. */
    String form()
    {
        return inPlace ? "in" : "out";
    }

    /** Whether the operation moves data, so that rows differ in size. */
    boolean hasSizes()
    {
        return operation != Operation.BARRIER;
    }

    /** Whether first calls are timed: each row then has a number of calls and their total time. */
    boolean isCold()
    {
        return options.startsWith(COLD);
    }

    /** Whether Tutti's buffers are memory that it has not allocated, as those of its peers. */
    boolean isOnCallersMemory()
    {
        return options.contains(MEMORY);
    }

    /** Heading of the column that identifies rows. */
    String rowTitle()
    {
        return isCold() ? "calls" : "size";
    }

    /** Label of a row for users. */
    String rowLabel(final long row)
    {
        return isCold() ? Numbers.count(row) : hasSizes() ? Numbers.size(row) : "-";
    }

    /** First size to measure: at least one element per block, because calls with shorter blocks would move nothing. */
    long first(final long minBytes)
    {
        return first(operation, minBytes, ranks);
    }

    static long first(final Operation operation, final long minBytes, final int ranks)
    {
        return operation.hasBlocks() ? Math.max(minBytes, (long)ELEMENT_SIZE * ranks) : minBytes;
    }

    /** Details that follow the title. */
    String details()
    {
        return (!hasSizes() ? "" : (operation.reduces() ? "float sum, " : "") +
            (inPlace ? "in place, " : "out of place, ")) + (bind.equals("core") ? "bound to cores" : "not bound") +
            (options.isEmpty() ? "" : ", options " + options);
    }

    /**
     * Bus bandwidth of a call that takes {@code timeUs}, in GB/s (10^9 bytes); 0 for operations without data and for
     * first calls.
     */
    double busGbs(final long size, final double timeUs)
    {
        return isCold() ? 0 : size / timeUs / 1e3 * operation.busFactor(ranks);
    }
}
