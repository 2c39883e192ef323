/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.tools.DevicesCommand;
import picocli.CommandLine;

/** Checks the output for a real device. */
@Tag("soft-roce")
class DevicesOnRxeTest
{
    @Test
    void shouldChooseIpv4GidAndShowAllAttributes()
    {
        final StringWriter text = new StringWriter();
        final CommandLine command = new CommandLine(new DevicesCommand())
            .setOut(new PrintWriter(text, true)).setErr(new PrintWriter(text, true));

        final int code = command.execute("-v", "--transport", "verbs");

        final String out = text.toString();
        assertEquals(0, code, out);
        assertTrue(out.contains("--transport verbs uses rxe0:1 (the only active port), " +
            "GID 1 ::ffff:10.77.0.1 (RoCE v2, IPv4)"), out);
        assertTrue(out.lines().anyMatch(line -> line.matches(" +max_qp_wr +[1-9][0-9]*")), out);
        assertTrue(out.lines().anyMatch(line -> line.matches(" +GID\\[0] fe80::.*, RoCE v2, \\w+")), out);
        assertTrue(out.lines().anyMatch(line -> line.matches(" +phys_state +LINK_UP")), out);
    }
}
