/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.List;

/**
 * Latency of a flag from one core to another, in nanoseconds, as measured by {@code peers/core_distance.c}. When the
 * host of a virtual machine moves virtual processors, this latency changes, and the latency of small messages with it.
 *
 * @param program  compiled program, or null if there is only one core.
 * @param commands runs the program.
 */
record CoreLatency(Path program, Commands commands)
{
    static CoreLatency of(final PeerPrograms programs) throws InterruptedException
    {
        return new CoreLatency(Runtime.getRuntime().availableProcessors() == 1 ? null :
            programs.compile("cc", "core_distance.c", "core_distance"), programs.commands());
    }

    /**
     * Measures the latency, which takes about ten milliseconds.
     *
     * @return latency in nanoseconds; 0 if there is only one core.
     * @throws SuiteException       if the output of the program is not a number.
     * @throws InterruptedException if this process is to exit.
     */
    int measureNs() throws InterruptedException
    {
        if (program == null)
        {
            return 0;
        }
        final String output = commands.run(List.of(program.toString())).strip();
        if (!output.matches("[0-9]{1,9}"))
        {
            throw new SuiteException(program + " must print nanoseconds, but printed: " + output);
        }
        return Integer.parseInt(output);
    }
}
