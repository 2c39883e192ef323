/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Determines whether the streams of this process are terminals. Stateless. */
public final class Terminal
{
    private Terminal()
    {
    }

    /**
     * Returns whether a stream of this process is a terminal.
     *
     * @param descriptor 0, 1 or 2.
     * @return true if the stream is known to be a terminal.
     */
    public static boolean isTerminal(final int descriptor)
    {
        final String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /**
     * Returns the target of a stream.
     *
     * @param descriptor 0, 1 or 2.
     * @return the target's path, equal for two streams with the same target.
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
