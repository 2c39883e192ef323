/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobSecret;

/** Listens like a coordinator, sends the given answers to each request, and records all received frames. */
final class FakeCoordinator implements AutoCloseable
{
    final List<byte[]> received = new CopyOnWriteArrayList<>();

    private final JobSecret secret;
    private final BiFunction<MessageWriter, JoinRequestText, List<byte[]>> answers;
    private final MessageWriter writer = new MessageWriter();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final JobDirectory directory;
    private final MediaClient media;
    private final Subscription subscription;
    private final Thread thread;

    /**
     * @param secret  the secret for reading the requests, which the answers need not use.
     * @param answers the answers to a request, in order.
     */
    FakeCoordinator(
        final String endpoint,
        final JobSecret secret,
        final BiFunction<MessageWriter, JoinRequestText, List<byte[]>> answers)
    {
        this.secret = secret;
        this.answers = answers;
        directory = JobDirectory.create("fake-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        media = MediaClient.embed(directory.aeronDirectory(), 4, (error) -> { });
        subscription = media.aeron().addSubscription(
            Protocol.udpChannel(endpoint), Protocol.COORDINATOR_STREAM_ID);
        thread = new Thread(this::run, "fake-coordinator");
        thread.start();
    }

    private void run()
    {
        while (!isClosing.get())
        {
            media.invoke();
            subscription.poll((buffer, offset, length, header) -> onFrame(buffer, offset, length), 10);
            LockSupport.parkNanos(100_000);
        }
    }

    private void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] frame = new byte[length];
        buffer.getBytes(offset, frame);
        received.add(frame);
        final JoinRequestText request = JoinRequestText.open(secret, buffer, offset, length);
        if (request != null)
        {
            final ExclusivePublication publication =
                media.aeron().addExclusivePublication(request.channel, request.streamId);
            for (final byte[] answer : answers.apply(writer, request))
            {
                while (!isClosing.get() && publication.offer(new UnsafeBuffer(answer)) < 0)
                {
                    media.invoke();
                    LockSupport.parkNanos(100_000);
                }
            }
        }
    }

    @Override
    public void close()
    {
        isClosing.set(true);
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        media.close();
        directory.close();
    }
}
