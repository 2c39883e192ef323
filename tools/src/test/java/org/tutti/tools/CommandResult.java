/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;

import picocli.CommandLine;

/** Exit code and output of a command. */
record CommandResult(int exitCode, String out, String err)
{
    static CommandResult by(final Object command, final String... args)
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final int exitCode = new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(args);
        return new CommandResult(exitCode, out.toString(), err.toString());
    }

    CommandResult succeeds()
    {
        assertEquals(0, exitCode, err);
        return this;
    }

    String refusal()
    {
        assertEquals(2, exitCode, out);
        return err.lines().findFirst().orElse("");
    }
}
