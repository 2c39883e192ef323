/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.RankFailure;

/** What the launcher reads from people, and how it speaks to them. */
class WordsTest
{
    @Test
    void shouldReadTheOptionsOfAJar(@TempDir final Path directory) throws IOException
    {
        final Path jar = directory.resolve("a.jar");
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Add-Opens", "java.base/java.lang java.base/java.io");
        manifest.getMainAttributes().putValue("Add-Exports", "java.base/sun.nio.ch");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        assertEquals(
            List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
            UserClasses.jvmArgs(jar.toString()));
    }

    @Test
    void shouldSayErrorsAsPartsOfSentencesAndKeepNames()
    {
        assertEquals("no such host", UsageErrors.lineOf("No such host\nand more"));
        assertEquals("TUTTI_ALGORITHM=\"x\": no range", UsageErrors.lineOf("TUTTI_ALGORITHM=\"x\": no range"));
        assertEquals("wrong command line", UsageErrors.lineOf(null));
    }

    @ParameterizedTest
    @CsvSource({
        "250ms, 250000000", "3, 3000000000", "3s, 3000000000", "0.5s, 500000000", "2m, 120000000000",
        "1min, 60000000000", "1.5h, 5400000000000", "2 S, 2000000000"})
    void shouldReadDurations(final String text, final long ns)
    {
        assertEquals(ns, DurationOption.parse("--timeout", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0s", "-1s", "1d", "s", "1s2", "99999999999h", "1e3"})
    void shouldRefuseWhatIsNoDuration(final String text)
    {
        assertThrows(UsageException.class, () -> DurationOption.parse("--timeout", text));
    }

    @ParameterizedTest
    @CsvSource({"1000000, 1 ms", "999000000, 999 ms", "1000000000, 1 s", "1500000000, 1.5 s", "60000000000, 60 s"})
    void shouldSayDurations(final long ns, final String text)
    {
        assertEquals(text, Wording.duration(ns));
    }

    @ParameterizedTest
    @CsvSource({
        "--tga, --tag, 1", "rnu, run, 1", "hello, hello, 0", "helo, hello, 1", "perf, pi, 3", "'', ab, 2",
        "--output, --output-dir, 4"})
    void shouldCountSlipsBetweenWords(final String a, final String b, final int distance)
    {
        assertEquals(distance, Nearest.distance(a, b));
        assertEquals(distance, Nearest.distance(b, a));
    }

    @Test
    void shouldNotRepeatWhatARankSaidOfItsFailure()
    {
        final RankFailure failure = new RankFailure(1, "here", 11, "aborted: rank 1 cannot connect: no device");

        assertEquals("tutti: " + failure, FailureReport.text(failure, List.of("tutti: rank 1: no device")));
        assertEquals("tutti: " + failure + "\ntutti: its last words:\n    a\n    tutti: rank 1: no device",
            FailureReport.text(failure, List.of("a", "tutti: rank 1: no device")));
        assertEquals("tutti: " + failure, FailureReport.text(failure, List.of()));
    }

    @Test
    void shouldHintOnlyAtWhatIsNear()
    {
        assertEquals("; did you mean 'run'?", Nearest.hint("rnu", List.of("perf", "run")));
        assertEquals("; did you mean 'run'?", Nearest.hint("rn", List.of("perf", "run")));
        assertEquals("; did you mean '-np'?", Nearest.hint("-nb", List.of("-np", "-q")));
        assertEquals("", Nearest.hint("python3", List.of("perf", "run")));
        assertEquals("", Nearest.hint("-z", List.of("-n", "-x", "--tag")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{3}|rank 3", "{0,1}|ranks 0, 1", "{0,1,2,5,7,8}|ranks 0-2, 5, 7, 8"})
    void shouldNameRanks(final String set, final String name)
    {
        final BitSet ranks = new BitSet();
        for (final String rank : set.substring(1, set.length() - 1).split(",", -1))
        {
            ranks.set(Integer.parseInt(rank));
        }

        assertEquals(name, Wording.ranks(ranks));
    }

    @Test
    void shouldReadTheKernelsListOfCores()
    {
        assertEquals(List.of(0, 1, 2, 3, 8, 10, 11), Cores.parse("0-3,8,10-11"));
        assertEquals(List.of(5), Cores.parse("5"));
    }

    @Test
    void shouldKeepTheLastLinesThatSaySomething()
    {
        final LastLines lines = new LastLines();
        final byte[] text = "a\n\nb\n".repeat(20).concat("x".repeat(1000)).getBytes(StandardCharsets.UTF_8);
        lines.add(text, 0, text.length);

        assertEquals(List.of("b", "a", "b", "a", "b", "a", "b", "x".repeat(240)), lines.lines());
    }
}
