/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** One file per rank and stream: {@code rank-N.out} and {@code rank-N.err}. */
final class FileSink implements OutputSink
{
    private final OutputStream[] streams;

    FileSink(final Path directory, final int size) throws IOException
    {
        Files.createDirectories(directory);
        streams = new OutputStream[2 * size];
        try
        {
            for (int rank = 0; rank < size; rank++)
            {
                streams[2 * rank] = Files.newOutputStream(directory.resolve("rank-" + rank + ".out"));
                streams[2 * rank + 1] = Files.newOutputStream(directory.resolve("rank-" + rank + ".err"));
            }
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    public void write(final int rank, final boolean isError, final byte[] bytes, final int offset, final int length)
        throws IOException
    {
        streams[2 * rank + (isError ? 1 : 0)].write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException
    {
        for (final OutputStream stream : streams)
        {
            if (stream != null)
            {
                stream.close();
            }
        }
    }
}
