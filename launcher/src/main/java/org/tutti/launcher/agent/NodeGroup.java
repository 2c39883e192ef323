/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
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
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.io.UsageException;

/**
 * The nodes of a job, on the side of the coordinator, node 0: admits each of the others once. Until the job starts, a
 * node that has ended may be started again; while a job runs that may be restarted, nodes whose connection has ended
 * are admitted to its next start. Thread-safe.
 */
public final class NodeGroup implements AutoCloseable
{
    private static final int SECRET_LENGTH = 16;
    private static final long MIN_WAIT_NS = 10_000_000;

    private final NodePlace place;
    private final JobSecret secret;
    private final NodeListener listener;
    /** The nodes of the next start of the job. */
    private final TreeMap<Integer, AdmittedNode> members = new TreeMap<>();
    /** The nodes of the current start of the job. */
    private final TreeMap<Integer, AdmittedNode> current = new TreeMap<>();
    private final Set<Integer> leftOut = new TreeSet<>();
    private List<JoinedNode> joined = List.of();
    private int probes;
    private boolean isComplete;
    private boolean isStarted;
    private boolean isRestartable;

    private NodeGroup(final NodePlace place, final JobSecret secret, final NodeListener listener)
    {
        this.place = place;
        this.secret = secret;
        this.listener = listener;
    }

    /**
     * Starts to listen for the other nodes. Waits until the name service knows this node, at most for the join timeout.
     *
     * @param place  the place of this node, number 0.
     * @param secret the secret that the user gave to all nodes.
     * @return the group, to be closed.
     * @throws UsageException       if this host cannot listen at the coordinator's address.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static NodeGroup listen(final NodePlace place, final String secret) throws InterruptedException
    {
        final JobSecret shared = new JobSecret(secret.getBytes(StandardCharsets.UTF_8));
        final NodeListener listener = NodeListener.bind(place, shared);
        final NodeGroup group = new NodeGroup(place, shared, listener);
        listener.start(group::admit);
        return group;
    }

    private void admit(final NodeChannel channel) throws IOException
    {
        final String refusal = add(new AdmittedNode(NodeRequest.read(channel.input()), channel));
        if (!refusal.isEmpty())
        {
            NodeRequest.answer(channel.output(), refusal);
            channel.output().close();
            channel.limitReads(NodeListener.HANDSHAKE_TIMEOUT_MS);
            channel.input().read();
            channel.close();
        }
    }

    /** Adds a node and tells it so, or returns why it cannot take part. */
    private String add(final AdmittedNode member) throws IOException
    {
        final int node = member.request().node();
        while (true)
        {
            final AdmittedNode other;
            synchronized (this)
            {
                final String problem = problem(member);
                if (problem != null)
                {
                    return problem;
                }
                final AdmittedNode running = current.get(node);
                if (isComplete && !(isRestartable && running != null && running.channel().hasEnded()))
                {
                    return (isRestartable ? NodeRequest.AGAIN : "") + duplicate(member, running,
                        " and the job has started: if a node was restarted, restart all of them");
                }
                other = members.get(node);
                if (other == null)
                {
                    NodeRequest.answer(member.channel().output(), "");
                    members.put(node, member);
                    notifyAll();
                    return "";
                }
                probes++;
            }
            if (isAlive(other))
            {
                return duplicate(member, other, ": give each node its own --node-rank");
            }
            synchronized (this)
            {
                if (members.remove(node, other))
                {
                    other.channel().close();
                }
            }
        }
    }

    /** Returns whether a member answers, outside of the lock: others join meanwhile, but the job does not start. */
    private boolean isAlive(final AdmittedNode member)
    {
        try
        {
            final long probedNs = System.nanoTime();
            member.probe();
            return member.answers(probedNs);
        }
        finally
        {
            synchronized (this)
            {
                probes--;
                notifyAll();
            }
        }
    }

    private static String duplicate(final AdmittedNode member, final AdmittedNode other, final String rest)
    {
        return "duplicate " + name(member) + ": " + (other == null ? "another" : other.describe()) +
            " has joined as node rank " + member.request().node() + rest;
    }

    private static String name(final AdmittedNode member)
    {
        return "node rank " + member.request().node() + " on " + member.describe();
    }

    /** Returns what is wrong with a request, or null. */
    private String problem(final AdmittedNode member)
    {
        final NodeRequest request = member.request();
        final NodeRequest own = NodeRequest.of(place);
        final String name = name(member);
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
        return null;
    }

    /**
     * Waits for all nodes that are not left out. Called before each start of the job.
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
            if (members.size() == count && probes == 0)
            {
                removeDead();
            }
            if (members.size() == count && probes == 0)
            {
                isComplete = true;
                joined = named();
                current.clear();
                current.putAll(members);
                members.clear();
                return;
            }
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0 && members.size() < count)
            {
                throw missing(timeoutNs);
            }
            // A probe ends soon.
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, MIN_WAIT_NS));
        }
    }

    /** Removes the nodes that ended, or whose hosts failed, after they had joined. */
    private void removeDead()
    {
        final long probedNs = System.nanoTime();
        members.values().forEach(AdmittedNode::probe);
        members.values().removeIf(member ->
        {
            final boolean isDead = !member.answers(probedNs);
            if (isDead)
            {
                member.channel().close();
            }
            return isDead;
        });
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
            final AdmittedNode member = members.remove(node.node());
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

    private static void refuse(final Map<Integer, AdmittedNode> members, final String text)
    {
        members.values().forEach(member ->
        {
            answer(member, text);
            member.channel().close();
        });
    }

    private static void answer(final AdmittedNode member, final String text)
    {
        try
        {
            member.channel().limitReads(0);
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
        listener.close();
    }
}
