/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.WorkCompletionStatus;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests the statuses that the error of a TERMINATE stands for. */
class TerminateTest
{
    @ParameterizedTest
    @CsvSource({
        "0100, REM_ACCESS_ERR", "0102, REM_ACCESS_ERR", "1101, REM_ACCESS_ERR",
        "0207, REM_OP_ERR", "0206, REM_INV_REQ_ERR", "02FF, REM_INV_REQ_ERR",
        "1202, RNR_RETRY_EXC_ERR", "1205, REM_INV_REQ_ERR",
        "2002, REM_ABORT_ERR", "0000, REM_ABORT_ERR", "FFFF, REM_ABORT_ERR"})
    void shouldReadErrorInOrderOfRfc(final String error, final WorkCompletionStatus status)
    {
        assertEquals(status, Terminate.standardStatus(Integer.parseInt(error, 16)));
    }

    @ParameterizedTest
    @CsvSource({
        "1000, REM_ACCESS_ERR", "1002, REM_ACCESS_ERR", "1101, REM_ACCESS_ERR",
        "2007, REM_OP_ERR", "2006, REM_INV_REQ_ERR", "20FF, REM_INV_REQ_ERR",
        "2102, RNR_RETRY_EXC_ERR", "2105, REM_INV_REQ_ERR", "0202, REM_ABORT_ERR"})
    void shouldReadErrorInOrderOfSiw(final String error, final WorkCompletionStatus status)
    {
        assertEquals(status, Terminate.standardStatus(Integer.parseInt(error, 16)));
    }
}
