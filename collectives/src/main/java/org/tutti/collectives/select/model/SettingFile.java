/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.ConfigurationException;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Text files that settings name. */
public final class SettingFile
{
    private SettingFile()
    {
    }

    /**
     * Converts the value of a setting to a path.
     *
     * @param variable name of the setting.
     * @param name     its value.
     * @param command  command that writes such files.
     * @return path of the file.
     * @throws ConfigurationException if the value is no path; the message names the setting.
     */
    public static Path path(final String variable, final String name, final String command)
    {
        try
        {
            return Path.of(name.strip());
        }
        catch (final InvalidPathException e)
        {
            throw new ConfigurationException(
                variable + "=" + name + ": is not a valid path; must be a file that " + command + " wrote", e);
        }
    }

    /**
     * Describes why a file could not be read.
     *
     * @param failure exception of the attempt to read it.
     * @return text for a message that names the file.
     */
    public static String problem(final IOException failure)
    {
        return switch (failure)
        {
            case final NoSuchFileException e -> "no such file";
            case final AccessDeniedException e -> "no permission to read it";
            case final CharacterCodingException e -> "is not UTF-8 text";
            default -> "cannot be read (" + failure.getMessage() + ")";
        };
    }
}
