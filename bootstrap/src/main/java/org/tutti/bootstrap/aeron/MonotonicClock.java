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
 * The clock for heartbeats between a media driver and its clients, instead of the wall clock: a step of the wall clock,
 * by an administrator or NTP, would make a heartbeat appear hours old and end the client. On Linux, {@link
 * System#nanoTime()} has the same origin for all processes of a host. Stateless.
 */
final class MonotonicClock implements EpochClock
{
    static final MonotonicClock INSTANCE = new MonotonicClock();

    /**
     * An offset larger than any timeout: the heartbeat time of a closed driver is -1, and that of a driver that has not
     * started is 0; both must be long ago even on a host that has just booted.
     */
    private static final long OFFSET_MS = TimeUnit.DAYS.toMillis(10_000);

    private MonotonicClock()
    {
    }

    /** Returns the time in milliseconds, since an origin that is the same for all processes of this host. */
    @Override
    public long time()
    {
        return OFFSET_MS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /**
     * As {@link io.aeron.CommonContext#isDriverActive(File, long, java.util.function.Consumer)}, which reads the wall
     * clock.
     *
     * @param directory the directory of the driver.
     * @param timeoutMs the maximum age of the driver's last heartbeat, in milliseconds.
     * @return true if a driver that uses this clock is running in the directory.
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
