/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.WorkCompletionStatus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that hints fit the transport. */
class ErrorHintsTest
{
    private static final String ROCE_PORT = "UDP port 4791";

    @Test
    void shouldNameNetworkAndTcpPortsWhenPeerDoesNotAnswerOverTcp()
    {
        final String hint = ErrorHints.of(WorkCompletionStatus.RETRY_EXC_ERR, "tcp");

        assertTrue(hint.startsWith("the peer does not answer: "), hint);
        assertTrue(hint.contains("loopback") && hint.contains("--device tcp:") && hint.contains("TCP ports"), hint);
        assertFalse(hint.contains(ROCE_PORT), hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbs", "disni"})
    void shouldNamePortOfRoceWhenPeerDoesNotAnswerAdapter(final String transport)
    {
        final String hint = ErrorHints.of(WorkCompletionStatus.RETRY_EXC_ERR, transport);

        assertTrue(hint.startsWith("the peer does not answer: "), hint);
        assertTrue(hint.contains(ROCE_PORT), hint);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeOneLineForEachStatus(final WorkCompletionStatus status)
    {
        for (final String transport : new String[]{"tcp", "verbs"})
        {
            assertEquals(1, ErrorHints.of(status, transport).lines().count());
        }
    }
}
