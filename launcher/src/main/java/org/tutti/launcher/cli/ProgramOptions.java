/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

import org.tutti.launcher.SettingsCheck;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.WorkingDirectory;
import org.tutti.launcher.io.CommandWords;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;
import org.tutti.launcher.rank.Jobs;
import org.tutti.launcher.rank.ProgramSpec;
import org.tutti.launcher.rank.RankVariables;

/** The options of {@code tutti run} for a program and its ranks, which each section of the command line has. */
final class ProgramOptions
{
    /** Variables that name files. */
    private static final List<String> FILES = List.of("TUTTI_TUNING", "TUTTI_MODEL");

    private static final String NP = "-np";
    private static final String CLASS_PATH = "-cp";
    private static final String VARIABLE = "-x";
    private static final String JVM_ARG = "--jvm-arg";

    private final OptionBuilder options;
    private final List<String> words;

    /**
     * Reads the values of these options.
     *
     * @param options the options of the section.
     * @param words   the command of the ranks.
     */
    ProgramOptions(final OptionBuilder options, final List<String> words)
    {
        this.options = options;
        this.words = words;
    }

    static void addSizeTo(final OptionBuilder options)
    {
        options.text("N", "Number of ranks (default with hosts: one per slot).", NP, "-n");
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .text("PATH", "Class path of jars and directories; COMMAND is then a main class.", CLASS_PATH)
            .texts("VAR[=VALUE]", "Sets an environment variable of the ranks, or exports the launcher's. " +
                "Repeatable.", VARIABLE)
            .texts("ARG", "Passes an option to the ranks' JVMs, such as -J-Xmx2g. Repeatable.", "-J", JVM_ARG);
    }

    /**
     * Returns the number of ranks.
     *
     * @return the number that the user gave, or -1.
     * @throws UsageException if it is invalid.
     */
    int size()
    {
        final String ranks = options.valueOf(NP);
        if (ranks == null)
        {
            return -1;
        }
        try
        {
            final int size = Integer.parseInt(ranks);
            if (size >= 1 && size <= RankPlacement.MAX_RANKS)
            {
                return size;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Reported like a number out of range.
            throw badSize(ranks);
        }
        throw badSize(ranks);
    }

    private static UsageException badSize(final String ranks)
    {
        return new UsageException("invalid number of ranks -np '" + ranks + "': give 1 to " + RankPlacement.MAX_RANKS);
    }

    /** Returns the name of the program, as the user gave it. */
    String name()
    {
        return words.getFirst();
    }

    /**
     * Determines what the ranks execute, and checks it without starting anything.
     *
     * @param size   the number of ranks.
     * @param shared the options that apply to the ranks of all sections.
     * @param here   where this host starts the program; null if ranks on other hosts only execute it.
     * @throws UsageException if the options are invalid, or this host lacks the program.
     */
    JobSpec.Section section(final int size, final OptionBuilder shared, final JobSpec.Where here)
    {
        final Map<String, String> environment = environment(shared);
        final ProgramSpec program = CommandResolver.resolve(words, options.valueOf(CLASS_PATH), options.allOf(JVM_ARG));
        if (here != null)
        {
            // Other hosts may have programs that this one lacks; their agents check them.
            program.command(here.directory(), environment);
        }
        return new JobSpec.Section(size, program, environment);
    }

    /**
     * Checks a job's arguments.
     *
     * @param section the section that {@link #section} returned.
     * @param size    the number of ranks of all sections.
     * @return null if the program can be started, else the exit code, after the error or the help was printed.
     */
    Integer check(final JobSpec.Section section, final int size)
    {
        // The launcher checks a job's options once, before it starts any rank.
        return section.program().kind() == ProgramSpec.Kind.JOB ? JobRunner.check(words, size) : null;
    }

    /**
     * Adds the jars that a built-in job needs besides Tutti's. The job may download them now.
     *
     * @param section the section that {@link #section} returned, checked.
     * @return the section with the class path of its ranks.
     * @throws UsageException if a jar is missing.
     */
    JobSpec.Section withJars(final JobSpec.Section section)
    {
        final ProgramSpec program = section.program();
        if (program.kind() != ProgramSpec.Kind.JOB)
        {
            return section;
        }
        try
        {
            final String classPath = Jobs.find(words.getFirst()).classPath();
            return new JobSpec.Section(section.size(),
                new ProgramSpec(program.kind(), classPath, program.jvmArgs(), program.words()), section.environment());
        }
        catch (final IllegalStateException ex)
        {
            throw new UsageException(ex.getMessage());
        }
    }

    private Map<String, String> environment(final OptionBuilder shared)
    {
        final Map<String, String> environment = new LinkedHashMap<>();
        for (final String variable : options.allOf(VARIABLE))
        {
            final int equals = variable.indexOf('=');
            final String name = equals < 0 ? variable : variable.substring(0, equals);
            final String value = equals < 0 ? System.getenv(name) : variable.substring(equals + 1);
            if (name.isEmpty())
            {
                throw new UsageException("-x '" + variable + "' lacks the name of the variable: give VAR or VAR=VALUE");
            }
            if (value == null)
            {
                throw new UsageException("-x " + name + " is not set: set it, or give -x " + name + "=VALUE");
            }
            if (RankVariables.isOwn(name))
            {
                throw new UsageException("-x " + name + " is reserved, tutti sets it for each rank: leave it out");
            }
            if (equals >= 0 && RankVariables.isLaunchers(name))
            {
                throw new UsageException("-x " + name + " is read by the launcher, not by ranks: run " +
                    name + "=" + CommandWords.quote(value) + " tutti run ...");
            }
            environment.put(name, value);
        }
        PortOptions.putInto(environment, shared);
        checkSettings(environment);
        nameFiles(environment);
        return environment;
    }

    /** Resolves paths against the user's directory, not against the ranks' working directory. */
    private static void nameFiles(final Map<String, String> environment)
    {
        for (final String variable : FILES)
        {
            final String name = environment.getOrDefault(variable, System.getenv(variable));
            if (name != null && !name.isBlank())
            {
                environment.put(variable, Path.of(WorkingDirectory.name()).resolve(name.strip()).toString());
            }
        }
    }

    /** Checks the settings once, before any rank is started. */
    private static void checkSettings(final Map<String, String> given)
    {
        final Map<String, String> settings = RankVariables.settings();
        settings.putAll(given);
        if (settings.isEmpty())
        {
            return;
        }
        for (final SettingsCheck check : ServiceLoader.load(SettingsCheck.class))
        {
            final String problem = check.problem(settings);
            if (problem != null)
            {
                throw new UsageException(problem);
            }
        }
    }
}
