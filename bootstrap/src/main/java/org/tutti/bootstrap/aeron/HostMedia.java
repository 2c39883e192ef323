/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The media driver of a host other than the coordinator's: the launched ranks there attach to it, and reach the
 * coordinator by UDP. Runs on its own thread.
 */
public final class HostMedia implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(5);

    private static final long REST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final MediaClient media;
    private final Consumer<String> onFailure;
    private final Thread thread;
    private volatile boolean isClosing;
    private volatile Throwable lastError;

    private HostMedia(final Path directory, final int ranks, final Consumer<String> onFailure)
    {
        this.onFailure = onFailure;
        media = MediaClient.embed(directory, ranks, this::onError);
        thread = new Thread(this::run, "tutti-media");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts the driver.
     *
     * @param directory the directory for its files, normally {@code aeron} in the host's job directory.
     * @param ranks     the number of ranks on the host.
     * @param onFailure called once on the driver's thread, with the error in one line, if the driver stops without
     *                  being closed.
     * @return the driver, to be closed.
     * @throws org.tutti.bootstrap.BootstrapException if the driver cannot start; the message names the cause and the
     *                                                fix.
     */
    public static HostMedia start(final Path directory, final int ranks, final Consumer<String> onFailure)
    {
        return new HostMedia(directory, ranks, onFailure);
    }

    private void onError(final Throwable error)
    {
        lastError = error;
    }

    private void run()
    {
        try
        {
            while (!isClosing && !media.isClosed())
            {
                // Parks whenever there is no work: Aeron's own keepalives count as work, so a strategy that spins for a
                // while after work would take a core from the ranks.
                if (media.invoke() == 0)
                {
                    LockSupport.parkNanos(REST_PARK_NS);
                }
            }
        }
        catch (final RuntimeException | Error ex)
        {
            lastError = ex;
        }
        if (!isClosing)
        {
            onFailure.accept("the media driver stopped" + (lastError == null ? "" : ": " + lastError.getMessage()));
        }
        media.close();
    }

    /** Stops the driver; its files are removed when this method returns. Idempotent. */
    @Override
    public void close()
    {
        isClosing = true;
        LockSupport.unpark(thread);
        try
        {
            thread.join(CLOSE_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
