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
 * What a rank executes, before a host is known: each host has a JVM, jars and programs of its own.
 *
 * @param kind      of program.
 * @param classPath of the user's classes, or empty; JVMs of ours only.
 * @param jvmArgs   for JVMs of ours.
 * @param words     the main class and its arguments, or the program and its arguments.
 */
public record RankProgram(Kind kind, String classPath, List<String> jvmArgs, List<String> words)
{
    /** What the command of a job is. */
    public enum Kind
    {
        /** A job that comes with Tutti, in a JVM of ours. */
        JOB,
        /** A class or jar of the user's, in a JVM of ours. */
        JVM,
        /** Any program. */
        EXECUTABLE
    }

    /** The file of options for ranks' JVMs, by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");

    boolean isJvm()
    {
        return kind != Kind.EXECUTABLE;
    }

    /**
     * The command, ready for the operating system of this host.
     *
     * @param directory that it will work in; null for this process's own.
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
