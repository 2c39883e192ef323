/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.LocalJob;

/** Tries to open networks, and prints the error: a process, as a JVM loads the library once. */
final class LibraryTarget
{
    private LibraryTarget()
    {
    }

    /**
     * Opens the networks of two ranks.
     *
     * @param args unused.
     */
    public static void main(final String[] args)
    {
        try
        {
            LocalJob.run(2, communicator -> TuttiLightGbm.network(communicator).close());
            System.out.println("loaded");
        }
        catch (final LightGbmException ex)
        {
            System.out.println(ex.ranks() + " " + ex.getMessage());
        }
    }
}
