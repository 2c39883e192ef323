/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;

/** The target of the lines of ranks. Called by all pumps at once. */
public interface OutputSink extends AutoCloseable
{
    /**
     * Writes whole lines; only the last of a stream may lack its newline.
     *
     * @param rank    the rank that wrote them.
     * @param isError whether it wrote them to its stderr.
     * @param bytes   the array that holds the lines; not kept.
     * @param offset  the index of the first byte.
     * @param length  the length of all lines in bytes.
     * @throws IOException when they cannot be written, as when the disk is full: its message names the target, the
     *                     cause and the fix, and is empty when the target is not read any more.
     */
    void write(int rank, boolean isError, byte[] bytes, int offset, int length) throws IOException;

    @Override
    void close() throws IOException;
}
