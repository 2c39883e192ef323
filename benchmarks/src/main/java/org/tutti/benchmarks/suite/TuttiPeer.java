/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tutti itself: {@code tutti run -np N perf} with the classes of this process, so that sources changed in the meantime
 * are neither built nor measured.
 *
 * @param scratch directory of this run, for the JSON report.
 */
record TuttiPeer(Path scratch) implements Peer
{
    /**
     * File of the JVM options of ranks, set by the script that started this process; the launcher's file is beside it.
     */
    private static final String RANK_OPTIONS = System.getProperty("tutti.rank.options");
    private static final String UNTIL_COMPILED = "-1";
    private static final String MAIN = "org.tutti.launcher.cli.Main";

    @Override
    public String name()
    {
        return "tutti";
    }

    @Override
    public boolean takes(final Case of)
    {
        return true;
    }

    @Override
    public List<String> command(final Case of, final List<String> sizes)
    {
        final List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        final Path options = RANK_OPTIONS == null ? null : Path.of(RANK_OPTIONS).resolveSibling("launcher.options");
        if (options != null && Files.exists(options))
        {
            command.add("@" + options);
        }
        else
        {
            command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
            if (RANK_OPTIONS != null)
            {
                command.add("-Dtutti.rank.options=" + RANK_OPTIONS);
            }
        }
        command.addAll(List.of(MAIN, "run", "-np", Integer.toString(of.ranks()), "--bind", of.bind()));
        if (of.wire() == Wire.TCP)
        {
            command.addAll(List.of("--transport", "tcp"));
        }
        command.addAll(List.of("perf", of.operation().label()));
        command.addAll(sizes);
        if (!of.isCold())
        {
            // With -w, perf by default has no other warm-up, and would measure code that the JVM is still compiling.
            command.addAll(List.of("--warmup", UNTIL_COMPILED));
        }
        command.addAll(List.of("--json", json().toString()));
        return command;
    }

    @Override
    public PeerOutput read(final Case of, final String output)
    {
        try
        {
            final String text = Files.readString(json());
            return of.isCold() ? PeerOutput.ofFirstCalls(text) : PeerOutput.ofJson(text, of.inPlace());
        }
        catch (final IOException ex)
        {
            throw new SuiteException("tutti perf wrote no report: " + ex.getMessage(), ex);
        }
    }

    private Path json()
    {
        return scratch.resolve("tutti.json");
    }
}
