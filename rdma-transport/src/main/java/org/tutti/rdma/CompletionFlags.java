/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Flags of a completion ({@code ibv_wc_flags}). */
public final class CompletionFlags
{
    /** The first 40 bytes of the buffer hold a global route header. */
    public static final int GRH = 1;
    /** The completion carries immediate data. */
    public static final int WITH_IMM = 1 << 1;

    private CompletionFlags()
    {
    }
}
