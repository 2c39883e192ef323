/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.ArrayList;
import java.util.List;

import org.tutti.launcher.Suggestion;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The sections of a command line, each with a program and its number of ranks, separated by words {@code :} as in the
 * standard's {@code mpiexec}. The first section is parsed with the options of {@code tutti run}, the others have only
 * the options of a program. A word of backslashes and a colon loses its first backslash, so that {@code \:} passes a
 * colon to a program.
 */
final class Sections
{
    private static final String SEPARATOR = ":";

    private final OptionBuilder options;
    private final List<ProgramOptions> programs = new ArrayList<>();

    /**
     * Parses the sections.
     *
     * @param spec    the command {@code tutti run}, with the values of the first section.
     * @param options the options of that command.
     * @throws UsageException if a section is invalid.
     */
    Sections(final CommandSpec spec, final OptionBuilder options)
    {
        this.options = options;
        final List<List<String>> sections = split(options.words());
        for (final List<String> section : sections)
        {
            final int number = programs.size() + 1;
            if (section.isEmpty())
            {
                throw new UsageException("section " + number + " of " + sections.size() + " has no COMMAND: give " +
                    "-np N COMMAND before and after each ':', or '\\:' to pass ':' to a program");
            }
            programs.add(number == 1 ? new ProgramOptions(options, section) : parse(spec, number, section));
        }
    }

    /** Splits words at colons, and removes a backslash of each escaped colon. */
    static List<List<String>> split(final List<String> words)
    {
        final List<List<String>> sections = new ArrayList<>();
        sections.add(new ArrayList<>());
        for (final String word : words)
        {
            if (word.equals(SEPARATOR))
            {
                sections.add(new ArrayList<>());
            }
            else
            {
                sections.getLast().add(isEscaped(word) ? word.substring(1) : word);
            }
        }
        return sections;
    }

    private static boolean isEscaped(final String word)
    {
        int backslashes = 0;
        while (backslashes < word.length() && word.charAt(backslashes) == '\\')
        {
            backslashes++;
        }
        return backslashes > 0 && backslashes == word.length() - 1 && word.endsWith(SEPARATOR);
    }

    private static ProgramOptions parse(final CommandSpec run, final int number, final List<String> section)
    {
        final CommandSpec spec = CommandSpec.create().name("run");
        final OptionBuilder options = new OptionBuilder(spec);
        ProgramOptions.addSizeTo(options);
        ProgramOptions.addTo(options);
        options.words("COMMAND", "The program and its arguments.");
        try
        {
            new CommandLine(spec).setStopAtPositional(true).setExpandAtFiles(false)
                .parseArgs(section.toArray(String[]::new));
        }
        catch (final ParameterException ex)
        {
            throw new UsageException("section " + number + ": " + problem(ex, run, spec));
        }
        return new ProgramOptions(options, options.words());
    }

    private static String problem(final ParameterException ex, final CommandSpec run, final CommandSpec section)
    {
        if (!(ex instanceof UnmatchedArgumentException unmatched))
        {
            return UsageErrors.lineOf(ex.getMessage());
        }
        final String word = unmatched.getUnmatched().getFirst();
        final String option = word.split("=", 2)[0];
        return run.findOption(option) != null ?
            option + " applies to all sections: give it before the first COMMAND" :
            "unknown option '" + word + "'" + Suggestion.hint(option, section.optionsMap().keySet());
    }

    /**
     * Returns the number of ranks of all sections.
     *
     * @return the number of ranks, or -1 if the user did not give it for the only section.
     * @throws UsageException if a number is missing or too high.
     */
    int size()
    {
        if (programs.size() == 1)
        {
            return programs.getFirst().size();
        }
        int size = 0;
        for (final ProgramOptions program : programs)
        {
            final int ranks = program.size();
            if (ranks < 0)
            {
                throw new UsageException("the number of ranks of section " + (programs.indexOf(program) + 1) + ", '" +
                    program.name() + "', is missing: give -np N in each section");
            }
            size += ranks;
        }
        if (size > RankPlacement.MAX_RANKS)
        {
            throw new UsageException("the sections have " + size + " ranks, more than the " + RankPlacement.MAX_RANKS +
                " that a job can have: give a lower -np");
        }
        return size;
    }

    /**
     * Checks that nodes that the user starts run one program.
     *
     * @param place the place of this node, or null.
     * @throws UsageException if there are nodes and several sections.
     */
    void checkNodes(final NodePlace place)
    {
        if (place != null && programs.size() > 1)
        {
            throw new UsageException(
                "--nnodes and several sections (':') are mutually exclusive: give one program, or hosts (--host)");
        }
    }

    /**
     * Checks that hosts may be left out only if there is one program: several would get other numbers of ranks.
     *
     * @param restarts the options for restarts.
     * @throws UsageException if hosts may be left out, and there are several sections.
     */
    void checkLeftOut(final RestartOptions restarts)
    {
        if (restarts.mayLeaveOut() && programs.size() > 1)
        {
            throw new UsageException("--min-nodes and several sections (':') are mutually exclusive: without a host, " +
                "the programs would have other numbers of ranks; give one program, or leave --min-nodes out");
        }
    }

    /**
     * Determines what all ranks execute.
     *
     * @param where the hosts of the ranks.
     * @return the sections, in the order of their ranks.
     * @throws UsageException if options are invalid, or this host lacks a program.
     */
    List<JobSpec.Section> of(final JobSpec.Where where)
    {
        final List<JobSpec.Section> sections = new ArrayList<>();
        int first = 0;
        for (final ProgramOptions program : programs)
        {
            final int size = programs.size() == 1 ? where.placement().size() : program.size();
            sections.add(program.section(size, options, isLocal(where.placement(), first, size) ? where : null));
            first += size;
        }
        return sections;
    }

    private static boolean isLocal(final RankPlacement placement, final int first, final int size)
    {
        for (int rank = first; rank < first + size; rank++)
        {
            if (placement.hosts().get(placement.hostOf(rank)).isLocal())
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds the jars that built-in jobs need besides Tutti's.
     *
     * @param sections the sections that {@link #of} returned, checked.
     * @return the sections with the class paths of their ranks.
     * @throws UsageException if a jar is missing.
     */
    List<JobSpec.Section> withJars(final List<JobSpec.Section> sections)
    {
        final List<JobSpec.Section> complete = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++)
        {
            complete.add(programs.get(i).withJars(sections.get(i)));
        }
        return complete;
    }

    /**
     * Checks the arguments of built-in jobs.
     *
     * @param sections the sections that {@link #of} returned.
     * @param size     the number of ranks of all sections.
     * @return null if all programs can be started, else the exit code, after the error or the help was printed.
     */
    Integer check(final List<JobSpec.Section> sections, final int size)
    {
        for (int i = 0; i < sections.size(); i++)
        {
            final Integer code = programs.get(i).check(sections.get(i), size);
            if (code != null)
            {
                return code;
            }
        }
        return null;
    }
}
