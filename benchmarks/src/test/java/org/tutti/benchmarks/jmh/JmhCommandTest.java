/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.CommandLineOptions;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class JmhCommandTest
{
    @Test
    void shouldPassRankOptionsToForksByDefault() throws Exception
    {
        final List<String> words = JmhCommand.withRankOptions(List.of("PostBenchmark", "-f", "1"), "/a b/rank.options");

        final CommandLineOptions options = new CommandLineOptions(words.toArray(String[]::new));
        assertEquals(List.of("@/a b/rank.options"), List.copyOf(options.getJvmArgs().get()));
        assertEquals(List.of("PostBenchmark"), options.getIncludes());
    }

    @Test
    void shouldNotPassRankOptionsWhenJvmArgsAreGiven()
    {
        final List<String> words = List.of("-jvmArgs", "-Xint");

        assertEquals(words, JmhCommand.withRankOptions(words, "/rank.options"));
        assertEquals(List.of("-l"), JmhCommand.withRankOptions(List.of("-l"), null));
    }
}
