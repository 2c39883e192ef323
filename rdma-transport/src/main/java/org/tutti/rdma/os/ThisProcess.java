/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Identifies this process among all processes of the host, across namespaces. */
public final class ThisProcess
{
    /** A random number, never 0, which differs even between processes with the same PID in different namespaces. */
    public static final long ID = ThreadLocalRandom.current().nextLong() | 1;
    /** The inode of this process's PID namespace; 0 if unknown. */
    public static final long PID_NAMESPACE = pidNamespace();

    private ThisProcess()
    {
    }

    private static long pidNamespace()
    {
        try
        {
            final String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return Long.parseLong(link.replaceAll("[^0-9]", ""));
        }
        catch (final IOException | NumberFormatException e)
        {
            return 0;
        }
    }
}
