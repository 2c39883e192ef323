/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Separate runs of Tutti with flight recordings, because recording slows ranks down.
 *
 * @param plan      plan of the measured cases.
 * @param commands  runs the programs.
 * @param directory parent of a directory per case, with a recording of each rank.
 */
record FlightRecordings(SuitePlan plan, Commands commands, Path directory)
{
    /**
     * Runs each case once, with recordings.
     *
     * @return the directories, in the order of the cases.
     * @throws SuiteException       if a run fails.
     * @throws InterruptedException if this process is to exit.
     */
    List<Path> record() throws InterruptedException
    {
        final Peer tutti = plan.peers().getFirst();
        final List<Path> written = new ArrayList<>();
        for (final Case each : plan.cases())
        {
            final Path recordings =
                directory.resolve(each.operation().label() + "-" + each.ranks() + "-ranks").toAbsolutePath();
            final List<String> command = new ArrayList<>(tutti.command(each, plan.sizes(each)));
            command.addAll(List.of("--jfr", recordings.toString()));
            commands.run(command);
            written.add(recordings);
        }
        return written;
    }
}
