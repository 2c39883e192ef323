/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;

/**
 * Lets LightGBM train on several ranks through Tutti, in place of its own socket network. Each rank has a part of the
 * rows; all ranks get the same trees, bitwise the same as those of the socket network.
 */
public final class TuttiLightGbm
{
    private TuttiLightGbm()
    {
    }

    /**
     * Loads LightGBM, and makes the calling thread a rank of its network until the network is closed. LightGBM keeps
     * the network per thread: create datasets and boosters, and train, on this thread. Ranks may be processes, or
     * threads of one process. Collective.
     *
     * @param communicator the ranks; stays owned by the caller, who closes the network first. It may be used for other
     *                     calls, in the same order on all ranks. Its timeout limits the wait for the slowest rank in
     *                     each exchange.
     * @return the network, to be closed by the calling thread.
     * @throws LightGbmException                         on all ranks, if some cannot load the native library; the
     *                                                   message names them and the fix.
     * @throws org.tutti.collectives.CollectiveException if a rank failed.
     * @throws IllegalStateException                     if the thread is a virtual thread, or has a network already.
     */
    public static LightGbmNetwork network(final Communicator communicator)
    {
        return LightGbmNetwork.open(communicator);
    }
}
