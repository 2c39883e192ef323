/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The columns are those of nccl-tests, so that scripts can parse the output of both. */
class ResultTableTest
{
    @Test
    void shouldPrintHeaderOfNcclTests()
    {
        assertEquals(
            "# " + " ".repeat(61) + "out-of-place" + " ".repeat(23) + "in-place" + " ".repeat(10) + "\n" +
                "#       size         count      type   redop    root     time   algbw   busbw #wrong" +
                "     time   algbw   busbw #wrong\n" +
                "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)       " +
                "     (us)  (GB/s)  (GB/s)       ",
            ResultTable.header(Mode.BLOCKING));
    }

    @Test
    void shouldPrintARow()
    {
        final Row row = new Row(67_108_864, 16_777_216, "float", "sum", -1,
            new Measurement(12_345.6, 5.436, 8.154, 0, null, null, 0),
            new Measurement(123.45, 543.6, 1_234.56, 3, null, null, 0));

        assertEquals(
            "    67108864      16777216     float     sum      -1    12346    5.44    8.15       0    123.5  543.60" +
                "  1234.6       3",
            ResultTable.row(row));
    }

    @Test
    void shouldPrintNotAvailableForMissingFigures()
    {
        final Row row = new Row(8, 2, "float", "none", 0, null,
            new Measurement(0.987, 0.0081, 0.0081, Measurement.UNCHECKED, null, null, 0));

        assertEquals(
            "           8             2     float    none       0      N/A     N/A     N/A     N/A     0.99    0.01" +
                "    0.01     N/A",
            ResultTable.row(row));
    }

    @Test
    void shouldPrintOverlapInSeparateColumns()
    {
        final Measurement half =
            new Measurement(20, 0, 0, 0, null, new Overlap(25.5, 21, 20), 0);
        final String row = ResultTable.row(new Row(8, 2, "float", "sum", -1, half, null));

        assertEquals(
            "           8             2     float     sum      -1    25.50    21.00    20.00     77.5      0" +
                "      N/A      N/A      N/A      N/A    N/A",
            row);
        for (final String line : ResultTable.header(Mode.NONBLOCKING).lines().skip(1).toList())
        {
            assertEquals(row.length(), line.length(), line);
        }
    }

    @Test
    void shouldComputeOverlapAsOsuDoes()
    {
        assertEquals(100, new Overlap(20, 20, 20).percent());
        assertEquals(0, new Overlap(40, 20, 20).percent());
        assertEquals(0, new Overlap(60, 20, 20).percent());
        assertEquals(100, new Overlap(19, 20, 20).percent());
        assertEquals(75, new Overlap(25, 20, 20).percent());
    }

    @Test
    void shouldPrintManyWrongElementsInSixDigits()
    {
        final Measurement half = new Measurement(1, 1, 1, 1_234_567, null, null, 0);

        assertEquals("1.23457e+06",
            ResultTable.row(new Row(8, 2, "float", "sum", -1, half, half)).substring(79, 90));
    }

    @Test
    void shouldPrintTheFooter()
    {
        assertEquals("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 3.14159\n#",
            ResultTable.footer(0, 3.14159265, List.of()));
        assertEquals("# Out of bounds values : 7 FAILED\n# Avg bus bandwidth    : 0\n#",
            ResultTable.footer(7, 0, List.of()));
        assertEquals("# Disturbed times      : 2; compilers, other processes or the host took up to 12 %\n" +
            "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 2\n#",
            ResultTable.footer(0, 2, List.of(0.03, 0.12)));
        assertEquals("# Avg bus bandwidth    : 120.5\n#", ResultTable.footer(0, 120.5, List.of()).split("\n", 2)[1]);
        assertEquals("# Avg bus bandwidth    : 1.2e-05\n#",
            ResultTable.footer(0, 0.000012, List.of()).split("\n", 2)[1]);
    }
}
