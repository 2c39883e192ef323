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

/** The user's jars and class paths, checked before any rank is started. */
final class UserClasses
{
    private UserClasses()
    {
    }

    /**
     * The main class that a jar names.
     *
     * @throws UsageException if there is no such jar, or it names none.
     */
    static String mainClass(final String jar)
    {
        if (!new File(jar).isFile())
        {
            throw new UsageException("there is no jar '" + jar + "': give the path of one that exists");
        }
        try (JarFile file = new JarFile(jar))
        {
            final Manifest manifest = file.getManifest();
            final String name = manifest == null ?
                null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (name == null)
            {
                throw new UsageException("the jar '" + jar + "' names no Main-Class in its manifest: run " +
                    "-cp " + jar + " and the class");
            }
            return name.trim();
        }
        catch (final IOException ex)
        {
            throw unreadable(jar, ex);
        }
    }

    /**
     * The options that a JVM takes from a jar that it runs, and would not take from one on its class path. Access to
     * native code needs none: all ranks have it.
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
        return new UsageException("the jar '" + jar + "' cannot be read (" + cause.getMessage() + "): give a jar");
    }

    /**
     * Checks that a class path exists and holds a class.
     *
     * @throws UsageException if not.
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
            throw new UsageException("there is no class '" + className + "' on -cp '" + classPath +
                "': give its full name, with its package, and a class path that holds it");
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
        return new UsageException("-cp names '" + entry + "', which does not exist: give jars and directories of " +
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
            throw new UsageException("-cp names '" + jar + "', which is no jar (" + ex.getMessage() + "): give jars " +
                "and directories of classes");
        }
    }
}
