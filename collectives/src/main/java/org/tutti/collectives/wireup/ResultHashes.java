/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The file of a rank with the result of each call: communicator, number and description of the call, and the CRC-32C
 * (RFC 3720, appendix B.4) of the elements in OUTPUT. The first difference between the files of two runs is the first
 * call with different results. Each line is flushed when the call completes, so that a killed rank keeps earlier lines.
 * Thread-safe.
 */
public final class ResultHashes implements AutoCloseable
{
    static final String VARIABLE = "TUTTI_RESULT_HASHES";
    /** Maximum number of bytes per update: a {@code ByteBuffer} holds less than 2 GiB. */
    private static final long MAX_UPDATE = 1L << 30;

    private final String name;
    private final Writer file;
    private int communicators;
    private boolean isBroken;

    private ResultHashes(final String name, final Writer file)
    {
        this.name = name;
        this.file = file;
    }

    /**
     * Creates the file of a rank, or overwrites an existing one.
     *
     * @param prefix prefix of the file name, before a dot and the rank.
     * @throws ConfigurationException if the file cannot be written.
     */
    static ResultHashes open(final String prefix, final int rank)
    {
        final String name = prefix + '.' + rank;
        try
        {
            return new ResultHashes(name, Files.newBufferedWriter(Path.of(name)));
        }
        catch (final InvalidPathException | IOException e)
        {
            throw new ConfigurationException(VARIABLE + '=' + prefix + ": cannot write " + name + " (" + e +
                "): must be a file name prefix in a directory that exists on each host", e);
        }
    }

    /**
     * Returns the hashes of one more communicator. Communicators are numbered in the order of creation, the world is 0.
     */
    synchronized OfCommunicator ofOne()
    {
        return new OfCommunicator(communicators++);
    }

    /** Writes a line. After an error no more lines are written, as the error must not fail the job. */
    private synchronized void write(final String line)
    {
        if (isBroken)
        {
            return;
        }
        try
        {
            file.write(line);
            file.flush();
        }
        catch (final IOException e)
        {
            isBroken = true;
            System.err.println("tutti: " + VARIABLE + ": cannot write " + name + ", later hashes are lost: " + e);
        }
    }

    @Override
    public synchronized void close() throws IOException
    {
        if (!isBroken)
        {
            file.close();
        }
    }

    /** The lines of one communicator. Not thread-safe. */
    public final class OfCommunicator
    {
        private final int number;
        private final CRC32C crc = new CRC32C();
        private long calls;

        private OfCommunicator(final int number)
        {
            this.number = number;
        }

        /**
         * Adds the line of a completed call, if it has a result in this rank's OUTPUT.
         *
         * @param description description of the call.
         * @param request     request for the call's schedule.
         * @param type        type of the elements; null for a barrier.
         * @param output      OUTPUT of the call.
         */
        public void add(
            final CallDescription description, final ScheduleRequest request, final DataType type,
            final RegisteredBuffer output)
        {
            final long call = calls++;
            final Collective collective = description.collective();
            final long count = collective.outputCount(request);
            if (count == 0 || (collective == Collective.EXSCAN && request.rank() == 0))
            {
                return;
            }
            crc.reset();
            final Blocks blocks = blocks(collective, request);
            if (blocks == null || blocks.isContiguous())
            {
                update(type, output, 0, count);
            }
            else
            {
                for (int i = 0; i < request.size(); i++)
                {
                    update(type, output, blocks.offset(i), blocks.length(i));
                }
            }
            write(number + " " + call + ' ' + description + ' ' +
                HexFormat.of().toHexDigits((int)crc.getValue()) + '\n');
        }

        /** Returns the blocks of OUTPUT, or null; elements between blocks are not part of the result. */
        private static Blocks blocks(final Collective collective, final ScheduleRequest request)
        {
            return collective.gathers() || collective.exchanges() ? request.received() : null;
        }

        private void update(final DataType type, final RegisteredBuffer output, final long offset, final long count)
        {
            final long start = output.address() + offset * type.size();
            final long end = start + count * type.size();
            for (long at = start; at < end; at += MAX_UPDATE)
            {
                crc.update(Memory.ALL.asSlice(at, Math.min(MAX_UPDATE, end - at)).asByteBuffer());
            }
        }
    }
}
