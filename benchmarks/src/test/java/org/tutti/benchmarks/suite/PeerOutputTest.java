/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PeerOutputTest
{
    private static final String TABLE = """
        # mpi_perf: Open MPI v4.1.4, 2 ranks
        #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw
                   4             1     float     sum      -1     0.15    0.03    0.03       0     0.13    0.03
        # exact 4 0.1463 0.1311
                  16             4     float     sum      -1     0.15    0.11    0.11       0     0.14    0.12
        # exact 16 0.1484 -1.0000
        # Out of bounds values : 0 OK
        # Avg bus bandwidth    : 0.07
        """;
    private static final String JSON = """
        {"results": [
          {"size": 4, "out_of_place": {"time_us": 0.225}, "in_place": {"time_us": 0.3}},
          {"size": 16, "out_of_place": {"time_us": 0.25}, "in_place": null}],
         "out_of_bounds": 0}
        """;

    @Test
    void shouldParseOutputOfPeers()
    {
        final PeerOutput reading = PeerOutput.ofTable("mpi_perf", TABLE, false);

        assertEquals("Open MPI v4.1.4", reading.label());
        assertEquals(Map.of(4L, 0.1463, 16L, 0.1484), reading.timesUs());
    }

    @Test
    void shouldSkipSizesNotMeasuredInPlace()
    {
        assertEquals(Map.of(4L, 0.1311), PeerOutput.ofTable("mpi_perf", TABLE, true).timesUs());
        assertEquals(Map.of(4L, 0.3), PeerOutput.ofJson(JSON, true).timesUs());
    }

    @Test
    void shouldParseOutputOfPerf()
    {
        assertEquals(Map.of(4L, 0.225, 16L, 0.25), PeerOutput.ofJson(JSON, false).timesUs());
    }

    @Test
    void shouldParseFirstCalls()
    {
        final String json = """
            {"first_calls": [
              {"size": 4096, "calls": 1, "total_us": 14000.5, "mean_us": 14000.5},
              {"size": 4096, "calls": 10, "total_us": 16000.25, "mean_us": 222.2}],
             "out_of_bounds": 0}
            """;

        assertEquals(Map.of(1L, 14_000.5, 10L, 16_000.25), PeerOutput.ofFirstCalls(json).timesUs());
        assertTrue(refusal(() -> PeerOutput.ofFirstCalls(json.replace("\"out_of_bounds\": 0", "\"out_of_bounds\": 7")))
            .startsWith("tutti perf computed wrong values"));
    }

    @Test
    void shouldRoundToClockResolution()
    {
        assertEquals(Map.of(4L, 0.225133, 16L, 0.25),
            PeerOutput.ofJson(JSON.replace("0.225", "0.22513333333"), false).timesUs());
    }

    @Test
    void shouldRejectWrongValues()
    {
        assertTrue(refusal(() -> PeerOutput.ofTable("mpi_perf", TABLE.replace("0 OK", "3 FAILED"), false))
            .startsWith("mpi_perf computed wrong values"));
        assertTrue(refusal(() -> PeerOutput.ofJson(JSON.replace("\"out_of_bounds\": 0", "\"out_of_bounds\": 7"), false))
            .startsWith("tutti perf computed wrong values"));
    }

    @Test
    void shouldRejectTruncatedOutput()
    {
        assertTrue(refusal(() -> PeerOutput.ofTable("mpi_perf", TABLE.substring(0, TABLE.indexOf("# Out")), false))
            .endsWith("did not finish"));
        assertTrue(refusal(() -> PeerOutput.ofJson(JSON.substring(0, 60), false)).contains("not a JSON object: "));
        assertTrue(refusal(() -> PeerOutput.ofJson("{}", false)).startsWith("cannot parse the report of tutti perf"));
    }

    private static String refusal(final Runnable reading)
    {
        return assertThrows(SuiteException.class, reading::run).getMessage();
    }
}
