/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.launcher.JobCommand;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A run of {@code tutti example …} in this process. */
final class Run
{
    private final StringWriter text = new StringWriter();
    private final CommandLine commandLine;
    private volatile int code = -1;

    Run()
    {
        final PrintWriter out = new PrintWriter(text, true);
        commandLine = new CommandLine(new ExampleCommand()).setOut(out).setErr(out);
    }

    /** Runs the command to completion. */
    static Run of(final String... words)
    {
        final Run run = new Run();
        run.execute(words);
        return run;
    }

    void execute(final String... words)
    {
        code = commandLine.execute(words);
    }

    /** Checks the options as the launcher does, for a number of ranks. */
    void check(final int ranks, final String... words)
    {
        final CommandLine named = commandLine.parseArgs(words).asCommandLineList().getLast();
        final JobCommand command = named.getCommand();
        command.check(ranks);
    }

    /** Exit code, or -1 while it is running. */
    int code()
    {
        return code;
    }

    /** Output so far. */
    String text()
    {
        return text.toString();
    }
}
