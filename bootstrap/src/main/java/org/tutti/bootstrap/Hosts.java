/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host, as people know it. */
public final class Hosts
{
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    private Hosts()
    {
    }

    /**
     * The name of this host, from the kernel or else the environment: no name service is asked, which could take
     * seconds.
     *
     * @return the name, or "localhost" when nothing knows it.
     */
    public static String local()
    {
        try
        {
            final String name = Files.readString(KERNEL_NAME).strip();
            if (!name.isEmpty())
            {
                return name;
            }
        }
        catch (final IOException ex)
        {
            // Not Linux: the environment may know.
        }
        final String name = System.getenv("HOSTNAME");
        return name == null || name.isEmpty() ? "localhost" : name;
    }
}
