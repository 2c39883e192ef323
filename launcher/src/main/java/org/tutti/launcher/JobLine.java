/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * What each rank executes, found out from the words that the user gave: a job of Tutti's, a jar, a main class, or any
 * program.
 *
 * @param kind    of program.
 * @param command ready for the operating system.
 */
record JobLine(JobSpec.Kind kind, List<String> command)
{
    /** The file of options for ranks' JVMs, by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");

    /**
     * Resolves a command.
     *
     * @param words     the command and its arguments.
     * @param classPath of the user's classes, or null.
     * @param jvmArgs   for the JVMs that we start.
     * @throws UsageException if there is no such command.
     */
    static JobLine resolve(final List<String> words, final String classPath, final List<String> jvmArgs)
    {
        final String name = words.getFirst();
        final List<String> arguments = words.subList(1, words.size());
        if (classPath == null && Jobs.find(name) != null)
        {
            return jvm(JobSpec.Kind.JOB, null, jvmArgs, Main.class.getName(), words);
        }
        if (name.endsWith(".jar"))
        {
            final String mainClass = UserClasses.mainClass(name);
            final List<String> options = new ArrayList<>(UserClasses.jvmArgs(name));
            options.addAll(jvmArgs);
            return jvm(JobSpec.Kind.JVM, join(name, classPath), options, mainClass, arguments);
        }
        if (classPath != null)
        {
            UserClasses.check(name, classPath);
            return jvm(JobSpec.Kind.JVM, classPath, jvmArgs, name, arguments);
        }
        if (!jvmArgs.isEmpty())
        {
            throw new UsageException("-J '" + jvmArgs.getFirst() + "' is for JVMs that tutti starts, and '" + name +
                "' is a program: give it its options itself");
        }
        final List<String> command = new ArrayList<>(words);
        command.set(0, Executables.find(name));
        return new JobLine(JobSpec.Kind.EXECUTABLE, command);
    }

    private static JobLine jvm(
        final JobSpec.Kind kind,
        final String classPath,
        final List<String> jvmArgs,
        final String mainClass,
        final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        if (RANK_OPTIONS != null)
        {
            command.add("@" + RANK_OPTIONS);
        }
        if (RANK_OPTIONS == null || classPath != null)
        {
            // Tutti's jars come first, as they did when the cache of loaded classes was made: with others before them,
            // the JVM would not use it.
            command.addAll(List.of("-cp", join(System.getProperty("java.class.path"), classPath)));
        }
        command.addAll(jvmArgs);
        command.add(mainClass);
        command.addAll(arguments);
        return new JobLine(kind, command);
    }

    private static String join(final String first, final String second)
    {
        return second == null ? first : first + ":" + second;
    }
}
