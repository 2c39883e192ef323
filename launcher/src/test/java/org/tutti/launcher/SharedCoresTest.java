/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.launcher.host.Cores;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.rank.JvmShare;

/** Tests the start of more ranks than cores. */
@Timeout(60)
class SharedCoresTest
{
    private static final Path AUTOGROUP = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

    @TempDir
    private Path directory;

    /** With separate sessions they could not yield to each other: sched_yield(2) works within an autogroup. */
    @Test
    void shouldRunAllRanksInOneSession() throws IOException
    {
        assumeThat(Files.exists(AUTOGROUP) && Files.readString(AUTOGROUP).startsWith("1"),
            "autogroup scheduling is off: set 'sysctl kernel.sched_autogroup_enabled=1'");
        assumeThat(SpawnPrefix.find("perl") != null, "perl is missing: run 'apt-get install perl-base'");

        // The session, from pid (name) state ppid pgrp session.
        final List<String> out = runOnTooFewCores("cut -d' ' -f6 /proc/$$/stat");

        assertEquals(1, out.stream().distinct().count(), out::toString);
    }

    @Test
    void shouldRunEachRankInItsOwnProcessGroupWhenRanksShareCores()
    {
        // pid (name) state ppid pgrp
        final List<String> out = runOnTooFewCores("cut -d' ' -f1,5 /proc/$$/stat");

        out.forEach(line -> assertTrue(line.matches("(\\d+) \\1"), line));
    }

    /** Ranks see no effect of the perl script that starts them. */
    @Test
    void shouldStartWithAnyPerlSettingsInEnvironment()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(
            Map.of("LC_ALL", "xx_XX.UTF-8", "PERL5OPT", "-Mno::such::module"),
            "run", "-q", "-np", tooMany(), "sh", "-c", "echo $LC_ALL $PERL5OPT $PERL_BADLANG"))
        {
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(Collections.nCopies(Cores.count() + 1, "xx_XX.UTF-8 -Mno::such::module"), result.outLines(),
                result.err());
            assertFalse(result.err().contains("perl"), result.err());
        }
    }

    @Test
    void shouldDivideMemoryAndCoresBetweenJvms()
    {
        final TuttiProcess.Result result =
            TuttiProcess.run("run", "-v", "-np", "4", "-J-XX:+PrintFlagsFinal", "sample-rank", "leave");

        assertEquals(0, result.code(), result.err());
        final int threads = Math.max(1, Cores.count() / 4);
        final double percent = JvmShare.totalPercent() / 4.0;
        assertEquals(4, count(result, "double MaxRAMPercentage += " + Pattern.quote(Double.toString(percent)) +
            ".*command line.*"), result.out());
        assertEquals(4, count(result, "uint ParallelGCThreads += " + threads + " .*command line.*"), result.out());
        assertTrue(result.err().contains("4 JVMs on " + Cores.count() +
            (Cores.count() == 1 ? " core" : " cores") + ", each with a heap of at most " +
            String.format(Locale.ROOT, "%.3g", percent) + " % of the memory, " + threads + " GC thread"), result.err());
    }

    private static long count(final TuttiProcess.Result result, final String line)
    {
        return result.outLines().stream().filter(text -> text.strip().matches(line)).count();
    }

    @Test
    void shouldReportProgramThatCannotBeExecuted() throws IOException
    {
        final Path broken = Files.writeString(directory.resolve("broken"), "#!/no/such/shell\n");
        assertTrue(broken.toFile().setExecutable(true));

        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-q", "-np", tooMany(), broken.toString());

        assertEquals(127, result.code(), result.err());
        assertTrue(result.err().contains(broken + ": No such file or directory") ||
            result.err().contains("failed to execute " + broken), result.err());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetRankZeroReadTerminal(final boolean sharesCores) throws IOException, InterruptedException
    {
        assumeThat(onTerminal("true").start().waitFor() == 0,
            "script cannot make a terminal: run 'apt-get install bsdutils', and provide /dev/ptmx");
        final Path script = directory.resolve("command");
        Files.writeString(script, TuttiProcess.command().stream().map(word -> "'" + word + "' ")
            .collect(Collectors.joining()) + "run -q -np " + (sharesCores ? tooMany() : "1") +
            " sh -c 'if [ $RANK = 0 ]; then read word; echo \"got $word\"; fi'\n");
        final Path typed = Files.writeString(directory.resolve("typed"), "some words\n");
        final Path out = directory.resolve("out");
        final Process process = onTerminal("sh " + script)
            .redirectInput(typed.toFile()).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try
        {
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), () -> TuttiProcess.read(out));
            assertTrue(TuttiProcess.read(out).contains("got some words"), () -> TuttiProcess.read(out));
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private static ProcessBuilder onTerminal(final String command)
    {
        // If script is missing, sh prints an error and fails.
        final ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec script -qec '" + command + "' /dev/null");
        builder.environment().put("SHELL", "/bin/sh");
        return builder;
    }

    private static List<String> runOnTooFewCores(final String command)
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", tooMany(), "sh", "-c", command);
        assertEquals(0, result.code(), result.err());
        assertEquals(tooMany(), Integer.toString(result.outLines().size()));
        return result.outLines();
    }

    private static String tooMany()
    {
        return Integer.toString(Cores.count() + 1);
    }

    private static void assumeThat(final boolean holds, final String otherwise)
    {
        if (!holds)
        {
            System.err.println("SharedCoresTest is skipped in part: " + otherwise);
        }
        assumeTrue(holds, otherwise);
    }
}
