/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.pattern.DoubleBinaryTree;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.Tree;

import java.util.Arrays;
import java.util.function.IntFunction;

/** Links of the edges of a tree of ranks, and how many edges load the adapter of the busiest host. Immutable. */
final class TreeLinks
{
    private final ModelLink[][] links;
    private final int oneWay;
    private final int bothWays;

    private TreeLinks(final ModelLink[][] links, final int oneWay, final int bothWays)
    {
        this.links = links;
        this.oneWay = oneWay;
        this.bothWays = bothWays;
    }

    /** All edges have the same link, and no adapter is busier than the busiest rank. */
    static TreeLinks same(final ModelLink link)
    {
        return new TreeLinks(new ModelLink[][] {{link}}, 0, 0);
    }

    /**
     * A k-nomial tree from rank 0.
     *
     * @param hosts  hosts of the ranks.
     * @param degree k, at least 2.
     * @param link   link while a host has this number of edges to other hosts.
     */
    static TreeLinks knomial(final HostMap hosts, final int degree, final IntFunction<ModelLink> link)
    {
        final int size = hosts.size();
        final HostEdges all = new HostEdges(hosts.number());
        final int[] edges = new int[hosts.number()];
        final ModelLink[][] links = new ModelLink[levels(size, degree)][degree - 1];
        long distance = 1;
        for (final ModelLink[] level : links)
        {
            for (int child = 1; child < degree; child++)
            {
                int most = 0;
                Arrays.fill(edges, 0);
                for (long rank = 0; rank + child * distance < size; rank += degree * distance)
                {
                    final int host = hosts.host((int)rank);
                    if (all.add(host, hosts.host((int)(rank + child * distance))))
                    {
                        most = Math.max(most, ++edges[host]);
                    }
                }
                level[child - 1] = link.apply(most);
            }
            distance *= degree;
        }
        return new TreeLinks(links, all.mostOneWay(), all.mostBothWays());
    }

    /**
     * The two binary trees of a pair, with an edge's length as its level. Only the first one counts for
     * {@link #oneWay}, as it is also used alone.
     *
     * @param hosts hosts of the ranks.
     * @param link  link while a host has this number of edges to other hosts.
     */
    static TreeLinks binary(final HostMap hosts, final IntFunction<ModelLink> link)
    {
        final int size = hosts.size();
        final int[] most = new int[levels(size, 2)];
        final HostEdges all = new HostEdges(hosts.number());
        int oneWay = 0;
        boolean isFirst = true;
        for (final Tree tree : DoubleBinaryTree.pair(size))
        {
            final int[][] edges = new int[most.length][hosts.number()];
            for (int rank = 0; rank < size; rank++)
            {
                final int parent = tree.parent(rank);
                final int host = hosts.host(rank);
                if (parent != Tree.NONE && all.add(host, hosts.host(parent)))
                {
                    final int level = 31 - Integer.numberOfLeadingZeros(Math.abs(rank - parent));
                    most[level] = Math.max(most[level], ++edges[level][host]);
                }
            }
            oneWay = isFirst ? all.mostOneWay() : oneWay;
            isFirst = false;
        }
        final ModelLink[][] links = new ModelLink[most.length][1];
        for (int level = 0; level < links.length; level++)
        {
            links[level][0] = link.apply(most[level]);
        }
        return new TreeLinks(links, oneWay, all.mostBothWays());
    }

    /** Number of levels of edges, at least 1. */
    private static int levels(final int size, final int degree)
    {
        int levels = 1;
        for (long distance = degree; distance < size; distance *= degree)
        {
            levels++;
        }
        return levels;
    }

    /**
     * Returns the link of some edges.
     *
     * @param level logarithm of the length of the first edge, to the base of the tree's degree.
     * @param child number of the child, from 1.
     */
    ModelLink link(final int level, final int child)
    {
        final ModelLink[] ofLevel = links[Math.min(level, links.length - 1)];
        return ofLevel[Math.min(child, ofLevel.length) - 1];
    }

    /** Messages that the busiest adapter sends or receives if one goes along each edge. */
    int oneWay()
    {
        return oneWay;
    }

    /** Messages that the busiest adapter sends, and as many receives, if one goes along each edge in each direction. */
    int bothWays()
    {
        return bothWays;
    }

    /** Numbers of edges from and to each host, without those within hosts. */
    private static final class HostEdges
    {
        private final int[] from;
        private final int[] to;

        HostEdges(final int hosts)
        {
            from = new int[hosts];
            to = new int[hosts];
        }

        /** Adds an edge between two ranks; returns whether it is between two hosts. */
        boolean add(final int host, final int otherHost)
        {
            if (host == otherHost)
            {
                return false;
            }
            from[host]++;
            to[otherHost]++;
            return true;
        }

        int mostOneWay()
        {
            int most = 0;
            for (int host = 0; host < from.length; host++)
            {
                most = Math.max(most, Math.max(from[host], to[host]));
            }
            return most;
        }

        int mostBothWays()
        {
            int most = 0;
            for (int host = 0; host < from.length; host++)
            {
                most = Math.max(most, from[host] + to[host]);
            }
            return most;
        }
    }
}
