/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class WriteOptionsTest
{
    @Test
    void shouldAcceptOptionsOfPerftest()
    {
        assertDoesNotThrow(() -> check(2, "-s", "1M", "-n", "300", "-t", "64", "-Q", "8", "-l", "4", "-I", "0", "-b"));
        assertDoesNotThrow(() -> check(2, "--size", "8", "--post_list", "128"));
        assertDoesNotThrow(() -> check(2, "-t", "1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | -s 0      | -s=0: must be from 1 to 1073741824",
        "2 | -s 2G     | -s=2147483648: must be from 1 to 1073741824",
        "2 | -n 1      | -n=1: must be from 2 to 100000000",
        "2 | -t 0      | -t=0: must be from 1 to 16384",
        "2 | -l 129    | -l=129: must be from 1 to 128",
        "2 | -Q 129    | -Q=129: must be from 0 to 128",
        "2 | -Q 4 -l 3 | -Q=4: must be a multiple of -l, which is 3",
        "2 | -I -1     | -I=-1: must be from 0 to 4096",
        "3 | -s 8      | -np=3: must be 2: the sender and the receiver"})
    void shouldReportValidValuesWhenInvalid(final int ranks, final String words, final String error)
    {
        final ParameterException e = assertThrows(ParameterException.class, () -> check(ranks, words.split(" ", -1)));

        assertEquals(error, e.getMessage());
    }

    private static void check(final int ranks, final String... words)
    {
        final WriteBwJob job = new WriteBwJob();
        new CommandLine(job).parseArgs(words);
        job.check(ranks);
    }
}
