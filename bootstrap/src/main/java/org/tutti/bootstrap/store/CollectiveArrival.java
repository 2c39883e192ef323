/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/**
 * The arrival of a rank at a barrier or allgather.
 *
 * @param rank      rank that arrives.
 * @param name      name of the barrier or allgather.
 * @param members   ranks that take part, ascending, the rank among them; empty for all ranks of the job.
 * @param nowNs     time of the arrival in nanoseconds, by the store's clock.
 * @param timeoutNs maximum time to wait the rank waits, in nanoseconds.
 */
@SuppressWarnings("ArrayRecordComponent") // Read in place, and never compared as a part of this.
public record CollectiveArrival(int rank, String name, int[] members, long nowNs, long timeoutNs)
{
}
