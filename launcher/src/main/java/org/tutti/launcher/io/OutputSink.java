/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;

/** Where the lines of ranks go. Called by all pumps at once. */
public interface OutputSink extends AutoCloseable
{
    /**
     * Writes whole lines; only the last of a stream may lack its newline.
     *
     * @param rank    that wrote them.
     * @param isError whether to its stderr.
     * @param bytes   holding the lines; not kept.
     * @param offset  of the first.
     * @param length  of all, in bytes.
     * @throws IOException when they cannot be written, as when the disk is full: its message names what was written to,
     *                     the cause and the fix, and is empty when nobody reads them any more.
     */
    void write(int rank, boolean isError, byte[] bytes, int offset, int length) throws IOException;

    @Override
    void close() throws IOException;
}
