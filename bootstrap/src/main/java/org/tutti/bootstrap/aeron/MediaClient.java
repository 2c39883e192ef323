/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.aeron.Aeron;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.SetupFlyweight;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.ExitRemoval;
import org.tutti.bootstrap.JobDirectory;

/**
 * An Aeron client without its own thread, attached to a media driver of another process of this host, or to an embedded
 * driver without a thread: the caller of {@link #invoke()} does the work of both. For one thread at a time.
 */
final class MediaClient implements AutoCloseable
{
    /**
     * The liveness timeout of drivers and clients. It is long, so that a paused member or driver can resume. The driver
     * keeps the buffers of dead members for this time, which is harmless, as the job and the driver end earlier:
     * heartbeats detect dead processes.
     */
    private static final long CLIENT_LIVENESS_NS = TimeUnit.HOURS.toNanos(1);
    private static final long IMAGE_LIVENESS_NS = TimeUnit.MINUTES.toNanos(10);
    /** Drivers send a keepalive each second; a driver is considered dead only after this silence. */
    private static final long DRIVER_SILENCE_MS = 2_000;
    private static final int BUFFER_LENGTH = 64 * 1024;
    /**
     * Length of the driver's buffers for commands, errors and losses, in bytes: Aeron's minimum, as is
     * {@link #MIN_COUNTERS_LENGTH}.
     */
    private static final long FIXED_LENGTH = 4L << 20;
    private static final int MIN_COUNTERS_LENGTH = 1 << 20;
    private static final int COUNTER_LENGTH = 128;
    private static final int COUNTERS_PER_MEMBER = 16;
    private static final int SYSTEM_COUNTERS = 256;
    private static final int COUNTER_META_FACTOR = 5;
    private static final long MEMBER_LENGTH = 2 * (3 * 64 + 4) * 1024L;

    /**
     * An endpoint that allocates no memory for unknown senders, nor for terms longer than {@link #BUFFER_LENGTH}: any
     * process may send to a UDP port.
     */
    private static final class Receiver extends ReceiveChannelEndpoint
    {
        private final SessionCookie cookie;

        Receiver(
            final SessionCookie cookie,
            final UdpChannel channel,
            final DataPacketDispatcher dispatcher,
            final AtomicCounter status,
            final MediaDriver.Context context)
        {
            super(channel, dispatcher, status, context);
            this.cookie = cookie;
        }

        @Override
        public void onSetupMessage(
            final SetupFlyweight header,
            final UnsafeBuffer buffer,
            final int length,
            final InetSocketAddress source,
            final int transportIndex)
        {
            if (header.termLength() <= BUFFER_LENGTH &&
                (cookie == null || cookie.isValid(header.sessionId(), header.initialTermId())))
            {
                super.onSetupMessage(header, buffer, length, source, transportIndex);
            }
        }
    }

    private final MediaDriver driver;
    private final AgentInvoker driverInvoker;
    private final Aeron aeron;
    private final AgentInvoker aeronInvoker;

    private MediaClient(final MediaDriver driver, final Aeron aeron)
    {
        this.driver = driver;
        this.aeron = aeron;
        driverInvoker = driver == null ? null : driver.sharedAgentInvoker();
        aeronInvoker = aeron.conductorAgentInvoker();
    }

    /**
     * Starts a driver with buffers for {@code members} members, and attaches to it. Members listen on streams with
     * random ids, which other processes do not know.
     */
    static MediaClient embed(final Path directory, final int members, final ErrorHandler errorHandler)
    {
        return embed(directory, members, null, errorHandler);
    }

