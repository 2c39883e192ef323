/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import org.tutti.tools.simulate.Prediction;

/**
 * Predicted time of one algorithm.
 *
 * @param size       number of ranks.
 * @param candidate  the algorithm with its segment and window.
 * @param prediction prediction, or null if there is none.
 * @param problem    reason why there is no prediction, or null.
 */
record Simulated(int size, Candidate candidate, Prediction prediction, String problem)
{
    double timeUs()
    {
        return prediction.seconds() * 1e6;
    }

    /** Algorithm bandwidth as defined by nccl-tests: bytes of the buffer over time, in GB/s. */
    double algBwGbs()
    {
        return prediction.seconds() == 0 ? 0 : candidate.bytes() / prediction.seconds() / 1e9;
    }
}
