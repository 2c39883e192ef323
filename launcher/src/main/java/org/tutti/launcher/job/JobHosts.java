/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.agent.AgentHandler;
import org.tutti.launcher.agent.AgentLink;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.agent.Build;
import org.tutti.launcher.agent.HostsLostException;
import org.tutti.launcher.agent.InProcessAgentLink;
import org.tutti.launcher.agent.NodeAgent;
import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.Cores;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.WorkingDirectory;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.rank.JvmShare;
import org.tutti.launcher.rank.Reaper;

/**
 * The hosts of a job, each with an agent. The agent of this host runs in this process; the others are reached by ssh or
 * srun, or have connected to this process.
 * Used only by the thread that runs the job.
 */
final class JobHosts implements JobControl.RankHosts, AutoCloseable
{
    /** The time after the first failure of a host in which failures of other hosts are collected. */
    private static final long OTHERS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final AttemptContext context;
    private final JobSpec spec;
    private final RankPlacement placement;
    private final RemoteHost[] remotes;
    private final AgentMessage.Ready[] readies;
    private NodeAgent agent;
    private AgentLink agentLink;
    private LauncherAddresses addresses;

    JobHosts(final AttemptContext context)
    {
        this.context = context;
        spec = context.spec();
        placement = spec.where().placement();
        remotes = new RemoteHost[placement.hosts().size()];
        readies = new AgentMessage.Ready[remotes.length];
    }

    /**
     * Starts the agents of all hosts concurrently; returns before remote agents are ready.
     *
     * @param jobId  the id of the job.
     * @param reaper the reaper of this host; owned by the caller.
     * @param sink   the sink of the ranks' output; owned by the caller.
     * @throws IOException if this host cannot create a process or a file.
     */
    void connect(final String jobId, final Reaper reaper, final OutputSink sink) throws IOException
    {
        // Rejects an invalid value before anything is started.
        JobEnvironment.stallTimeoutNs(System.getenv());
        final long heartbeatTimeoutNs = JobEnvironment.heartbeatTimeoutNs(System.getenv());
        for (int i = 0; i < remotes.length; i++)
        {
            final RankPlacement.Host host = placement.hosts().get(i);
            if (host.isLocal())
            {
                agent = new NodeAgent(reaper, sink, spec.where().directory(), true);
                InProcessAgentLink.connect(i, host.name(), localHandler(), agent);
                continue;
            }
            remotes[i] = new RemoteHost(
                new AgentMessage.Hello(jobId, i, host.ranks().size(), directory(), heartbeatTimeoutNs,
                    context.start().isRestartable()),
                host.name(), connection(host.name(), reaper), context.events(), sink);
            remotes[i].start();
        }
    }

    private AgentConnection connection(final String host, final Reaper reaper) throws IOException
    {
        final NodeGroup nodes = spec.where().nodes();
        return nodes == null ? new SpawnedAgent(host, spec.where().remote(), reaper) : new ConnectedNode(
            nodes.nodes().stream().filter(node -> node.name().equals(host)).findFirst().orElseThrow(),
            context.start().isRestartable());
    }

    /**
     * Returns the working directory of ranks on other hosts: by default that of this process, under the name that the
     * user's shell uses. Nodes have their own.
     */
    private String directory()
    {
        if (spec.where().nodes() != null)
        {
            return "";
        }
        return spec.where().directory() == null ? WorkingDirectory.name() : spec.where().directory().toString();
    }

