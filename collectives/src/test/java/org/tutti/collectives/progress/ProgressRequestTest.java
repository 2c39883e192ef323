/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.progress.ProgressRequest.State;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProgressRequestTest
{
    /** A thread that sees that the request is done may close its buffers. */
    @ParameterizedTest
    @EnumSource(value = State.class, names = {"DONE", "FAILED", "CANCELLED"})
    void shouldReleaseItsBuffersBeforeItIsDone(final State end)
    {
        final int[] released = new int[1];
        final ProgressRequest request = new ProgressRequest(null, Long.MAX_VALUE, false)
        {
            @Override
            protected void useBuffers(final int change)
            {
                assertFalse(isDone());
                released[0] += change;
            }
        };
        request.started();
        request.end(end, end == State.FAILED ? new CollectiveException(1, "failed by the test", null) : null);
        assertTrue(request.isDone());
        assertEquals(-1, released[0]);
    }
}
