/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values as expressions over the ranks' inputs. Equal expressions have equal numbers, and an operation is the same with
 * its operands exchanged: two numbers are equal if and only if any reduction gives the same bits.
 */
final class Expressions
{
    /** The value of an element that nobody has written. */
    static final int UNDEFINED = -1;

    private final Map<Node, Integer> numbers = new HashMap<>();
    private final List<Summary> summaries = new ArrayList<>();

    /** A leaf is {@code (-1 - rank, element)}; an operation has its smaller operand on the left. */
    private record Node(long left, long right, boolean finished)
    {
    }

    /** What an expression adds up: inputs of one element. */
    private record Summary(long element, BitSet ranks, boolean finished)
    {
    }

    int leaf(final int rank, final long element)
    {
        final Node node = new Node(-1L - rank, element, false);
        final Integer known = numbers.get(node);
        if (known != null)
        {
            return known;
        }
        final BitSet ranks = new BitSet();
        ranks.set(rank);
        return add(node, new Summary(element, ranks, false));
    }

    /**
     * Combines two values.
     *
     * @return the number of the expression, or {@link #UNDEFINED} if {@link #fault} says something.
     */
    int combine(final int left, final int right, final boolean finish)
    {
        if (fault(left, right) != null)
        {
            return UNDEFINED;
        }
        final Node node = new Node(Math.min(left, right), Math.max(left, right), finish);
        final Integer known = numbers.get(node);
        if (known != null)
        {
            return known;
        }
        final BitSet ranks = (BitSet)summaries.get(left).ranks.clone();
        ranks.or(summaries.get(right).ranks);
        return add(node, new Summary(summaries.get(left).element, ranks, finish));
    }

    /**
     * Why two values must not be combined.
     *
     * @return null if they may.
     */
    String fault(final int left, final int right)
    {
        if (left == UNDEFINED || right == UNDEFINED)
        {
            return "combines a value that is not defined";
        }
        final Summary first = summaries.get(left);
        final Summary second = summaries.get(right);
        if (first.element != second.element)
        {
            return "combines elements " + first.element + " and " + second.element;
        }
        if (first.finished || second.finished)
        {
            return "combines a value that is finished";
        }
        return first.ranks.intersects(second.ranks) ?
            "combines inputs of ranks " + first.ranks + " with those of " + second.ranks : null;
    }

    /**
     * Why a value is not the reduction of all ranks' inputs.
     *
     * @return null if it is.
     */
    String faultAsResult(final int value, final long element, final int size)
    {
        if (value == UNDEFINED)
        {
            return "is not defined";
        }
        final Summary summary = summaries.get(value);
        if (summary.element != element)
        {
            return "is of element " + summary.element;
        }
        if (summary.ranks.cardinality() != size)
        {
            return "has the inputs of ranks " + summary.ranks + " only";
        }
        return summary.finished == size > 1 ? null : "is not finished";
    }

    private int add(final Node node, final Summary summary)
    {
        final int number = summaries.size();
        numbers.put(node, number);
        summaries.add(summary);
        return number;
    }
}