    /**
     * Waits until ranks can be started on all hosts.
     *
     * @return the signal that ended the wait, or null.
     * @throws HostsLostException if these hosts have been ready before, in this start of the job or a former one.
     * @throws BootstrapException if ranks cannot be started on a host; the message names the hosts and the causes.
     */
    JobEvent.Signalled awaitReady() throws InterruptedException
    {
        final List<String> failures = new ArrayList<>();
        final Set<String> lost = new LinkedHashSet<>();
        final long timeoutNs = JobEnvironment.joinTimeoutNs(System.getenv());
        final long startNs = System.nanoTime();
        long waitNs = timeoutNs;
        while (waiting() > failures.size())
        {
            final JobEvent event = context.events().poll(waitNs - (System.nanoTime() - startNs), TimeUnit.NANOSECONDS);
            switch (event)
            {
                case null ->
                {
                    if (failures.isEmpty())
                    {
                        lost.addAll(missing());
                        failures.add(String.join(", ", lost) + ": not ready within " +
                            DurationFormat.format(timeoutNs) + ": if it is slow, raise TUTTI_JOIN_TIMEOUT");
                    }
                    throw cannotStart(failures, lost);
                }
                case final JobEvent.Signalled signal ->
                {
                    return signal;
                }
                case final JobEvent.HostReady ready ->
                {
                    final String refusal = refusal(ready.ready());
                    if (refusal == null)
                    {
                        readies[ready.host()] = ready.ready();
                        onReady(ready);
                    }
                    else
                    {
                        failures.add(remotes[ready.host()].name() + ": " + refusal);
                    }
                }
                case final JobEvent.AgentLost agentLost ->
                {
                    lost.add(agentLost.host());
                    failures.add(agentLost.host() + ": " + agentLost.cause());
                }
                case final JobEvent.Noticed notice -> context.console().say("tutti: " + notice.text());
                case final JobEvent.ReaperLost reaper -> throw new BootstrapException(reaper.cause());
                default -> throw new IllegalStateException("unexpected event before the start of the ranks: " + event);
            }
            if (!failures.isEmpty() && waitNs == timeoutNs)
            {
                waitNs = System.nanoTime() - startNs + OTHERS_TIMEOUT_NS;
            }
        }
        if (!failures.isEmpty())
        {
            throw cannotStart(failures, lost);
        }
        addresses = new LauncherAddresses(spec.where(), remotes, readies);
        if (spec.isVerbose() && spec.sections().stream().allMatch(section -> section.program().isJvm()))
        {
            JvmShares.print(placement, i -> remotes[i] == null ?
                new JvmShares.Shared(Cores.count(), JvmShare.totalPercent()) :
                new JvmShares.Shared(readies[i].cores(), readies[i].heapPercent()), context.console());
        }
        return null;
    }

    private int waiting()
    {
        int count = 0;
        for (int i = 0; i < remotes.length; i++)
        {
            count += remotes[i] != null && readies[i] == null ? 1 : 0;
        }
        return count;
    }

    private List<String> missing()
    {
        final List<String> missing = new ArrayList<>();
        for (int i = 0; i < remotes.length; i++)
        {
            if (remotes[i] != null && readies[i] == null)
            {
                missing.add(remotes[i].name());
            }
        }
        return missing;
    }

    private BootstrapException cannotStart(final List<String> failures, final Set<String> lost)
    {
        final String text = "cannot start on " + String.join("\ntutti: cannot start on ", failures);
        final boolean isLoss = lost.size() >= failures.size() && context.start().knownHosts().containsAll(lost);
        return isLoss ? new HostsLostException(text, lost) : new BootstrapException(text);
    }

    private String refusal(final AgentMessage.Ready ready)
    {
        return ready.build().equals(Build.id()) ? null :
            "another build of Tutti is " + (spec.where().remote() == null ? "" :
            "in " + spec.where().remote().home() + " ") + "there (" + ready.build() + ", here " + Build.id() +
            "): copy the same sources there and build them" +
            (spec.where().remote() == null ? "" : ", or give --remote-path");
    }

    private void onReady(final JobEvent.HostReady host)
    {
        final String name = remotes[host.host()].name();
        final int size = placement.hosts().get(host.host()).ranks().size();
        context.times().mark(name + " ready");
        if (!context.start().knownHosts().add(name) || spec.isQuiet())
        {
            return;
        }
        if (size > host.ready().cores())
        {
            context.console().say("tutti: " + name + ": " + MessageFormat.sharedCores(size, host.ready().cores()));
        }
        if (!host.ready().warning().isEmpty())
        {
            context.console().say("tutti: " + name + ": " + host.ready().warning());
        }
    }

    /** Returns the UDP endpoint at which all hosts can reach the coordinator; null if there are no other hosts. */
    String endpoint()
    {
        return addresses.coordinatorEndpoint();
    }

    /**
     * Creates the environment of the job's ranks on all hosts.
     *
     * @param jobId  the id of the job.
     * @param secret the job's secret, which authenticates ranks.
     */
    RankEnvironment environment(final String jobId, final String secret) throws IOException
    {
        return new RankEnvironment(spec, jobId, secret, addresses.master(), context.start().restart());
    }

