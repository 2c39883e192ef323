/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.check.Promises.Promise;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Represents values as expressions over the ranks' inputs. Equal expressions have equal numbers. Expressions that
 * differ only in the order of operands have the same <i>kin</i> number: with any commutative operation they give the
 * same bits.
 */
final class Expressions
{
    /** The value of an element that was never written. */
    static final int UNDEFINED = -1;

    private final Map<Node, Integer> numbers = new HashMap<>();
    private final Map<Node, Integer> kins = new HashMap<>();
    private final List<Summary> summaries = new ArrayList<>();

    /** A leaf is {@code (-1 - rank, element)}. */
    private record Node(long left, long right, boolean finished)
    {
    }

    /** The inputs of one element that an expression combines, and whether in rank order. */
    private record Summary(long element, BitSet ranks, boolean finished, boolean ordered, int kin)
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
        return add(node, new Summary(element, ranks, false, true, kin(node)));
    }

    /**
     * Combines two values.
     *
     * @return number of the expression, or {@link #UNDEFINED} if {@link #fault} is not null.
     */
    int combine(final int left, final int right, final boolean finish)
    {
        if (fault(left, right) != null)
        {
            return UNDEFINED;
        }
        final Node node = new Node(left, right, finish);
        final Integer known = numbers.get(node);
        if (known != null)
        {
            return known;
        }
        final Summary first = summaries.get(left);
        final Summary second = summaries.get(right);
        final BitSet ranks = (BitSet)first.ranks.clone();
        ranks.or(second.ranks);
        final boolean ordered =
            first.ordered && second.ordered && first.ranks.length() - 1 < second.ranks.nextSetBit(0);
        final int kin = kin(new Node(Math.min(first.kin, second.kin), Math.max(first.kin, second.kin), finish));
        return add(node, new Summary(first.element, ranks, finish, ordered, kin));
    }

    /**
     * Returns whether two values have the same bits with any commutative operation.
     *
     * @return true if they have.
     */
    boolean isKin(final int one, final int other)
    {
        return one == other ||
            (one != UNDEFINED && other != UNDEFINED && summaries.get(one).kin == summaries.get(other).kin);
    }

    /**
     * Returns why two values must not be combined.
     *
     * @return fault, or null if they may.
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
     * Returns why a value is not the promised one.
     *
     * @return fault, or null if it is.
     */
    String faultAsResult(final int value, final Promise promise, final boolean inRankOrder)
    {
        if (value == UNDEFINED)
        {
            return "is not defined";
        }
        final Summary summary = summaries.get(value);
        if (promise.first() == promise.last())
        {
            return value == leaf(promise.first(), promise.element()) ? null :
                "is not element " + promise.element() + " of rank " + promise.first();
        }
        if (summary.element != promise.element())
        {
            return "is of element " + summary.element;
        }
        if (summary.ranks.nextSetBit(0) != promise.first() || summary.ranks.length() - 1 != promise.last() ||
            summary.ranks.cardinality() != promise.last() - promise.first() + 1)
        {
            return "has the inputs of ranks " + summary.ranks + " only";
        }
        if (summary.finished != promise.finished())
        {
            return summary.finished ? "is finished" : "is not finished";
        }
        return inRankOrder && !summary.ordered ? "is not combined in rank order" : null;
    }

    private int kin(final Node node)
    {
        return kins.computeIfAbsent(node, (unknown) -> kins.size());
    }

    private int add(final Node node, final Summary summary)
    {
        final int number = summaries.size();
        numbers.put(node, number);
        summaries.add(summary);
        return number;
    }
}
