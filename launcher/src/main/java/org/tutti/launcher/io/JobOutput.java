/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.io.IOException;
import java.util.BitSet;

/** Writes the output of all ranks to files, if there are any, and that of shown ranks to the console. */
public final class JobOutput implements OutputSink
{
    private final OutputSink files;
    private final OutputSink console;
    private final BitSet shown;

    /**
     * Creates the sink.
     *
     * @param files   the files of all ranks, closed with this sink; or null.
     * @param console the console, which stays open.
     * @param shown   the ranks whose output the console shows; not modified from now on.
     */
    public JobOutput(final OutputSink files, final OutputSink console, final BitSet shown)
    {
        this.files = files;
        this.console = console;
        this.shown = shown;
    }

    @Override
    public void write(final int rank, final boolean isError, final byte[] bytes, final int offset, final int length)
        throws IOException
    {
        if (files != null)
        {
            files.write(rank, isError, bytes, offset, length);
        }
        if (shown.get(rank))
        {
            console.write(rank, isError, bytes, offset, length);
        }
    }

    @Override
    public void close() throws IOException
    {
        if (files != null)
        {
            files.close();
        }
    }
}
