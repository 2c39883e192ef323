/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.io.ExitCode;

class JobRunnerTest
{
    /** Picocli rejects a job without an annotation. */
    @Test
    void shouldReportFailureOfJobWithoutAnnotation()
    {
        final JobCommand job = new JobCommand()
        {
            @Override
            public boolean hasArguments()
            {
                return false;
            }

            @Override
            public Integer call()
            {
                throw new IllegalStateException("broken");
            }
        };
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PrintStream err = System.err;
        System.setErr(new PrintStream(output, true, StandardCharsets.UTF_8));
        final int code;
        try
        {
            code = JobRunner.run(job, List.of("unannotated"));
        }
        finally
        {
            System.setErr(err);
        }

        final String text = output.toString(StandardCharsets.UTF_8);
        assertEquals(ExitCode.FAILURE, code);
        assertTrue(text.startsWith("tutti: java.lang.IllegalStateException: broken"), text);
    }
}
