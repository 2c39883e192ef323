/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.UsageException;

/**
 * The nodes of a job, on the side of the coordinator, node 0: listens for the others, and admits each once. Until the
 * job starts, a node that has ended may be started again; while a job runs that may be restarted, nodes whose
 * connection has ended are admitted to its next start. Thread-safe.
 */
public final class NodeGroup implements AutoCloseable
{
    private static final int HANDSHAKE_TIMEOUT_MS = 10_000;
    private static final int MAX_HANDSHAKES = 64;
    private static final int SECRET_LENGTH = 16;
    private static final long RETRY_NS = 10_000_000;

    private record Admitted(NodeRequest request, NodeChannel channel)
    {
        String describe()
        {
            return request.host() + " (" + channel.peerAddress() + ", process " + request.pid() + ")";
        }
    }

    private final NodePlace place;
    private final JobSecret secret;
    private final ServerSocket server;
    private final Semaphore handshakes = new Semaphore(MAX_HANDSHAKES);
    /** The nodes of the next start of the job. */
    private final TreeMap<Integer, Admitted> members = new TreeMap<>();
    /** The nodes of the current start of the job. */
    private final TreeMap<Integer, Admitted> current = new TreeMap<>();
    private final Set<Integer> leftOut = new TreeSet<>();
    private List<JoinedNode> joined = List.of();
    private boolean isComplete;
    private boolean isStarted;
    private boolean isRestartable;

    private NodeGroup(final NodePlace place, final JobSecret secret, final ServerSocket server)
    {
        this.place = place;
        this.secret = secret;
        this.server = server;
    }

    /**
     * Starts to listen for the other nodes. An orchestrator may publish the name of this node after it has started it,
     * so this waits until the name service knows it, at most for the join timeout.
     *
     * @param place  the place of this node, number 0.
     * @param secret the secret that the user gave to all nodes.
     * @return the group, to be closed.
     * @throws UsageException       if this host cannot listen at the coordinator's address.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static NodeGroup listen(final NodePlace place, final String secret) throws InterruptedException
    {
        final ServerSocket server;
        try
        {
            final InetAddress address = LateName.await(place.host(), JobEnvironment.joinTimeoutNs(System.getenv()));
            if (!OwnAddress.isOurs(address))
            {
                throw new UsageException("--coordinator " + place.coordinator() + " (" + address.getHostAddress() +
                    ") is not this host, " + Hosts.local() + ", which has " + OwnAddress.describe() +
                    ": start node rank 0 there, or name this host on all nodes");
            }
            server = new ServerSocket();
            server.setReuseAddress(true);
            // Any address: the name may lead to another one of this host from elsewhere.
            server.bind(new InetSocketAddress(place.port()));
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
        final NodeGroup group =
            new NodeGroup(place, new JobSecret(secret.getBytes(StandardCharsets.UTF_8)), server);
        DaemonThread.of("tutti-nodes", group::accept).start();
        return group;
    }

    private void accept()
    {
        while (!server.isClosed())
        {
            try
            {
                final Socket socket = server.accept();
                if (handshakes.tryAcquire())
                {
                    DaemonThread.of("tutti-node", () -> admit(socket)).start();
                }
                else
                {
                    socket.close();
                }
            }
            catch (final IOException ex)
            {
                // Closed, or out of files: nodes try again.
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private void admit(final Socket socket)
    {
        try
        {
            final NodeChannel channel = NodeChannel.accept(socket, secret, HANDSHAKE_TIMEOUT_MS);
            final Admitted member = new Admitted(NodeRequest.read(channel.input()), channel);
            final String refusal = add(member);
            NodeRequest.answer(channel.output(), refusal);
            if (!refusal.isEmpty())
            {
                channel.output().close();
                channel.readTimeout(HANDSHAKE_TIMEOUT_MS);
                channel.input().read();
                channel.close();
            }
        }
        catch (final IOException | SecurityException ex)
        {
            close(socket);
        }
        finally
        {
            handshakes.release();
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

    /** Adds a node, or returns why it cannot take part. */
    private synchronized String add(final Admitted member)
    {
        final NodeRequest request = member.request();
        final NodeRequest own = NodeRequest.of(place);
        final String name = "node rank " + request.node() + " on " + member.describe();
        if (request.nodes() != place.nodes())
        {
            return name + " has --nnodes " + request.nodes() + ", node rank 0 on " + Hosts.local() + " has " +
                place.nodes() + ": give all nodes the same";
        }
        if (request.node() < 1 || request.node() >= place.nodes() || request.ranks() < 1)
        {
            return name + " with " + request.ranks() + " ranks is invalid: give --node-rank 0 to " +
                (place.nodes() - 1) + ", and -np 1 or more";
        }
        if (request.hash() != own.hash())
        {
            return name + " runs '" + request.command() + "', node rank 0 on " + Hosts.local() + " runs '" +
                own.command() + "': give all nodes the same command";
        }
        if (leftOut.contains(request.node()))
        {
            return name + " was left out, as it was lost twice: restart all nodes, or raise --min-nodes";
        }
        final Admitted running = current.get(request.node());
        if (isComplete && !(isRestartable && running != null && running.channel().hasEnded()))
        {
            return (isRestartable ? NodeRequest.AGAIN : "") + name + " comes twice: " +
                (running == null ? "another" : running.describe()) + " has joined as node rank " + request.node() +
                " and the job has started: if a node was restarted, restart all of them";
        }
        final Admitted other = members.get(request.node());
        if (other != null && other.channel().isAlive())
        {
            return name + " comes twice: " + other.describe() + " has joined as node rank " + request.node() +
                ": give each node its own --node-rank";
        }
        members.put(request.node(), member);
        notifyAll();
        return "";
    }

