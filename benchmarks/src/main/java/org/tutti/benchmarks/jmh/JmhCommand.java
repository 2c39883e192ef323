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
 * The job {@code jmh}: passes its arguments to JMH, whose options and exit codes apply. The forked JVMs run with the
 * JVM options of ranks: those of this JVM, the launcher, limit the JIT compiler.
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
    /** File of JVM options for ranks, set by the script that starts the launcher. */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("unused") // picocli only needs the field to exist.
    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit; -h shows JMH's.")
    private boolean isHelpAsked;

    @Unmatched
    private List<String> words = new ArrayList<>();

    /** Required by {@link java.util.ServiceLoader}. */
    public JmhCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        OptionRules.require(spec, size == 1, "-np " + size, "jmh runs in one process: give -np 1 or omit -np");
    }

    @Override
    public Integer call() throws IOException
    {
        org.openjdk.jmh.Main.main(withRankOptions(words, RANK_OPTIONS).toArray(String[]::new));
        return 0;
    }

    /**
     * Adds the JVM options of ranks, unless the user gives JVM options or {@code file} is null because no Tutti script
     * started this process.
     */
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
