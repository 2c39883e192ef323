/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Determines the name of this host. */
public final class Hosts
{
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final String UNKNOWN = "localhost";

    private Hosts()
    {
    }

    /**
     * Returns the name of this host, from the kernel. Does not use a name service, which could take seconds.
     *
     * @return the name, or "localhost" if it is unknown.
     */
    public static String local()
    {
        try
        {
            final String name = Files.readString(KERNEL_NAME).strip();
            return name.isEmpty() ? UNKNOWN : name;
        }
        catch (final IOException ex)
        {
            // Not Linux.
            return UNKNOWN;
        }
    }
}
