/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * The selected network interface, and all candidates with reasons.
 *
 * @param candidates candidate of each interface, in the order of the interfaces.
 * @param chosen     index of the selected one; -1 if there is a problem.
 * @param problem    one line that says why none is selected, or null.
 * @param isWrong    whether the request is the reason; the problem then names the setting.
 */
record InterfaceSelection(List<InterfaceCandidate> candidates, int chosen, String problem, boolean isWrong)
{
    InterfaceSelection
    {
        candidates = List.copyOf(candidates);
    }
}