    /**
     * As {@link #embed(Path, int, ErrorHandler)}; if {@code cookie} is not null, a UDP session opens only if the cookie
     * validates the session's ids.
     */
    static MediaClient embed(
        final Path directory, final int members, final SessionCookie cookie, final ErrorHandler errorHandler)
    {
        final int countersLength = Math.max(MIN_COUNTERS_LENGTH, BitUtil.findNextPositivePowerOfTwo(
            (SYSTEM_COUNTERS + members * COUNTERS_PER_MEMBER) * COUNTER_LENGTH));
        JobDirectory.checkSpace(directory.getParent(),
            FIXED_LENGTH + (long)COUNTER_META_FACTOR * countersLength + members * MEMBER_LENGTH,
            "the media driver for " + members + " members");
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName(directory.toString())
            .epochClock(MonotonicClock.INSTANCE)
            .threadingMode(ThreadingMode.INVOKER)
            .asyncExecutorEnabled(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .receiveChannelEndpointSupplier((channel, dispatcher, status, driverContext) ->
                new Receiver(cookie, channel, dispatcher, status, driverContext))
            .streamSessionLimit(members)
            // A page that cannot be allocated on access kills the process, so each file is checked and allocated as a
            // whole.
            .termBufferSparseFile(false)
            .performStorageChecks(true)
            .lowStorageWarningThreshold(0)
            .publicationTermBufferLength(BUFFER_LENGTH)
            .ipcTermBufferLength(BUFFER_LENGTH)
            .initialWindowLength(BUFFER_LENGTH / 2)
            .ipcMtuLength(BUFFER_LENGTH / 8)
            .counterValuesBufferLength(countersLength)
            .clientLivenessTimeoutNs(CLIENT_LIVENESS_NS)
            .publicationUnblockTimeoutNs(2 * CLIENT_LIVENESS_NS)
            .imageLivenessTimeoutNs(IMAGE_LIVENESS_NS)
            .publicationLingerTimeoutNs(TimeUnit.SECONDS.toNanos(1))
            .errorHandler(errorHandler);
        MediaDriver driver = null;
        try
        {
            driver = ExitRemoval.create(() -> MediaDriver.launch(context));
            return new MediaClient(driver, Aeron.connect(clientContext(directory, errorHandler)
                .driverAgentInvoker(driver.sharedAgentInvoker())));
        }
        catch (final Exception ex)
        {
            // Aeron also throws undeclared IOExceptions.
            if (driver != null)
            {
                driver.close();
            }
            throw new BootstrapException("the media driver cannot start in " + directory + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * Attaches to a driver of this host, after waiting for it to start.
     *
     * @param deadlineNs the end of the wait, by {@link System#nanoTime()}; may be brought forward during the wait.
     */
    static MediaClient attach(final Path directory, final LongSupplier deadlineNs, final ErrorHandler errorHandler)
    {
        final long timeoutMs = Math.max(
            DRIVER_SILENCE_MS, TimeUnit.NANOSECONDS.toMillis(deadlineNs.getAsLong() - System.nanoTime()));
        final CallerIdleStrategy idleStrategy = new CallerIdleStrategy();
        try
        {
            // A client would wait for a missing driver as long as for a paused one, so the client is created only once
            // there is a driver.
            while (!MonotonicClock.isDriverActive(directory, timeoutMs))
            {
                if (System.nanoTime() - deadlineNs.getAsLong() >= 0)
                {
                    throw missing(directory);
                }
                idleStrategy.idle(0);
            }
            return new MediaClient(null, Aeron.connect(clientContext(directory, errorHandler)));
        }
        catch (final BootstrapException ex)
        {
            throw ex;
        }
        catch (final RuntimeException ex)
        {
            throw new BootstrapException("the media driver in " + directory + " does not answer: " + ex.getMessage(),
                ex);
        }
    }

    static BootstrapException missing(final Path directory)
    {
        return new BootstrapException(
            "no media driver in " + directory + ": the launcher of this job may have ended");
    }

    private static Aeron.Context clientContext(final Path directory, final ErrorHandler errorHandler)
    {
        return new Aeron.Context()
            .aeronDirectoryName(directory.toString())
            .epochClock(MonotonicClock.INSTANCE)
            .useConductorAgentInvoker(true)
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(CLIENT_LIVENESS_NS))
            .awaitingIdleStrategy(new BackoffIdleStrategy(10, 10, 10_000, 200_000))
            .subscriberErrorHandler(errorHandler)
            .errorHandler(errorHandler);
    }

    Aeron aeron()
    {
        return aeron;
    }

    boolean isClosed()
    {
        return aeron.isClosed();
    }

    int invoke()
    {
        final int driverWork = driverInvoker == null ? 0 : driverInvoker.invoke();
        return driverWork + aeronInvoker.invoke();
    }

    @Override
    public void close()
    {
        aeron.close();
        if (driver != null)
        {
            driver.close();
        }
    }
}
