/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the streams of this process lead to. Stateless. */
public final class Terminal
{
    private Terminal()
    {
    }

    /**
     * Whether a stream of this process is a terminal.
     *
     * @param descriptor 0, 1 or 2.
     * @return false too if that cannot be found out.
     */
    public static boolean isTerminal(final int descriptor)
    {
        final String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /** What a stream leads to: equal for two that lead to the same. */
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
