/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * The port that is used, and all candidates with the reasons.
 *
 * @param candidates     candidates of all ports, in the order of devices and ports.
 * @param chosen         one of them, or null when there is a problem.
 * @param problem        one line that says why none is chosen, or null.
 * @param isRequestWrong whether the request is wrong: then the problem names the setting.
 */
public record PortSelection(
    List<PortCandidate> candidates, PortCandidate chosen, String problem, boolean isRequestWrong)
{
    /** Keeps a copy of the list. */
    public PortSelection
    {
        candidates = List.copyOf(candidates);
    }

    /**
     * The choice in one line.
     *
     * @return such as {@code rxe0:1 (the only active port), GID 1 ::ffff:10.0.0.1 (RoCE v2, IPv4)}; the problem when
     *     there is no choice.
     */
    public String explanation()
    {
        return chosen == null ? problem : chosen.port().name() + " (" + chosen.why() + "), GID " +
            chosen.gid().index() + " " + GidText.of(chosen.gid().gid()) + " (" + chosen.gidWhy() + ")";
    }
}
