/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.ArrayList;
import java.util.List;

import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.rank.Jobs;
import org.tutti.launcher.rank.ProgramSpec;

/** Determines what ranks execute for the command that the user gave. Stateless. */
final class CommandResolver
{
    private CommandResolver()
    {
    }

    /**
     * Resolves a command to a built-in job, a jar, a main class, or any program.
     *
     * @param words     the command and its arguments.
     * @param classPath the user's class path, or null.
     * @param jvmArgs   the options of the ranks' JVMs.
     * @return what each rank executes.
     * @throws UsageException if the command cannot be run.
     */
    static ProgramSpec resolve(final List<String> words, final String classPath, final List<String> jvmArgs)
    {
        final String name = words.getFirst();
        final List<String> arguments = words.subList(1, words.size());
        if (classPath == null && Jobs.find(name) != null)
        {
            return jvm(ProgramSpec.Kind.JOB, "", jvmArgs, Main.class.getName(), words);
        }
        if (name.endsWith(".jar"))
        {
            final String mainClass = UserClasses.mainClass(name);
            final List<String> options = new ArrayList<>(UserClasses.jvmArgs(name));
            options.addAll(jvmArgs);
            final String path = classPath == null ? name : name + ":" + classPath;
            return jvm(ProgramSpec.Kind.JVM, path, options, mainClass, arguments);
        }
        if (classPath != null)
        {
            UserClasses.check(name, classPath);
            return jvm(ProgramSpec.Kind.JVM, classPath, jvmArgs, name, arguments);
        }
        if (!jvmArgs.isEmpty())
        {
            throw new UsageException("-J '" + jvmArgs.getFirst() + "' is for jobs, jars and classes, and '" + name +
                "' is a program: pass the options in its arguments");
        }
        return new ProgramSpec(ProgramSpec.Kind.EXECUTABLE, "", List.of(), words);
    }

    private static ProgramSpec jvm(
        final ProgramSpec.Kind kind,
        final String classPath,
        final List<String> jvmArgs,
        final String mainClass,
        final List<String> arguments)
    {
        final List<String> words = new ArrayList<>();
        words.add(mainClass);
        words.addAll(arguments);
        return new ProgramSpec(kind, classPath, jvmArgs, words);
    }
}
