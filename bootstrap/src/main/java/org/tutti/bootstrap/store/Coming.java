/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/**
 * A rank comes to a gathering.
 *
 * @param rank      that comes.
 * @param name      of the gathering.
 * @param members   whose gathering it is, ascending, the rank among them; empty for all ranks of the job.
 * @param nowNs     the time.
 * @param timeoutNs how long the rank waits.
 */
@SuppressWarnings("ArrayRecordComponent") // Read in place, and never compared as a part of this.
public record Coming(int rank, String name, int[] members, long nowNs, long timeoutNs)
{
}