    /**
     * Starts the ranks of this host. They find the coordinator through the job's directory, and wait for it.
     *
     * @param environment the environment of the ranks.
     * @param directory   the job's directory on this host.
     */
    void startRanksHere(final RankEnvironment environment, final String directory)
    {
        final RankEnvironment.AtHost here = new RankEnvironment.AtHost(directory, Cores.count(), null);
        for (int rank = 0; rank < spec.size(); rank++)
        {
            if (remotes[placement.hostOf(rank)] == null)
            {
                start(rank, environment.of(rank, here));
            }
        }
    }

    /**
     * Starts the ranks of other hosts.
     *
     * @param environment the environment of the ranks.
     * @param port        the UDP port of the coordinator.
     */
    void startRanksElsewhere(final RankEnvironment environment, final int port)
    {
        for (int rank = 0; rank < spec.size(); rank++)
        {
            final int i = placement.hostOf(rank);
            if (remotes[i] != null)
            {
                final RankEnvironment.AtHost there = new RankEnvironment.AtHost(
                    readies[i].directory(), readies[i].cores(), addresses.coordinatorEndpoint(i, port));
                start(rank, environment.of(rank, there));
            }
        }
        final RemoteHost first = remotes[placement.hostOf(0)];
        if (first != null && context.start().readsInput())
        {
            first.feedInput();
        }
    }

    private void start(final int rank, final Map<String, String> variables)
    {
        send(rank, new AgentMessage.Start(rank, placement.localRank(rank), spec.binding(),
            rank == 0 && context.start().readsInput(), spec.section(rank).program(), variables));
    }

    /** Stops starting ranks on this host. On return, the reaper knows all ranks that were started. */
    void stopStarting() throws InterruptedException
    {
        if (agent != null)
        {
            agent.stopStarting();
        }
    }

    @Override
    public String name(final int rank)
    {
        return placement.hosts().get(placement.hostOf(rank)).name();
    }

    @Override
    public void send(final int rank, final AgentMessage message)
    {
        final RemoteHost remote = remotes[placement.hostOf(rank)];
        if (remote != null)
        {
            remote.send(message);
        }
        else
        {
            agentLink.send(message);
        }
    }

    /**
     * Requests other hosts to end processes that ranks left behind, and to send the remaining output.
     *
     * @param code        the exit code of the job.
     * @param isRestarted whether the job is started again.
     */
    void finish(final int code, final boolean isRestarted)
    {
        for (final RemoteHost remote : remotes)
        {
            if (remote != null)
            {
                remote.send(new AgentMessage.Finish(code, isRestarted));
            }
        }
    }

    /**
     * Waits until all output is written and other hosts are cleaned up.
     *
     * @param timeoutMs the longest wait in milliseconds.
     * @param sinceNs   the time when the ranks of this host, and the processes that they left behind, ended.
     * @return false if the timeout expired.
     */
    boolean awaitOutput(final long timeoutMs, final long sinceNs) throws InterruptedException
    {
        if (agent != null && !agent.awaitOutput(timeoutMs, sinceNs))
        {
            return false;
        }
        for (final RemoteHost remote : remotes)
        {
            if (remote != null && !remote.awaitOutput(timeoutMs))
            {
                return false;
            }
        }
        return true;
    }

    /** Creates the handler of this host's agent, whose messages become the same events as those of remote agents. */
    private AgentHandler localHandler()
    {
        return new AgentHandler()
        {
            @Override
            public void onJoined(final AgentLink link)
            {
                agentLink = link;
            }

            @Override
            public void onMessage(final AgentLink link, final AgentMessage message)
            {
                context.events().add(new JobEvent.AgentSaid(link.host(), message));
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                context.events().add(new JobEvent.AgentLost(link.host(), cause));
            }
        };
    }

    /** Closes the links to other hosts, whose agents then clean up, and ends the agent of this host. Idempotent. */
    @Override
    public void close()
    {
        if (agent != null)
        {
            agent.close();
        }
        for (final RemoteHost remote : remotes)
        {
            if (remote != null)
            {
                remote.closeLink();
            }
        }
        for (final RemoteHost remote : remotes)
        {
            if (remote != null)
            {
                remote.close();
            }
        }
    }
}
