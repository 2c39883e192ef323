/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The working directory of this process. Stateless. */
public final class WorkingDirectory
{
    private WorkingDirectory()
    {
    }

    /**
     * Returns the name of the directory that the user's shell uses: a directory behind symbolic links may exist on
     * other hosts by that name only.
     *
     * @return an absolute path.
     */
    public static String name()
    {
        final String own = System.getProperty("user.dir");
        final String shells = System.getenv("PWD");
        try
        {
            final boolean isSame = shells != null && Path.of(shells).isAbsolute() &&
                Files.isSameFile(Path.of(shells), Path.of(own));
            return isSame ? shells : own;
        }
        catch (final IOException ex)
        {
            return own;
        }
    }
}
