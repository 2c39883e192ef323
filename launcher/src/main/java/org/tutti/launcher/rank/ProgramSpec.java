/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.tutti.launcher.host.Cores;
import org.tutti.launcher.io.UsageException;

/**
 * The program of a rank, independent of the host: each host has its own JVM, jars and programs.
 *
 * @param kind      the kind of program.
 * @param classPath the user's class path, or empty; for JVMs that Tutti starts.
 * @param jvmArgs   the options of JVMs that Tutti starts.
 * @param words     the main class and its arguments, or the program and its arguments.
 */
public record ProgramSpec(Kind kind, String classPath, List<String> jvmArgs, List<String> words)
{
    /** The kinds of programs. */
    public enum Kind
    {
        /** A built-in job, in a JVM that Tutti starts. */
        JOB,
        /** The user's class or jar, in a JVM that Tutti starts. */
        JVM,
        /** Any program. */
        EXECUTABLE
    }

    /** The file of options for ranks' JVMs, set by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");
    /**
     * Arguments of ranks' JVMs that contain paths, one a line; null if the file of options contains them. The file of a
     * release contains none, as a release can be unpacked anywhere.
     */
    private static final String RANK_ARGUMENTS = System.getProperty("tutti.rank.arguments");

    /**
     * Returns whether Tutti starts a JVM with options of its own.
     *
     * @return false for programs, which may start a JVM themselves.
     */
    public boolean isJvm()
    {
        return kind != Kind.EXECUTABLE;
    }

    /**
     * Builds the command line for this host.
     *
     * @param directory   the working directory of the program; null for that of this process.
     * @param environment the environment of the rank, in addition to that of this process.
     * @return the program and its arguments.
     * @throws UsageException if there is no such program on this host.
     */
    public List<String> command(final Path directory, final Map<String, String> environment)
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
        if (RANK_ARGUMENTS != null)
        {
            command.addAll(List.of(RANK_ARGUMENTS.split("\n", -1)));
        }
        if (RANK_OPTIONS == null || !classPath.isEmpty())
        {
            // Tutti's jars come first, as when the class cache was made: the JVM rejects the cache if the cache's class
            // path is not a prefix of its own.
            final String own = System.getProperty("java.class.path");
            command.addAll(List.of("-cp", classPath.isEmpty() ? own : own + ":" + classPath));
        }
        command.addAll(JvmShare.options(environment, Cores.count(), JvmShare::totalPercent));
        command.addAll(jvmArgs);
        command.addAll(words);
        return command;
    }
}
