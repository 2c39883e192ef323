/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.LocalJob;

/** Tries to load PyTorch, and prints the error: a process, as a JVM loads the engine once. */
final class NativeLibraryTarget
{
    private NativeLibraryTarget()
    {
    }

    /**
     * Loads the engine on two ranks.
     *
     * @param args unused.
     */
    public static void main(final String[] args)
    {
        try
        {
            LocalJob.run(2, TorchEngine::load);
            System.out.println("loaded");
        }
        catch (final DistributedTrainingException ex)
        {
            System.out.println(ex.ranks() + " " + ex.getMessage());
        }
    }
}
