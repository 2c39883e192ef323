/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** A rank that waits, for a key when the gathering is null. */
final class Wait
{
    final int rank;
    final String key;
    final Gathering gathering;
    final Reply reply;
    final long startNs;
    final long timeoutNs;
    final long deadlineNs;

    Wait(
        final int rank,
        final String key,
        final Gathering gathering,
        final Reply reply,
        final long nowNs,
        final long timeoutNs)
    {
        this.rank = rank;
        this.key = key;
        this.gathering = gathering;
        this.reply = reply;
        startNs = nowNs;
        this.timeoutNs = timeoutNs;
        this.deadlineNs = nowNs + timeoutNs;
    }
}
