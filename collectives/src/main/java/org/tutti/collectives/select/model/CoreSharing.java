/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/**
 * The cost of a host that has fewer cores than ranks: its ranks run one after the other, and a waiting rank yields its
 * core.
 *
 * @param factor  the factor by which processor time takes longer, at least 1.
 * @param yieldNs additional time of each wait, in nanoseconds.
 */
public record CoreSharing(double factor, double yieldNs)
{
    private static final CoreSharing NONE = new CoreSharing(1, 0);

    /**
     * Computes the costs of a host.
     *
     * @param model        cost model, with the cores of a host.
     * @param ranksPerHost number of ranks of the host, at least 1.
     * @return the costs; none if each rank has a core.
     */
    public static CoreSharing of(final CostModel model, final int ranksPerHost)
    {
        return model.hostCores() == 0 || ranksPerHost <= model.hostCores() ? NONE :
            new CoreSharing((double)ranksPerHost / model.hostCores(), model.yieldNs());
    }
}
