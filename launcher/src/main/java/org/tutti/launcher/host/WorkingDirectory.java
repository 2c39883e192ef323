/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory that this process works in. */
public final class WorkingDirectory
{
    private WorkingDirectory()
    {
    }

    /** Its name as the user's shell has it: other hosts may know only that of a directory that links lead to. */
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
