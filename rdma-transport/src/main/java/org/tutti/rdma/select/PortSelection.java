/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * The selected port, and all candidates with reasons.
 *
 * @param candidates     candidates of all ports, in the order of devices and ports.
 * @param chosen         one of the candidates, or null if there is a problem.
 * @param problem        one line that says why no port is chosen, or null.
 * @param isRequestWrong whether the request is invalid; the problem then names the setting.
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
     * The selection with the attributes that the chosen port has since its device is open.
     *
     * @param ports ports of the open device.
     * @return the selection with the chosen port only.
     */
    public PortSelection at(final List<PortDescription> ports)
    {
        final PortDescription open = ports.stream().filter(port -> port.number() == chosen.port().number()).findFirst()
            .orElse(chosen.port());
        final PortCandidate candidate =
            new PortCandidate(open, chosen.gid(), chosen.gidWhy(), true, true, chosen.why());
        return new PortSelection(List.of(candidate), candidate, null, false);
    }

    /**
     * Describes the selection in one line.
     *
     * @return a text such as {@code rxe0:1 (the only active port), GID 1 ::ffff:10.0.0.1 (RoCE v2, IPv4)}, or the
     *     problem if no port is selected.
     */
    public String explanation()
    {
        return chosen == null ? problem : chosen.port().name() + " (" + chosen.why() + "), GID " +
            chosen.gid().index() + " " + GidText.of(chosen.gid().gid()) + " (" + chosen.gidWhy() + ")";
    }
}
