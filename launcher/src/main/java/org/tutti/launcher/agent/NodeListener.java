/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.UsageException;

/**
 * Listens at the coordinator's address for the other nodes of a job, and passes on the connections that prove the
 * secret. Other programs that connect are dropped, and do not delay nodes. Thread-safe.
 */
final class NodeListener implements AutoCloseable
{
    /** The time limit for each read from a node that has not been admitted. */
    static final long HANDSHAKE_TIMEOUT_MS = 10_000;
    /** Connections of other programs that may be in the handshake, besides one per node. */
    private static final int MAX_STRANGERS = 64;
    private static final long RETRY_NS = 10_000_000;

    private final NodePlace place;
    private final JobSecret secret;
    private final ServerSocket server;
    /** Connections that have not proved the secret, the oldest first; guarded by itself. */
    private final Set<Socket> unproven = new LinkedHashSet<>();

    /** Takes connections that have proved the secret. */
    interface Handler
    {
        /**
         * Takes a connection, on a thread of its own.
         *
         * @param channel the connection; owned by the handler if this returns normally, else closed.
         * @throws IOException if the node is lost.
         */
        void onProven(NodeChannel channel) throws IOException;
    }

    private NodeListener(final NodePlace place, final JobSecret secret, final ServerSocket server)
    {
        this.place = place;
        this.secret = secret;
        this.server = server;
    }

    /**
     * Binds the coordinator's port. An orchestrator may publish the name of this node after it has started it, so this
     * waits until the name service knows it, at most for the join timeout.
     *
     * @param place  the place of this node, number 0.
     * @param secret the secret of the nodes.
     * @return the listener, to be started and closed.
     * @throws UsageException       if this host cannot listen at the coordinator's address.
     * @throws InterruptedException if the thread is interrupted.
     */
    static NodeListener bind(final NodePlace place, final JobSecret secret) throws InterruptedException
    {
        try
        {
            // A port in use is found before the other nodes have come.
            requireUdp(place.port());
            final InetAddress address = LateName.await(place.host(), JobEnvironment.joinTimeoutNs(System.getenv()));
            if (!OwnAddress.isOurs(address))
            {
                throw new UsageException("--coordinator " + place.coordinator() + " (" + address.getHostAddress() +
                    ") is not this host, " + Hosts.local() + ", which has " + OwnAddress.describe() +
                    ": start node rank 0 there, or name this host on all nodes");
            }
            final ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            // Any address: the name may lead to another one of this host from elsewhere.
            server.bind(new InetSocketAddress(place.port()), MAX_STRANGERS + place.nodes());
            return new NodeListener(place, secret, server);
        }
        catch (final UnknownHostException ex)
        {
            throw new UsageException("cannot listen at --coordinator " + place.coordinator() + " on " + Hosts.local() +
                ": " + ex.getMessage());
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot listen at --coordinator " + place.coordinator() + " on " + Hosts.local() +
                ": " + ex.getMessage() + "; another job may use this port: give all nodes another one");
        }
    }

    private static void requireUdp(final int port) throws IOException
    {
        try
        {
            new DatagramSocket(port).close();
        }
        catch (final SocketException ex)
        {
            throw new SocketException("UDP: " + ex.getMessage(), ex);
        }
    }

    /** Starts to accept connections. */
    void start(final Handler handler)
    {
        DaemonThread.of("tutti-nodes", () -> accept(handler)).start();
    }

    private void accept(final Handler handler)
    {
        while (!server.isClosed())
        {
            try
            {
                final Socket socket = server.accept();
                addUnproven(socket);
                Thread.ofVirtual().name("tutti-node").start(() -> greet(socket, handler));
            }
            catch (final IOException ex)
            {
                // Closed, or out of files: nodes try again.
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    /**
     * Adds a connection in the handshake; closes the oldest if there are too many, so that nodes can always connect.
     */
    private void addUnproven(final Socket socket)
    {
        synchronized (unproven)
        {
            if (unproven.size() >= MAX_STRANGERS + place.nodes())
            {
                close(unproven.iterator().next());
                unproven.remove(unproven.iterator().next());
            }
            unproven.add(socket);
        }
    }

    private void greet(final Socket socket, final Handler handler)
    {
        try
        {
            final NodeChannel channel = prove(socket);
            channel.limitReads(HANDSHAKE_TIMEOUT_MS);
            handler.onProven(channel);
        }
        catch (final IOException | SecurityException ex)
        {
            close(socket);
        }
    }

    private NodeChannel prove(final Socket socket) throws IOException
    {
        try
        {
            return NodeChannel.accept(socket, secret, HANDSHAKE_TIMEOUT_MS);
        }
        finally
        {
            synchronized (unproven)
            {
                unproven.remove(socket);
            }
        }
    }

    private static void close(final Socket socket)
    {
        try
        {
            socket.close();
        }
        catch (final IOException ex)
        {
            // It is closed nevertheless.
            return;
        }
    }

    /** Stops listening; connections that were passed on stay open. Idempotent. */
    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            // It no longer listens.
            return;
        }
    }
}
