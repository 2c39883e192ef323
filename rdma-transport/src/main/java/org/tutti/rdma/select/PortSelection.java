/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * Which port is used, and what came out for each.
 *
 * @param verdicts    of all ports, in the order of devices and ports.
 * @param chosen      one of them, or null when there is a problem.
 * @param problem     one line that says why none is chosen, or null.
 * @param isWishWrong whether the problem is what was wished for: then it names the setting.
 */
public record PortSelection(List<PortVerdict> verdicts, PortVerdict chosen, String problem, boolean isWishWrong)
{
    /** Keeps a copy of the list. */
    public PortSelection
    {
        verdicts = List.copyOf(verdicts);
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
