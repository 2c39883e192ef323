/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.Communicator;

import java.util.Optional;

/** Makes communicators. */
public final class Communicators
{
    private Communicators()
    {
    }

    /**
     * See {@link Communicator#world()}.
     *
     * @return the communicator of this process's job.
     */
    public static Communicator world()
    {
        return Optional.<Communicator>empty().orElseThrow(
            () -> new BootstrapException("communicators are not there yet"));
    }
}
