/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;
import org.tutti.launcher.cli.Main;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The man page lists all commands, and all options of {@code tutti run}. With {@code TUTTI_WRITE_GOLDEN=1} in the
 * environment this test writes these lists.
 */
class ManPageTest
{
    private static final Path PAGE = Project.ROOT.resolve("distribution/man/tutti.1");

    @Test
    void shouldListAllCommandsAndOptions() throws IOException
    {
        final String page = Files.readString(PAGE);
        final String expected = replace(replace(page, "commands", commands()), "options", options());

        if ("1".equals(System.getenv("TUTTI_WRITE_GOLDEN")))
        {
            Files.writeString(PAGE, expected);
        }
        assertEquals(expected, Files.readString(PAGE),
            PAGE + " is out of date: run this test with TUTTI_WRITE_GOLDEN=1");
    }

    /** Replaces the lines between two comments. */
    private static String replace(final String page, final String name, final String lines)
    {
        final String begin = "\n.\\\" " + name + "\n";
        final int start = page.indexOf(begin) + begin.length();
        final int end = page.indexOf(".\\\" end of " + name + "\n");
        assertTrue(start >= begin.length() && end >= start, PAGE + " lacks the comments of the list of " + name);
        return page.substring(0, start) + lines + page.substring(end);
    }

    private static String commands()
    {
        final Map<String, CommandLine> commands = new TreeMap<>(Main.commandLine().getSubcommands());
        return commands.entrySet().stream()
            .map(command -> entry("\\fB" + escape(command.getKey()) + "\\fR", description(command.getValue())))
            .collect(Collectors.joining());
    }

    private static String description(final CommandLine command)
    {
        final UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        return usage.header().length == 0 ? usage.description()[0] : usage.header()[0];
    }

    private static String options()
    {
        return Main.commandLine().getSubcommands().get("run").getCommandSpec().options().stream()
            .map(option -> entry(names(option), option.description()[0])).collect(Collectors.joining());
    }

    private static String names(final OptionSpec option)
    {
        final String names = Arrays.stream(option.names()).map(name -> "\\fB" + escape(name) + "\\fR")
            .collect(Collectors.joining(", "));
        return names + (option.arity().max() == 0 ? "" : " \\fI" + escape(option.paramLabel()) + "\\fR");
    }

    private static String entry(final String term, final String text)
    {
        return ".TP\n" + term + "\n" + escape(String.format(text).replace('\n', ' ')) + "\n";
    }

    /** Escapes what roff interprets. */
    private static String escape(final String text)
    {
        final String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
