/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host, as the kernel knows it: a look-up in the network could take seconds. */
final class HostName
{
    private HostName()
    {
    }

    static String get()
    {
        try
        {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        }
        catch (final IOException e)
        {
            return "localhost";
        }
    }
}
