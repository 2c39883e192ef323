/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.IOException;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;

/** A program in its own process that starts a coordinator, to be killed. */
public final class CoordinatorMain
{
    static final String SECRET = "0123456789abcdef";

    private CoordinatorMain()
    {
    }

    /**
     * Starts a coordinator for two ranks, and waits until the process that started this one closes its input.
     *
     * @param args the coordinator's rank, or -1, and its address.
     * @throws IOException if the input is broken.
     */
    public static void main(final String[] args) throws IOException
    {
        try (Coordinator coordinator = Coordinator.start(
            CoordinatorOptions.ofSize(2).rank(Integer.parseInt(args[0])).address(args[1]).secret(SECRET)))
        {
            System.out.println("ready at " + coordinator.address());
            System.in.read();
        }
    }
}
