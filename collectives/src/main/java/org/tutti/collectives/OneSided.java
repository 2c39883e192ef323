/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** Creates windows: memory that other ranks access without participation of its owner. */
public interface OneSided
{
    /** Default number of signals per pair of ranks. */
    int SIGNALS = 8;

    /**
     * Exposes this rank's memory to all ranks of the communicator. Collective: all ranks call it, in the same order
     * relative to their other calls, with the same type and number of signals. From then on other ranks may change the
     * memory.
     *
     * @param memory  memory of this rank, of any length; a buffer of 0 elements exposes none. The buffer cannot be
     *                closed before the window.
     * @param signals number of signals per pair of ranks, from 1 to {@link Window#MAX_SIGNALS}.
     * @return window with the deadline of this view of the communicator, to be closed by the caller.
     * @throws IllegalArgumentException if the memory belongs to another context, or the number of signals is out of
     *                                  range.
     * @throws CollectiveException      if the call failed, or ranks disagree.
     */
    Window window(DataBuffer memory, int signals);

    /**
     * Exposes this rank's memory with {@link #SIGNALS} signals: see {@link #window(DataBuffer, int)}.
     *
     * @param memory memory of this rank.
     * @return window, to be closed by the caller.
     */
    default Window window(final DataBuffer memory)
    {
        return window(memory, SIGNALS);
    }
}
