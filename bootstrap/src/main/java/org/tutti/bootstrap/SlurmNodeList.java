/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses the lists in Slurm's environment variables: nodes, such as {@code n[1-3,07-09],login} or {@code
 * rack[0-1]node[1-4]}, and numbers per node, such as {@code 4,1(x2)}. Expands nodes in the order of {@code scontrol
 * show hostnames}. Stateless.
 */
public final class SlurmNodeList
{
    /** The maximum number of nodes of a list: that of Slurm. */
    private static final int MAX_NODES = 1 << 16;
    private static final int MAX_DIGITS = 9;
    private static final int MAX_ASCII = 128;

    private SlurmNodeList()
    {
    }

    /**
     * Expands a list of nodes.
     *
     * @param list the list as Slurm writes it.
     * @return the names of the nodes, in order, at least one.
     * @throws IllegalArgumentException if the list is invalid; the message shows the list, the problem and its
     *                                  position.
     */
    public static List<String> expand(final String list)
    {
        final List<String> nodes = new ArrayList<>();
        int start = 0;
        for (int end = itemEnd(list, start); start <= list.length(); end = itemEnd(list, start))
        {
            expandItem(list, start, end, nodes);
            start = end + 1;
        }
        return nodes;
    }

    /** Returns the end of the item that starts at an index: the next comma that is not in brackets. */
    private static int itemEnd(final String list, final int start)
    {
        int open = -1;
        for (int i = start; i < list.length(); i++)
        {
            switch (list.charAt(i))
            {
                case '[' ->
                {
                    if (open >= 0)
                    {
                        throw invalid(list, i, "'[' within brackets");
                    }
                    open = i;
                }
                case ']' ->
                {
                    if (open < 0)
                    {
                        throw invalid(list, i, "']' without '['");
                    }
                    open = -1;
                }
                case ',' ->
                {
                    if (open < 0)
                    {
                        return i;
                    }
                }
                default ->
                {
                    if (open < 0 && !isOfName(list.charAt(i)))
                    {
                        throw invalid(list, i, "'" + list.charAt(i) + "' in a name");
                    }
                }
            }
        }
        if (open >= 0)
        {
            throw invalid(list, open, "'[' without ']'");
        }
        return list.length();
    }

    private static boolean isOfName(final char c)
    {
        return (c < MAX_ASCII && Character.isLetterOrDigit(c)) || c == '-' || c == '_' || c == '.';
    }

    private static void expandItem(final String list, final int start, final int end, final List<String> nodes)
    {
        if (start == end)
        {
            throw invalid(list, start, "an empty name");
        }
        List<String> heads = List.of("");
        int i = start;
        while (i < end)
        {
            final int open = list.indexOf('[', i);
            if (open < 0 || open > end)
            {
                if (i > start)
                {
                    throw invalid(list, i, "'" + list.charAt(i) + "' after ']', where a name must end");
                }
                add(nodes, list.substring(i, end), list);
                return;
            }
            final int close = list.indexOf(']', open);
            final List<String> numbers = numbers(list, open + 1, close);
            final List<String> longer = new ArrayList<>();
            for (final String head : heads)
            {
                for (final String number : numbers)
                {
                    add(longer, head + list.substring(i, open) + number, list);
                }
            }
            heads = longer;
            i = close + 1;
        }
        heads.forEach(node -> add(nodes, node, list));
    }

    private static void add(final List<String> nodes, final String node, final String list)
    {
        if (nodes.size() == MAX_NODES)
        {
            throw new IllegalArgumentException(
                "'" + list + "' is not a list of Slurm nodes: it has more than " + MAX_NODES + " nodes");
        }
        nodes.add(node);
    }

    /** Expands the ranges in brackets, such as {@code 1-3,07}. Numbers are as long as the first of their range. */
    private static List<String> numbers(final String list, final int start, final int close)
    {
        final List<String> numbers = new ArrayList<>();
        int i = start;
        while (true)
        {
            final int firstEnd = digitsEnd(list, i);
            final int first = number(list, i, firstEnd);
            int last = first;
            int rangeEnd = firstEnd;
            if (list.charAt(firstEnd) == '-')
            {
                rangeEnd = digitsEnd(list, firstEnd + 1);
                last = number(list, firstEnd + 1, rangeEnd);
            }
            if (last < first)
            {
                throw invalid(list, i, "a range that ends before it starts");
            }
            final int width = firstEnd - i;
            for (int n = first; n <= last; n++)
            {
                final String digits = Integer.toString(n);
                add(numbers, "0".repeat(Math.max(0, width - digits.length())) + digits, list);
            }
            if (rangeEnd == close)
            {
                return numbers;
            }
            if (list.charAt(rangeEnd) != ',')
            {
                throw invalid(list, rangeEnd, "'" + list.charAt(rangeEnd) + "' in brackets");
            }
            i = rangeEnd + 1;
        }
    }

    private static int digitsEnd(final String list, final int start)
    {
        int end = start;
        while (list.charAt(end) >= '0' && list.charAt(end) <= '9')
        {
            end++;
        }
        return end;
    }

    private static int number(final String list, final int start, final int end)
    {
        if (start == end || end - start > MAX_DIGITS)
        {
            throw invalid(list, start, start == end ? "no number" : "a number of more than " + MAX_DIGITS + " digits");
        }
        return Integer.parseInt(list, start, end, 10);
    }

    private static IllegalArgumentException invalid(final String list, final int index, final String problem)
    {
        return new IllegalArgumentException("'" + list + "' is not a list of Slurm nodes, such as n[1-4,07],m1: " +
            problem + " at character " + (index + 1));
    }

    /**
     * Expands a list of numbers per node.
     *
     * @param list  the list as Slurm writes it, such as {@code 4,1(x2)}.
     * @param count the number of nodes, greater than 0.
     * @return one number per node, each at least 1.
     * @throws IllegalArgumentException if the list is invalid, or is not for that many nodes.
     */
    public static List<Integer> perNode(final String list, final int count)
    {
        final List<Integer> numbers = new ArrayList<>();
        for (final String item : list.split(",", -1))
        {
            final int bracket = item.indexOf("(x");
            final String number = bracket < 0 ? item : item.substring(0, bracket);
            final String times = bracket < 0 ? "1" :
                item.endsWith(")") ? item.substring(bracket + 2, item.length() - 1) : "";
            if (!isPositive(number) || !isPositive(times))
            {
                throw new IllegalArgumentException(
                    "'" + list + "' is not a list of tasks per node, such as 4,1(x2): '" + item + "' is invalid");
            }
            if (numbers.size() + Long.parseLong(times) > count)
            {
                throw wrongCount(list, count, "more");
            }
            for (int i = Integer.parseInt(times); i > 0; i--)
            {
                numbers.add(Integer.valueOf(number));
            }
        }
        if (numbers.size() < count)
        {
            throw wrongCount(list, count, "fewer");
        }
        return numbers;
    }

    private static boolean isPositive(final String number)
    {
        return number.matches("[0-9]{1," + MAX_DIGITS + "}") && Integer.parseInt(number) > 0;
    }

    private static IllegalArgumentException wrongCount(final String list, final int count, final String comparison)
    {
        return new IllegalArgumentException("'" + list + "' lists the tasks of " + comparison + " nodes than the " +
            count + " in the list of nodes");
    }
}
