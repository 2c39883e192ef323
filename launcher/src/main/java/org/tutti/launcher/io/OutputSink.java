/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;

/** The target of the output of ranks. Thread-safe: all pumps call it concurrently. */
public interface OutputSink extends AutoCloseable
{
    /**
     * Writes complete lines; only the last line of a stream may lack its newline.
     *
     * @param rank    the rank that wrote the lines.
     * @param isError whether the lines were written to stderr.
     * @param bytes   the array that contains the lines; not retained.
     * @param offset  the index of the first byte.
     * @param length  the length of all lines in bytes.
     * @throws IOException if the lines cannot be written, such as when the disk is full. The message names the target,
     *                     the cause and the fix; it is empty if the target's reader has closed it.
     */
    void write(int rank, boolean isError, byte[] bytes, int offset, int length) throws IOException;

    @Override
    void close() throws IOException;
}
