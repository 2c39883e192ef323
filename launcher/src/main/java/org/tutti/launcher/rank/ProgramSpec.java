/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.tutti.launcher.io.UsageException;

/**
 * What a rank executes, independent of the host: each host has a JVM, jars and programs of its own.
 *
 * @param kind      the kind of program.
 * @param classPath the class path of the user's classes, or empty; for JVMs that Tutti starts.
 * @param jvmArgs   the options of JVMs that Tutti starts.
 * @param words     the main class and its arguments, or the program and its arguments.
 */
public record ProgramSpec(Kind kind, String classPath, List<String> jvmArgs, List<String> words)
{
    /** The kinds of programs. */
    public enum Kind
    {
        /** A job that comes with Tutti, in a JVM that Tutti starts. */
        JOB,
        /** A class or jar of the user's, in a JVM that Tutti starts. */
        JVM,
        /** Any program. */
        EXECUTABLE
    }

    /** The file of options for ranks' JVMs, set by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");

    private boolean isJvm()
    {
        return kind != Kind.EXECUTABLE;
    }

    /**
     * The command for the operating system of this host.
     *
     * @param directory the working directory of the program; null for this process's own.
     * @return the program and its arguments.
     * @throws UsageException if there is no such program here.
     */
    public List<String> command(final Path directory)
    {
        final List<String> command = new ArrayList<>();
        if (!isJvm())
        {
            command.addAll(words);
            command.set(0, Executables.find(words.getFirst(), directory));
            return command;
        }
        command.add(System.getProperty("java.home") + "/bin/java");
        if (RANK_OPTIONS != null)
        {
            command.add("@" + RANK_OPTIONS);
        }
        if (RANK_OPTIONS == null || !classPath.isEmpty())
        {
            // Tutti's jars come first, as they did when the cache of loaded classes was made: with others before them,
            // the JVM would not use it.
            final String own = System.getProperty("java.class.path");
            command.addAll(List.of("-cp", classPath.isEmpty() ? own : own + ":" + classPath));
        }
        command.addAll(jvmArgs);
        command.addAll(words);
        return command;
    }
}
