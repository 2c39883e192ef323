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

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.store.Durations;

/** A member's two streams: to the coordinator, and one of its own for the answers. */
final class Connection
{
    private final MemberContext context;
    private final MediaHost media;
    private final long deadlineNs;
    private final Subscription subscription;
    private final byte[] responseAddress;
    private final int responsePort;
    private final ExclusivePublication publication;

    Connection(final MemberContext context, final MediaHost media, final int streamId, final long deadlineNs)
    {
        this.context = context;
        this.media = media;
        this.deadlineNs = deadlineNs;
        if (context.endpoint() == null)
        {
            subscription = media.aeron().addSubscription(Protocol.IPC_CHANNEL, streamId);
            responseAddress = new byte[0];
            responsePort = 0;
            publication = media.aeron().addExclusivePublication(
                Protocol.IPC_CHANNEL, Protocol.COORDINATOR_STREAM_ID);
        }
        else
        {
            final InetAddress address = ownAddress();
            subscription = media.aeron().addSubscription(Protocol.udpChannel(address, 0), streamId);
            responseAddress = address.getAddress();
            responsePort = resolvedPort();
            publication = media.aeron().addExclusivePublication(
                Protocol.udpChannel(context.endpoint()), Protocol.COORDINATOR_STREAM_ID);
        }
        awaitConnected();
    }

    Subscription subscription()
    {
        return subscription;
    }

    /** Where the coordinator is to send its answers; nothing for IPC. */
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

    /** The address of this host by which it reaches the coordinator, and so can be reached. */
    private InetAddress ownAddress()
    {
        final int colon = context.endpoint().lastIndexOf(':');
        final String host = context.endpoint().substring(0, colon);
        try (DatagramSocket socket = new DatagramSocket())
        {
            socket.connect(new InetSocketAddress(
                InetAddress.getByName(host), Integer.parseInt(context.endpoint().substring(colon + 1))));
            return socket.getLocalAddress();
        }
        catch (final SocketException ex)
        {
            throw new BootstrapException("there is no way from this host to the coordinator at " +
                context.endpoint() + ": " + ex.getMessage(), ex);
        }
        catch (final IOException ex)
        {
            throw new BootstrapException(
                "nobody knows the coordinator's host '" + host + "': check MASTER_ADDR", ex);
        }
    }

    private int resolvedPort()
    {
        final WaitingIdleStrategy idleStrategy = new WaitingIdleStrategy();
        String endpoint = subscription.resolvedEndpoint();
        while (endpoint == null)
        {
            idleStrategy.idle(media.invoke());
            checkDeadline();
            endpoint = subscription.resolvedEndpoint();
        }
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    private void awaitConnected()
    {
        final WaitingIdleStrategy idleStrategy = new WaitingIdleStrategy();
        while (!publication.isConnected())
        {
            media.invoke();
            idleStrategy.idle();
            checkDeadline();
        }
    }

    private void checkDeadline()
    {
        if (System.nanoTime() - deadlineNs >= 0)
        {
            throw new BootstrapException(context.name() + " did not reach the coordinator of job '" +
                context.jobId() + "' within " + Durations.format(context.joinTimeoutNs()) + ": nobody listens at " +
                (context.endpoint() == null ? context.aeronDirectory().toString() : context.endpoint()));
        }
    }
}
