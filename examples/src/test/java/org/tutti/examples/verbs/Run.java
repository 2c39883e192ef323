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

    /** Runs it to its end. */
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

    /** Checks the words as the launcher does, for a job of so many ranks. */
    void check(final int ranks, final String... words)
    {
        final CommandLine named = commandLine.parseArgs(words).asCommandLineList().getLast();
        final JobCommand command = named.getCommand();
        command.check(ranks);
    }

    /** The exit code, or -1 while it runs. */
    int code()
    {
        return code;
    }

    /** What it has said so far. */
    String text()
    {
        return text.toString();
    }
}
