/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.List;

/**
 * How many nanoseconds a flag takes from one core to another, by {@code peers/core_distance.c}. On a virtual machine it
 * changes, and all small messages with it: the host may move the machine's processors.
 *
 * @param program  compiled, or null where there is only one core.
 * @param commands command that runs it.
 */
record CoreDistance(Path program, Commands commands)
{
    static CoreDistance of(final PeerPrograms programs) throws InterruptedException
    {
        return new CoreDistance(Runtime.getRuntime().availableProcessors() == 1 ? null :
            programs.compile("cc", "core_distance.c", "core_distance"), programs.commands());
    }

    /**
     * Measures it, which takes some ten milliseconds.
     *
     * @return nanoseconds; 0 where there is only one core.
     * @throws SuiteException       if the program says no number.
     * @throws InterruptedException if this process is to end.
     */
    int measureNs() throws InterruptedException
    {
        if (program == null)
        {
            return 0;
        }
        final String said = commands.run(List.of(program.toString())).strip();
        if (!said.matches("[0-9]{1,9}"))
        {
            throw new SuiteException(program + " should have said nanoseconds, and said: " + said);
        }
        return Integer.parseInt(said);
    }
}
