/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/**
 * The arrival of a rank at a barrier or allgather.
 *
 * @param rank      the arriving rank.
 * @param name      the name of the barrier or allgather.
 * @param members   the member ranks, ascending, including the arriving rank; empty for all ranks of the job.
 * @param nowNs     the time of the arrival in nanoseconds, by the store's clock.
 * @param timeoutNs the maximum time to wait, in nanoseconds.
 */
@SuppressWarnings("ArrayRecordComponent") // Only read, and never compared as a component.
public record CollectiveArrival(int rank, String name, int[] members, long nowNs, long timeoutNs)
{
}
