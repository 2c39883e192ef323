/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.tutti.collectives.DataType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The sums in C beside Java's, without their times. */
class RaceTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void needACompiler() throws InterruptedException
    {
        boolean isThere;
        try
        {
            isThere = new ProcessBuilder("gcc", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .waitFor() == 0;
        }
        catch (final IOException e)
        {
            isThere = false;
            System.err.println("RaceTest is skipped: there is no gcc here; 'apt-get install gcc' brings one");
        }
        assumeTrue(isThere);
    }

    @Test
    void shouldGiveTheSameBitsInC() throws Throwable
    {
        for (final Race race : races())
        {
            race.check();
        }
    }

    /** As compilers for processors without these instructions make them. */
    @Test
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void shouldGiveTheSameBitsInCWithoutVectors() throws Throwable
    {
        for (final Race race : races("-march=x86-64"))
        {
            race.check();
        }
    }

    @Test
    void shouldNotTimeWhatSumsUpSomethingElse() throws Throwable
    {
        final Race race = new Race(DataType.FLOAT16, false, Twin.of(ROOT).loop("bfloat16_sum").orElseThrow());

        final String said = assertThrows(IllegalStateException.class, race::check).getMessage();

        assertTrue(said.matches("sums of FLOAT16 differ: .* and .* are .* by Java and .* by C, element .*"), said);
    }

    @Test
    void shouldLeaveOutATypeThatTheCompilerDoesNotHave() throws Throwable
    {
        final List<Race> races = races("-U__FLT16_MAX__");

        assertEquals(4, races.size());
        assertTrue(out.toString().startsWith("# no row of FLOAT16: this gcc has no such type"), out.toString());
        for (final Race race : races)
        {
            race.check();
        }
    }

    private List<Race> races(final String... options) throws IOException
    {
        return KernelsCommand.races(Twin.of(ROOT, options), new PrintWriter(out, true));
    }
}
