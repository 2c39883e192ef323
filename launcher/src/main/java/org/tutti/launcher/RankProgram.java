/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank executes, before a host is known: each host has a JVM, jars and programs of its own.
 *
 * @param kind      of program.
 * @param classPath of the user's classes, or empty; JVMs of ours only.
 * @param jvmArgs   for JVMs of ours.
 * @param words     the main class and its arguments, or the program and its arguments.
 */
record RankProgram(Kind kind, String classPath, List<String> jvmArgs, List<String> words)
{
    /** What the command of a job is. */
    enum Kind
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
     * Finds out what a command is from the words that the user gave: a job of Tutti's, a jar, a main class, or any
     * program.
     *
     * @param words     the command and its arguments.
     * @param classPath of the user's classes, or null.
     * @param jvmArgs   for the JVMs that we start.
     * @throws UsageException if it cannot be run.
     */
    static RankProgram resolve(final List<String> words, final String classPath, final List<String> jvmArgs)
    {
        final String name = words.getFirst();
        final List<String> arguments = words.subList(1, words.size());
        if (classPath == null && Jobs.find(name) != null)
        {
            return jvm(Kind.JOB, "", jvmArgs, Main.class.getName(), words);
        }
        if (name.endsWith(".jar"))
        {
            final String mainClass = UserClasses.mainClass(name);
            final List<String> options = new ArrayList<>(UserClasses.jvmArgs(name));
            options.addAll(jvmArgs);
            return jvm(Kind.JVM, classPath == null ? name : name + ":" + classPath, options, mainClass, arguments);
        }
        if (classPath != null)
        {
            UserClasses.check(name, classPath);
            return jvm(Kind.JVM, classPath, jvmArgs, name, arguments);
        }
        if (!jvmArgs.isEmpty())
        {
            throw new UsageException("-J '" + jvmArgs.getFirst() + "' is for JVMs that tutti starts, and '" + name +
                "' is a program: give it its options itself");
        }
        return new RankProgram(Kind.EXECUTABLE, "", List.of(), words);
    }

    private static RankProgram jvm(
        final Kind kind,
        final String classPath,
        final List<String> jvmArgs,
        final String mainClass,
        final List<String> arguments)
    {
        final List<String> words = new ArrayList<>();
        words.add(mainClass);
        words.addAll(arguments);
        return new RankProgram(kind, classPath, jvmArgs, words);
    }

    /**
     * The command, ready for the operating system of this host.
     *
     * @param directory that it will work in; null for this process's own.
     * @throws UsageException if there is no such program here.
     */
    List<String> command(final Path directory)
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
