/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import org.tutti.tools.simulate.Prediction;

/**
 * One line of what is simulated.
 *
 * @param size       number of ranks.
 * @param candidate  the algorithm, with its segment and window.
 * @param prediction its time, or null where there is none.
 * @param problem    why not, or null.
 */
record Simulated(int size, Candidate candidate, Prediction prediction, String problem)
{
    double timeUs()
    {
        return prediction.seconds() * 1e6;
    }

    /** As nccl-tests have it: bytes of the buffer by time. */
    double algBwGbs()
    {
        return prediction.seconds() == 0 ? 0 : candidate.bytes() / prediction.seconds() / 1e9;
    }
}
