/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.schedule.Algorithm;

/**
 * Segment and window of an algorithm, up to a length.
 *
 * @param algorithm    algorithm.
 * @param range        the buffer's length.
 * @param segmentBytes the most bytes of one PUT.
 * @param window       the most segments under way from a rank to a peer.
 */
record Tuning(Algorithm algorithm, ByteRange range, long segmentBytes, int window)
{
}
