/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.RankFailure;

class FailureReportTest
{
    @Test
    void shouldNotRepeatRanksOwnReportOfItsFailure()
    {
        final RankFailure failure = new RankFailure(1, "here", 11, "aborted: rank 1 cannot connect: no device");

        assertEquals("tutti: " + failure, FailureReport.text(failure, "", List.of("tutti: rank 1: no device")));
        assertEquals("tutti: " + failure + "\ntutti: its last output:\n    a\n    tutti: rank 1: no device",
            FailureReport.text(failure, "", List.of("a", "tutti: rank 1: no device")));
        assertEquals("tutti: " + failure, FailureReport.text(failure, "", List.of()));
    }
}
