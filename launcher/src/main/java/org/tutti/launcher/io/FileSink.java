/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes one file per rank and stream: {@code rank-N.out} and {@code rank-N.err}, with leading zeros, so that the names
 * sort by rank.
 */
public final class FileSink implements OutputSink
{
    private final Path directory;
    private final int digits;
    private final OutputStream[] streams;

    /**
     * Creates the files, or replaces their content.
     *
     * @param directory the directory of the files, created if missing.
     * @param size      the number of ranks.
     * @throws IOException if a file cannot be created.
     */
    public FileSink(final Path directory, final int size) throws IOException
    {
        this.directory = directory;
        digits = Integer.toString(size - 1).length();
        Files.createDirectories(directory);
        streams = new OutputStream[2 * size];
        try
        {
            for (int rank = 0; rank < size; rank++)
            {
                streams[2 * rank] = Files.newOutputStream(file(rank, false));
                streams[2 * rank + 1] = Files.newOutputStream(file(rank, true));
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
        try
        {
            streams[2 * rank + (isError ? 1 : 0)].write(bytes, offset, length);
        }
        catch (final IOException ex)
        {
            throw new IOException(
                file(rank, isError) + ": " + ex.getMessage() + ": free space, or choose another --output-dir", ex);
        }
    }

    private Path file(final int rank, final boolean isError)
    {
        final String number = Integer.toString(rank);
        return directory.resolve(
            "rank-" + "0".repeat(digits - number.length()) + number + (isError ? ".err" : ".out"));
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
