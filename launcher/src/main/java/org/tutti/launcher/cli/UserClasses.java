/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;

import org.tutti.launcher.io.UsageException;

/** Checks the user's jars and class paths before any rank is started. */
final class UserClasses
{
    private UserClasses()
    {
    }

    /**
     * Returns the main class of a jar.
     *
     * @throws UsageException if there is no such jar, or its manifest has no Main-Class.
     */
    static String mainClass(final String jar)
    {
        if (!new File(jar).isFile())
        {
            throw new UsageException("no such jar '" + jar + "': give the path of an existing one");
        }
        try (JarFile file = new JarFile(jar))
        {
            final Manifest manifest = file.getManifest();
            final String name = manifest == null ?
                null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (name == null)
            {
                throw new UsageException("the manifest of the jar '" + jar + "' has no Main-Class: give " +
                    "-cp " + jar + " and the main class");
            }
            return name.trim();
        }
        catch (final IOException ex)
        {
            throw unreadable(jar, ex);
        }
    }

    /**
     * Returns the options for those entries of a jar's manifest that {@code java -jar} obeys, but that have no effect
     * in a jar on the class path. Native access needs no option: all ranks have it.
     *
     * @throws UsageException if there is no such jar.
     */
    static List<String> jvmArgs(final String jar)
    {
        final List<String> options = new ArrayList<>();
        try (JarFile file = new JarFile(jar))
        {
            final Manifest manifest = file.getManifest();
            for (final String name : List.of("Add-Opens", "Add-Exports"))
            {
                final String packages = manifest == null ? null : manifest.getMainAttributes().getValue(name);
                if (packages != null && !packages.isBlank())
                {
                    for (final String each : packages.strip().split(" +", -1))
                    {
                        options.add("--" + name.toLowerCase(Locale.ROOT) + "=" + each + "=ALL-UNNAMED");
                    }
                }
            }
        }
        catch (final IOException ex)
        {
            throw unreadable(jar, ex);
        }
        return options;
    }

    private static UsageException unreadable(final String jar, final IOException cause)
    {
        return new UsageException("cannot read the jar '" + jar + "' (" + cause.getMessage() + "): give a valid jar");
    }

    /**
     * Checks that all entries of a class path exist, and that one of them, or Tutti's own class path, has a class.
     *
     * @throws UsageException if an entry does not exist or is not a jar or directory, or there is no such class.
     */
    static void check(final String className, final String classPath)
    {
        final String resource = className.replace('.', '/') + ".class";
        boolean isFound = UserClasses.class.getClassLoader().getResource(resource) != null;
        for (final File entry : entries(classPath))
        {
            isFound |= entry.isDirectory() ? new File(entry, resource).isFile() : holds(entry, resource);
        }
        if (!isFound)
        {
            throw new UsageException("no such class '" + className + "' on -cp '" + classPath +
                "': give its fully qualified name, and a class path that contains it");
        }
    }

    private static List<File> entries(final String classPath)
    {
        final List<File> entries = new ArrayList<>();
        for (final String name : classPath.split(":", -1))
        {
            if (name.equals("*") || name.endsWith("/*"))
            {
                final File directory = new File(name.equals("*") ? "." : name.substring(0, name.length() - 2));
                final File[] jars = directory.listFiles((parent, file) -> file.endsWith(".jar"));
                if (jars == null)
                {
                    throw missing(name);
                }
                entries.addAll(Arrays.asList(jars));
                continue;
            }
            final File entry = new File(name.isEmpty() ? "." : name);
            if (!entry.exists())
            {
                throw missing(name);
            }
            entries.add(entry);
        }
        return entries;
    }

    private static UsageException missing(final String entry)
    {
        return new UsageException("-cp entry '" + entry + "' does not exist: give jars and directories of " +
            "classes, separated by ':'");
    }

    private static boolean holds(final File jar, final String resource)
    {
        try (ZipFile file = new ZipFile(jar))
        {
            return file.getEntry(resource) != null;
        }
        catch (final IOException ex)
        {
            throw new UsageException("-cp entry '" + jar + "' is not a jar (" + ex.getMessage() + "): give jars " +
                "and directories of classes");
        }
    }
}
