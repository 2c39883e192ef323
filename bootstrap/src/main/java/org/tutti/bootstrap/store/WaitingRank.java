/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** A rank that waits for other ranks at a collective, or for a key if the collective is null. */
final class WaitingRank
{
    final int rank;
    final String key;
    final StoreCollective collective;
    final Reply reply;
    final long startNs;
    final long timeoutNs;
    final long deadlineNs;

    WaitingRank(
        final int rank,
        final String key,
        final StoreCollective collective,
        final Reply reply,
        final long nowNs,
        final long timeoutNs)
    {
        this.rank = rank;
        this.key = key;
        this.collective = collective;
        this.reply = reply;
        startNs = nowNs;
        this.timeoutNs = timeoutNs;
        this.deadlineNs = nowNs + timeoutNs;
    }
}
