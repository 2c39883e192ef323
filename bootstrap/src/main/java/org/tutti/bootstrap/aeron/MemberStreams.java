/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.store.DurationFormat;

/** A member's two streams: requests to the coordinator, and replies from it. */
final class MemberStreams
{
    private final MemberContext context;
    private final MediaClient media;
    private final LongSupplier deadlineNs;
    private final Subscription subscription;
    private final byte[] responseAddress;
    private final int responsePort;
    private final ExclusivePublication publication;

    MemberStreams(
        final MemberContext context, final MediaClient media, final int streamId, final LongSupplier deadlineNs)
    {
        this.context = context;
        this.media = media;
        this.deadlineNs = deadlineNs;
        if (context.endpoint() == null)
        {
            subscription = addSubscription(Protocol.IPC_CHANNEL, streamId);
            responseAddress = new byte[0];
            responsePort = 0;
            publication = addPublication(Protocol.IPC_CHANNEL);
        }
        else
        {
            final InetAddress address = ownAddress();
            subscription = addSubscription(Protocol.udpChannel(address, 0), streamId);
            responseAddress = address.getAddress();
            responsePort = resolvedPort();
            publication = addPublication(Protocol.udpChannel(ListenEndpoint.reachedAt(context.endpoint())) +
                new SessionCookie(context.secret()).channelParameters());
        }
        await(() -> publication.isConnected() ? publication : null);
    }

    Subscription subscription()
    {
        return subscription;
    }

    /** Returns the address at which the member receives replies; empty for IPC. */
    byte[] responseAddress()
    {
        return responseAddress;
    }

    int responsePort()
    {
        return responsePort;
    }

    ExclusivePublication publication()
    {
        return publication;
    }

    /** Returns the local address of the route to the coordinator, at which the member can be reached. */
    private InetAddress ownAddress()
    {
        final HostPort coordinator = HostPort.parse(context.endpoint());
        try (DatagramSocket socket = new DatagramSocket())
        {
            socket.connect(new InetSocketAddress(InetAddress.getByName(coordinator.host()), coordinator.port()));
            return socket.getLocalAddress();
        }
        catch (final SocketException ex)
        {
            throw new BootstrapException("no route from this host to the coordinator at " +
                context.endpoint() + ": " + ex.getMessage(), ex);
        }
        catch (final IOException ex)
        {
            throw new BootstrapException(
                "unknown host '" + coordinator.host() +
                "' of the coordinator: check MASTER_ADDR, or JoinOptions.coordinator", ex);
        }
    }

    private Subscription addSubscription(final String channel, final int streamId)
    {
        final long id = media.aeron().asyncAddSubscription(channel, streamId);
        return await(() -> media.aeron().getSubscription(id));
    }

    private ExclusivePublication addPublication(final String channel)
    {
        final long id = media.aeron().asyncAddExclusivePublication(channel, Protocol.COORDINATOR_STREAM_ID);
        return await(() -> media.aeron().getExclusivePublication(id));
    }

    private int resolvedPort()
    {
        return HostPort.parse(await(subscription::resolvedEndpoint)).port();
    }

    /** Waits for a value that is null until the driver, or the coordinator, has provided it. */
    private <T> T await(final Supplier<T> source)
    {
        final CallerIdleStrategy idleStrategy = new CallerIdleStrategy();
        T value = source.get();
        while (value == null)
        {
            media.invoke();
            idleStrategy.idle();
            checkDeadline();
            value = source.get();
        }
        return value;
    }

    private void checkDeadline()
    {
        if (System.nanoTime() - deadlineNs.getAsLong() >= 0)
        {
            final boolean isLoopback =
                context.endpoint() != null && HostPort.parse(context.endpoint()).isLoopback();
            throw new BootstrapException(context.name() + " did not reach the coordinator of job '" +
                context.jobId() + "' within " + DurationFormat.format(context.joinTimeoutNs()) +
                ": nothing listens at " + context.coordinatorAddress() + (context.endpoint() == null ? "" :
                ", UDP from this host does not reach it, or the coordinator has another secret and ignores this " +
                "rank: check TUTTI_SECRET, or JoinOptions.secret" +
                (isLoopback ? "; a loopback address reaches this host only" : "")));
        }
    }
}
