/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.host.NodePlace;

/**
 * Connects a node with the coordinator of its job, which may start later: tries again until the job starts, or the
 * timeout expires. Used by one thread.
 */
final class NodeConnector
{
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    /** The coordinator may first have to find out whether an earlier node with this number still runs. */
    private static final long CONSENT_TIMEOUT_MS = 20_000;
    private static final long RETRY_MS = 100;
    /** How much longer than the coordinator this node waits: the coordinator's error names the missing nodes. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final NodePlace place;
    private final JobSecret secret;
    private final long timeoutNs;
    private long startNs;
    private InetAddress address;
    private boolean isAdmitted;
    private boolean isAskedAgain;

    NodeConnector(final NodePlace place, final String secret, final long timeoutNs)
    {
        this.place = place;
        this.secret = new JobSecret(secret.getBytes(StandardCharsets.UTF_8));
        this.timeoutNs = timeoutNs;
    }

    JobSecret secret()
    {
        return secret;
    }

    /**
     * Returns a connection to the coordinator, which has admitted this node and starts the job.
     *
     * @param isRestart whether the coordinator has started the job before: it listens, unless it has ended.
     * @throws BootstrapException if the coordinator refuses this node or cannot be reached in time; the message names
     *                            both hosts.
     */
    NodeChannel connect(final boolean isRestart) throws InterruptedException
    {
        String cause = "";
        startNs = System.nanoTime();
        do
        {
            try
            {
                return tryToConnect();
            }
            catch (final UnknownHostException ex)
            {
                cause = "the name service does not know " + place.host();
            }
            catch (final EOFException ex)
            {
                cause = isAdmitted ? "it ended while it waited for other nodes" :
                    "what listens there closes the connection: it is another program, or an older job";
            }
            catch (final ConnectException ex)
            {
                cause = ex.getMessage();
                if (isRestart)
                {
                    throw new BootstrapException(
                        name() + " does not start the job again: node rank 0 at " + coordinator() + " has ended", ex);
                }
            }
            catch (final IOException ex)
            {
                cause = ex instanceof SocketTimeoutException ? "no answer" : ex.getMessage();
                if (isAdmitted && (isRestart || isAskedAgain))
                {
                    // The coordinator has listened until now, and waits for others, or for the end of their ranks.
                    startNs = System.nanoTime();
                }
            }
            Thread.sleep(RETRY_MS);
        }
        while (System.nanoTime() - startNs < timeoutNs);
        throw new BootstrapException(name() + " cannot reach the coordinator at " + coordinator() + " within " +
            DurationFormat.format(timeoutNs) + ": " + cause + "; start node rank 0 there, open TCP and UDP port " +
            place.port() + ", or raise TUTTI_JOIN_TIMEOUT");
    }

    private NodeChannel tryToConnect() throws IOException
    {
        isAdmitted = false;
        isAskedAgain = false;
        address = LateName.find(place.host());
        final Socket socket = new Socket();
        NodeChannel channel = null;
        try
        {
            socket.connect(new InetSocketAddress(address, place.port()), CONNECT_TIMEOUT_MS);
            channel = NodeChannel.connect(socket, secret, CONNECT_TIMEOUT_MS);
            channel.limitReads(CONSENT_TIMEOUT_MS);
            NodeRequest.of(place).write(channel.output());
            requireConsent(channel);
            isAdmitted = true;
            channel.limitReads(TimeUnit.NANOSECONDS.toMillis(timeoutNs + PATIENCE_NS));
            requireConsent(channel);
            channel.limitReads(0);
            final NodeChannel result = channel;
            channel = null;
            return result;
        }
        catch (final SecurityException ex)
        {
            throw new BootstrapException(name() + " cannot join the coordinator at " + coordinator() +
                ": it has another secret; give all nodes the same TUTTI_SECRET or TUTTI_SECRET_FILE", ex);
        }
        finally
        {
            if (channel != null)
            {
                channel.close();
            }
            else if (!isAdmitted)
            {
                socket.close();
            }
        }
    }

    private void requireConsent(final NodeChannel channel) throws IOException
    {
        String answer = NodeRequest.readAnswer(channel.input());
        while (answer.equals(NodeRequest.PROBE))
        {
            NodeRequest.answer(channel.output(), NodeRequest.PROBE);
            answer = NodeRequest.readAnswer(channel.input());
        }
        if (answer.startsWith(NodeRequest.AGAIN))
        {
            isAskedAgain = true;
            throw new IOException(answer.substring(NodeRequest.AGAIN.length()));
        }
        if (!answer.isEmpty())
        {
            throw new BootstrapException(answer);
        }
    }

    private String name()
    {
        final InetAddress own = address == null ? null : OwnAddress.towards(address, "");
        return "node rank " + place.node() + " on " + Hosts.local() + (own == null ? "" :
            " (" + OwnAddress.text(own) + ")");
    }

    private String coordinator()
    {
        return place.coordinator() + (address == null ? "" :
            " (" + OwnAddress.text(address) + ")");
    }
}
