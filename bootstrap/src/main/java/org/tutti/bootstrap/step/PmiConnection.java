/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;

/** A connection to the server of PMI. */
interface PmiConnection
{
    /**
     * Reads at least one byte.
     *
     * @return the number of bytes; 0 at the end of the connection.
     */
    int read(byte[] bytes, int offset, int length) throws IOException;

    /** Writes all bytes. */
    void write(byte[] bytes) throws IOException;
}
