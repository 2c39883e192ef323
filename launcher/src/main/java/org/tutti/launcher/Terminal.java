/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether the streams of this process are terminals. Stateless. */
public final class Terminal
{
    private Terminal()
    {
    }

    /**
     * Whether a stream of this process is a terminal.
     *
     * @param descriptor 0, 1 or 2.
     * @return true if it is one, as far as that can be determined.
     */
    public static boolean isTerminal(final int descriptor)
    {
        final String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /**
     * The target of a stream.
     *
     * @param descriptor 0, 1 or 2.
     * @return its path, equal for two streams with the same target.
     */
    public static String target(final int descriptor)
    {
        try
        {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
        }
        catch (final IOException ex)
        {
            return "unknown " + descriptor;
        }
    }
}
