/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.DataType;

/** How gradients, which are FLOAT32, travel between ranks. All types are summed in FLOAT32. */
public enum WireType
{
    /** 4 bytes per element, not rounded. */
    FLOAT32,
    /**
     * 2 bytes per element, with the range of FLOAT32 and 8 significant bits. Each rank's gradient is rounded once, and
     * the result once.
     */
    BFLOAT16,
    /**
     * 2 bytes per element, 11 significant bits, and values up to 65504. Each rank's gradient is rounded once, and the
     * result once; a value beyond the range is an error of the step.
     */
    FLOAT16;

    DataType type()
    {
        return switch (this)
        {
            case FLOAT32 -> DataType.FLOAT32;
            case BFLOAT16 -> DataType.BFLOAT16;
            case FLOAT16 -> DataType.FLOAT16;
        };
    }
}
