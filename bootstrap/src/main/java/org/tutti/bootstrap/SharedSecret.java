/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads the secret that the user gave to all ranks or nodes of a job: {@code TUTTI_SECRET}, or else the content of the
 * file that {@code TUTTI_SECRET_FILE} names. Other users must not be able to read this file; a group may read a file of
 * root, as PostgreSQL permits for its keys. Stateless.
 */
public final class SharedSecret
{
    private static final String ATTRIBUTES = "unix:uid,mode";
    private static final int REGULAR_FILE = 0100000;
    private static final int MODES = 07777;
    private static final int OTHERS = 077;
    /** A container that does not run as root reads secrets that Kubernetes mounts as the group of its pod (fsGroup). */
    private static final int OTHERS_OF_ROOT = 037;

    private SharedSecret()
    {
    }

    /**
     * Reads the secret.
     *
     * @param settings the settings by name.
     * @return the secret without surrounding white space, or null if neither variable is set; must never be printed.
     * @throws BootstrapException if the file cannot be read, others can read it, or its content is too short.
     */
    public static String read(final Map<String, String> settings)
    {
        return read(new EnvironmentReader(settings));
    }

    /**
     * Reads a secret that must be too long to be guessed.
     *
     * @param settings the settings by name.
     * @return the secret, 16 to 256 characters, or null if neither variable is set.
     * @throws BootstrapException as for {@link #read(Map)}, and if the secret is too short or too long.
     */
    public static String readLong(final Map<String, String> settings)
    {
        final EnvironmentReader reader = new EnvironmentReader(settings);
        final String secret = read(reader);
        return secret == null ? null : checkLength(reader.source(reader.has(JobEnvironment.TUTTI_SECRET) ?
            JobEnvironment.TUTTI_SECRET : JobEnvironment.TUTTI_SECRET_FILE), secret);
    }

    static String read(final EnvironmentReader reader)
    {
        final String given = reader.text(JobEnvironment.TUTTI_SECRET);
        final String file = reader.text(JobEnvironment.TUTTI_SECRET_FILE);
        return given != null || file == null ? given :
            content(reader.source(JobEnvironment.TUTTI_SECRET_FILE), Path.of(file));
    }

    private static String content(final String source, final Path file)
    {
        final String name = source + "='" + file + "' ";
        // Follows links: orchestrators publish secrets behind them.
        try (OpenedFile opened = OpenedFile.open(file, true))
        {
            final Map<String, Object> attributes = opened.attributes(ATTRIBUTES);
            final boolean isOfRoot = attributes.get("uid").equals(0);
            final int mode = (Integer)attributes.get("mode");
            final int refused = mode & (isOfRoot ? OTHERS_OF_ROOT : OTHERS);
            if ((mode & ~MODES) != REGULAR_FILE || refused != 0 ||
                !(isOfRoot || attributes.get("uid").equals(PrivatePath.uid())))
            {
                throw new BootstrapException(name + "is not trusted: it is " + PrivatePath.describe(attributes) +
                    ", but must be a file of uid " + PrivatePath.uid() + " with mode 0600 at most, or of uid 0 with " +
                    "mode 0640 at most: chmod it (Kubernetes: defaultMode: 0440), or give another");
            }
            final byte[] bytes = opened.read(RequestedJob.MAX_SECRET_LENGTH + 2);
            return checkLength(source, new String(bytes, StandardCharsets.UTF_8).strip());
        }
        catch (final IOException ex)
        {
            throw new BootstrapException(name + "cannot be read (" + ex +
                "): give a file of mode 0600 with the job's secret, the same for all ranks", ex);
        }
    }

    private static String checkLength(final String source, final String secret)
    {
        if (secret.length() < RequestedJob.MIN_SECRET_LENGTH || secret.length() > RequestedJob.MAX_SECRET_LENGTH)
        {
            throw new BootstrapException(source + " gives a secret of " + secret.length() + " characters: must have " +
                RequestedJob.MIN_SECRET_LENGTH + " to " + RequestedJob.MAX_SECRET_LENGTH +
                ", such as those of 'od -An -N16 -tx1 /dev/urandom | tr -d \" \\n\"'");
        }
        return secret;
    }
}
