/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The job {@code jmh}: hands its words to JMH, whose options and exit codes apply. */
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
    @Unmatched
    private List<String> words = new ArrayList<>();

    /** For {@link java.util.ServiceLoader}. */
    public JmhCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        org.openjdk.jmh.Main.main(words.toArray(String[]::new));
        return 0;
    }
}
