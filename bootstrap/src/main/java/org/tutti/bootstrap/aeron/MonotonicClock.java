/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.aeron.CncFileDescriptor;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The clock by which a media driver and its clients compare heartbeats, instead of the wall clock: a step of that, by
 * an administrator or NTP, would make a heartbeat look hours old, and end the client. Linux counts
 * {@link System#nanoTime()} from one moment for all processes of a host, so they agree. Stateless.
 */
final class MonotonicClock implements EpochClock
{
    static final MonotonicClock INSTANCE = new MonotonicClock();

    /**
     * Later than any timeout before the first moment: the heartbeat time of a driver that has closed is -1, and that of
     * one that has not started 0, which must be long ago on a host that has just booted, too.
     */
    private static final long OFFSET_MS = TimeUnit.DAYS.toMillis(10_000);

    private MonotonicClock()
    {
    }

    /** The time in milliseconds since a moment that is the same for all processes of this host. */
    @Override
    public long time()
    {
        return OFFSET_MS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /**
     * As {@link io.aeron.CommonContext#isDriverActive(File, long, java.util.function.Consumer)}, which reads the wall
     * clock.
     *
     * @param directory directory of the driver.
     * @param timeoutMs maximum age of the driver's last heartbeat, in milliseconds.
     * @return whether a driver that reads this clock is running there.
     */
    static boolean isDriverActive(final Path directory, final long timeoutMs)
    {
        final File file = new File(directory.toFile(), CncFileDescriptor.CNC_FILE);
        if (file.length() <= CncFileDescriptor.END_OF_METADATA_OFFSET)
        {
            return false;
        }
        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file, "CnC file");
        try
        {
            final UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
            final int version = metaData.getIntVolatile(CncFileDescriptor.cncVersionOffset(0));
            if (version == 0 || !CncFileDescriptor.isCncFileLengthSufficient(metaData, mapped.capacity()))
            {
                return false;
            }
            CncFileDescriptor.checkVersion(version);
            final long heartbeatMs = new ManyToOneRingBuffer(
                CncFileDescriptor.createToDriverBuffer(mapped, metaData)).consumerHeartbeatTime();
            return INSTANCE.time() - heartbeatMs <= timeoutMs;
        }
        finally
        {
            BufferUtil.free(mapped);
        }
    }
}