    /**
     * Waits for all nodes that are not left out; before a restart, once more.
     *
     * @param timeoutNs the longest wait in nanoseconds.
     * @throws HostsLostException   if nodes of a former start of the job are missing then; the message names them.
     * @throws BootstrapException   if nodes are missing then; the message names them.
     * @throws InterruptedException if the thread is interrupted.
     */
    public synchronized void await(final long timeoutNs) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        final int count = place.nodes() - 1 - leftOut.size();
        isComplete = false;
        isStarted = false;
        while (true)
        {
            if (members.size() == count)
            {
                members.values().removeIf(member -> !member.channel().isAlive());
            }
            if (members.size() == count)
            {
                isComplete = true;
                joined = named();
                current.clear();
                current.putAll(members);
                members.clear();
                return;
            }
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0)
            {
                throw missing(timeoutNs);
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    private BootstrapException missing(final long timeoutNs)
    {
        final List<String> missing = new ArrayList<>();
        final Set<String> lost = new HashSet<>();
        for (int node = 1; node < place.nodes(); node++)
        {
            if (!members.containsKey(node) && !leftOut.contains(node))
            {
                missing.add(Integer.toString(node));
                final int number = node;
                joined.stream().filter(other -> other.node() == number).forEach(other -> lost.add(other.name()));
            }
        }
        final String text = (missing.size() == 1 ? "node rank " : "node ranks ") + String.join(", ", missing) + " of " +
            place.nodes() + " did not reach " + place.coordinator() + " on " + Hosts.local() + " within " +
            DurationFormat.format(timeoutNs) + ": start 'tutti run " +
            place.options(Integer.parseInt(missing.getFirst())) + " ...' there, or raise TUTTI_JOIN_TIMEOUT";
        refuse(members, isRestartable ? NodeRequest.AGAIN + text : text);
        return lost.isEmpty() ? new BootstrapException(text) : new HostsLostException(text, lost);
    }

    /** Returns the nodes with distinct names: hosts may have the same one. */
    private List<JoinedNode> named()
    {
        final Set<String> names = new HashSet<>(Set.of(Hosts.local()));
        final List<JoinedNode> result = new ArrayList<>();
        members.forEach((node, member) ->
        {
            final String host = member.request().host();
            final String name = names.add(host) ? host : host + "(node rank " + node + ")";
            result.add(new JoinedNode(node, name, member.request().ranks(), member.channel()));
        });
        return List.copyOf(result);
    }

    /**
     * Returns the other nodes.
     *
     * @return the nodes in order, complete after {@link #await}.
     */
    public synchronized List<JoinedNode> nodes()
    {
        return joined;
    }

    /**
     * Returns the port of the coordinator.
     *
     * @return the TCP port, which is free for UDP.
     */
    public int port()
    {
        return place.port();
    }

    /**
     * Leaves out nodes from now on.
     *
     * @param names the names of nodes of the last start.
     */
    public synchronized void leaveOut(final Set<String> names)
    {
        joined.stream().filter(node -> names.contains(node.name())).forEach(node ->
        {
            leftOut.add(node.node());
            final Admitted member = members.remove(node.node());
            if (member != null)
            {
                refuse(Map.of(node.node(), member), node.name() + " was left out, as it was lost twice");
            }
        });
    }

    /**
     * Tells the other nodes that the job starts.
     *
     * @param mayRestart whether the job is started again if it fails.
     */
    public synchronized void start(final boolean mayRestart)
    {
        isStarted = true;
        isRestartable = mayRestart;
        current.values().forEach(member -> answer(member, ""));
    }

    private static void refuse(final Map<Integer, Admitted> members, final String text)
    {
        members.values().forEach(member ->
        {
            answer(member, text);
            member.channel().close();
        });
    }

    private static void answer(final Admitted member, final String text)
    {
        try
        {
            member.channel().readTimeout(0);
            NodeRequest.answer(member.channel().output(), text);
        }
        catch (final IOException ex)
        {
            // The link to this node reports the loss.
            return;
        }
    }

    /**
     * Returns the secret of the job's ranks, which nodes derive as well: it is not sent.
     *
     * @param jobId the id of the job.
     * @return hexadecimal digits.
     */
    public String jobSecret(final String jobId)
    {
        return jobSecret(secret, jobId);
    }

    static String jobSecret(final JobSecret secret, final String jobId)
    {
        final byte[] proof = secret.prove("node job", jobId.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(proof, SECRET_LENGTH));
    }

    /** Stops listening; refuses the nodes that wait for the start of the job, or for a restart. Idempotent. */
    @Override
    public synchronized void close()
    {
        final String text = "node rank 0 on " + Hosts.local() + " ended before the job started: its output has the " +
            "reason";
        if (!isStarted)
        {
            isStarted = true;
            refuse(current, text);
        }
        refuse(members, text);
        members.clear();
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
