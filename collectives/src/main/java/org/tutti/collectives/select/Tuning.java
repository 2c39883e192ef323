/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.schedule.Algorithm;

/**
 * Segment and window of an algorithm for a range of lengths.
 *
 * @param algorithm    algorithm that is tuned.
 * @param range        range of buffer lengths.
 * @param segmentBytes maximum length of one PUT, in bytes.
 * @param window       maximum number of segments in flight from a rank to a peer.
 */
record Tuning(Algorithm algorithm, ByteRange range, long segmentBytes, int window)
{
}
