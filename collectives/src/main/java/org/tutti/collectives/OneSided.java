/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** Memory that other ranks write and read by themselves: see {@link Window}. */
public interface OneSided
{
    /** How many signals each rank has for each other one, if nothing else is said. */
    int SIGNALS = 8;

    /**
     * Opens this rank's memory to all ranks of the communicator, and theirs to this one. All ranks call it, in the same
     * order as their other calls, with the same type and number of signals. From then on others may change the memory.
     *
     * @param memory  memory of this rank: of any count, 0 if it has none to open. It cannot be closed before the
     *                window.
     * @param signals number of signals per pair of ranks, from 1 to {@link Window#MAX_SIGNALS}.
     * @return owned by the caller, who closes it; has this view's deadline.
     * @throws IllegalArgumentException if the memory is of another family, or the number of signals is out of range.
     * @throws CollectiveException      if it failed, or ranks disagree.
     */
    Window window(DataBuffer memory, int signals);

    /**
     * Opens this rank's memory with {@link #SIGNALS} signals: see {@link #window(DataBuffer, int)}.
     *
     * @param memory memory of this rank.
     * @return owned by the caller.
     */
    default Window window(final DataBuffer memory)
    {
        return window(memory, SIGNALS);
    }
}
