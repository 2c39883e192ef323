/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The job {@code jmh}: hands its words to JMH, whose options and exit codes apply. Benchmarks run in JVMs with the
 * options of ranks: this one has those of the launcher, whose compiler optimizes little.
 */
@Command(
    name = "jmh",
    description = "Runs the micro-benchmarks, with JMH's own options (-h lists them, -l the benchmarks).",
    footer = {
        "",
        "Examples:",
        "  tutti jmh ReduceBenchmark -p op=SUM -p length=65536",
        "  tutti jmh 'PostBenchmark|ExchangeBenchmark' -prof gc",
        "  tutti jmh PostBenchmark -p transport=shm,verbs",
    })
public final class JmhCommand implements JobCommand
{
    private static final String JVM_ARGS = "-jvmArgs";
    /** The file of options for ranks' JVMs, by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("unused") // That it is given is all that picocli asks.
    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit; -h shows JMH's.")
    private boolean isHelpAsked;

    @Unmatched
    private List<String> words = new ArrayList<>();

    /** For {@link java.util.ServiceLoader}. */
    public JmhCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        OptionRules.require(spec, size == 1, "-np " + size, "jmh is one process: give -np 1, or leave it out");
    }

    @Override
    public Integer call() throws IOException
    {
        org.openjdk.jmh.Main.main(withRankOptions(words, RANK_OPTIONS).toArray(String[]::new));
        return 0;
    }

    /** Unless the user says what options there are, or what started this is no script of ours. */
    static List<String> withRankOptions(final List<String> words, final String file)
    {
        final List<String> all = new ArrayList<>(words);
        if (file != null && !words.contains(JVM_ARGS))
        {
            all.add(JVM_ARGS);
            all.add("\"@" + file + "\"");
        }
        return all;
    }
}
