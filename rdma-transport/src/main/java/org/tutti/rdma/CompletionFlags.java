/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** What else a completion tells ({@code ibv_wc_flags}). */
public final class CompletionFlags
{
    /** A global route header is in the first 40 bytes. */
    public static final int GRH = 1;
    /** There is immediate data. */
    public static final int WITH_IMM = 1 << 1;

    private CompletionFlags()
    {
    }
}
