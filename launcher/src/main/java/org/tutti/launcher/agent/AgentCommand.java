/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.aeron.HostMedia;
import org.tutti.launcher.host.Cores;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.host.Ports;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.host.WorkingDirectory;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.rank.JvmShare;
import org.tutti.launcher.rank.Reaper;

/**
 * The agent of a remote host. The launcher starts it by ssh or srun and exchanges messages with it over stdin and
 * stdout, or the user starts it as a node that connects to the launcher. The agent prepares the host, starts ranks on
 * request, and ends on request or when the launcher is lost; then nothing of the job is left on this host. If the
 * agent is killed, its reaper cleans up.
 */
public final class AgentCommand implements AgentHandler, Reaper.Listener
{
    /** The argument of {@code tutti} that starts an agent; internal, not for users. */
    public static final String NAME = "agent";

    private static final long OUTPUT_POLL_MS = 100;
    /** Number of files opened later: class files, the media driver's selectors and buffers, the reaper's pipe. */
    private static final int FILES = 32;
    private static final int PIPES = 3;
    /** The heartbeat timeout until the launcher's first message sets it. */
    private static final long FIRST_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /** An event for the main thread: a request of the launcher, or the reason why none will come. */
    private sealed interface Order
    {
        /** The launcher requests to prepare the host. */
        record Prepare(AgentMessage.Hello hello) implements Order
        {
        }

        /** All ranks ended, and the launcher has no further requests. */
        record Finish(int code, boolean isRestarted) implements Order
        {
        }

        /** The launcher was lost, or the job cannot continue on this host. */
        record Stop(String cause) implements Order
        {
        }
    }

    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final StreamLink link;
    private final LinkSink sink;
    /** The secret of nodes, from which that of the job's ranks is derived; null if the launcher sends the latter. */
    private final JobSecret secret;
    private volatile NodeAgent agent;
    private volatile String jobSecret;
    private boolean isRestarted;
    private int code = ExitCode.FAILURE;

    private AgentCommand(final InputStream in, final OutputStream out, final JobSecret secret)
    {
        link = new StreamLink(0, "launcher", in, out, FIRST_TIMEOUT_NS, this);
        sink = new LinkSink(link);
        this.secret = secret;
    }

    /**
     * Runs the agent to its end, on the main thread.
     *
     * @return the exit code of this process.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static int run() throws InterruptedException
    {
        // Stdout carries the messages to the launcher.
        System.setOut(System.err);
        return new AgentCommand(
            new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out), null).serve();
    }

    /**
     * Runs the agent of a node that the user started, on the main thread, to the end of the job, and again if the
     * coordinator restarts it.
     *
     * @param place  the place of this node, number 1 or more.
     * @param given  the secret that the user gave to all nodes.
     * @return the exit code of the job.
     * @throws BootstrapException   if the coordinator cannot be reached, or refuses this node.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static int runNode(final NodePlace place, final String given) throws InterruptedException
    {
        final NodeConnector connector =
            new NodeConnector(place, given, JobEnvironment.joinTimeoutNs(System.getenv()));
        AgentCommand last = start(connector, false);
        while (last.isRestarted)
        {
            try
            {
                last = start(connector, true);
            }
            catch (final BootstrapException ex)
            {
                say(ex.getMessage());
                return last.code;
            }
        }
        return last.code;
    }

    /** Takes part in one start of a job. */
    private static AgentCommand start(final NodeConnector connector, final boolean isRestart)
        throws InterruptedException
    {
        try (NodeChannel channel = connector.connect(isRestart))
        {
            final AgentCommand command = new AgentCommand(channel.input(), channel.output(), connector.secret());
            command.code = command.serve();
            return command;
        }
    }

    private int serve() throws InterruptedException
    {
        link.start();
        final Order first = orders.poll(JobEnvironment.joinTimeoutNs(System.getenv()), TimeUnit.NANOSECONDS);
        if (!(first instanceof Order.Prepare prepare))
        {
            say(first instanceof Order.Stop stop ? "lost the launcher" + because(stop.cause()) :
                "no message from a launcher: 'tutti agent' is internal, use 'tutti run'");
            return ExitCode.FAILURE;
        }
        try
        {
            return serve(prepare.hello());
        }
        catch (final BootstrapException | UsageException | IOException ex)
        {
            refuse(ex.getMessage() == null ? ex.toString() : ex.getMessage());
            return ExitCode.FAILURE;
        }
    }

    @SuppressWarnings("try") // The media driver runs on its own threads.
    private int serve(final AgentMessage.Hello hello) throws IOException, InterruptedException
    {
        jobSecret = secret == null ? null : NodeGroup.jobSecret(secret, hello.jobId());
        final Path workingDirectory =
            Path.of(hello.directory().isEmpty() ? WorkingDirectory.name() : hello.directory());
        if (!Files.isDirectory(workingDirectory))
        {
            throw new UsageException("no such working directory " + workingDirectory +
                ": create it on that host, or give --wdir");
        }
        OpenFileLimit.require("the agent of " + hello.ranks() + " ranks", FILES + PIPES * hello.ranks());
        // One host may be given under two names, so that two agents run on it: each has its own directory.
        final String name = hello.jobId() + "-h" + hello.agent();
        final Reaper reaper = new Reaper(name, JobDirectory.path(JobDirectory.base(), name), this);
        final Order last;
        try (JobDirectory directory = JobDirectory.create(name); reaper;
            HostMedia media = HostMedia.start(
                directory.aeronDirectory(), hello.ranks(), cause -> orders.add(new Order.Stop(cause))))
        {
            agent = new NodeAgent(reaper, sink, workingDirectory, false);
            // Unless the launcher says otherwise: it may lose this host.
            isRestarted = hello.isRestartable();
            link.timeout(hello.heartbeatTimeoutNs());
            link.send(ready(directory));
            last = orders.take();
        }
        if (last instanceof Order.Stop stop)
        {
            agent.close();
            say("agent and ranks ended" + because(stop.cause()));
            return ExitCode.FAILURE;
        }
        final long endNs = System.nanoTime();
        while (orders.isEmpty() && !agent.awaitOutput(OUTPUT_POLL_MS, endNs))
        {
            // Waits for a slow reader of the output.
        }
        link.send(new AgentMessage.Finished());
        closeLink();
        agent.close();
        final Order.Finish finish = (Order.Finish)last;
        isRestarted = finish.isRestarted();
        return secret == null ? ExitCode.OK : finish.code();
    }

    private AgentMessage.Ready ready(final JobDirectory directory) throws IOException
    {
        // The addresses and ports of both ends, as seen by sshd; for a node, that of another session of the user.
        final String connection = secret == null ? System.getenv("SSH_CONNECTION") : null;
        final String[] words = connection == null ? new String[0] : connection.strip().split(" +", -1);
        final String srun = System.getenv("SLURM_LAUNCH_NODE_IPADDR");
        return new AgentMessage.Ready(
            Build.id(),
            directory.path().toString(),
            Cores.count(),
            JvmShare.totalPercent(),
            Ports.free(null),
            words.length == 4 ? words[0] : srun == null ? "" : srun.strip(),
            words.length == 4 ? words[2] : "",
            SpawnPrefix.missing() == null ? "" : SpawnPrefix.missing());
    }

    private void refuse(final String cause) throws InterruptedException
    {
        try
        {
            link.send(new AgentMessage.Refused(cause));
            closeLink();
        }
        catch (final BootstrapException ex)
        {
            say(cause);
        }
    }

    /** Closes the link and waits until the launcher has read the last message and closes its end. */
    private void closeLink() throws InterruptedException
    {
        link.close();
        orders.poll(FIRST_TIMEOUT_NS, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onMessage(final AgentLink from, final AgentMessage message)
    {
        switch (message)
        {
            case AgentMessage.Hello hello -> orders.add(new Order.Prepare(hello));
            case AgentMessage.OutputPassed passed -> sink.passed(passed.length());
            case AgentMessage.Finish finish -> orders.add(new Order.Finish(finish.code(), finish.isRestarted()));
            case AgentMessage.Start start when jobSecret != null -> agent.onMessage(from, withSecret(start));
            default -> agent.onMessage(from, message);
        }
    }

    private AgentMessage.Start withSecret(final AgentMessage.Start start)
    {
        final Map<String, String> environment = new LinkedHashMap<>(start.environment());
        environment.put(JobEnvironment.TUTTI_SECRET, jobSecret);
        return new AgentMessage.Start(start.rank(), start.localRank(), start.binding(), start.readsInput(),
            start.program(), environment);
    }

    @Override
    public void onLost(final AgentLink from, final String cause)
    {
        sink.lose();
        final NodeAgent started = agent;
        if (started != null)
        {
            started.onLost(from, cause);
        }
        orders.add(new Order.Stop(cause));
    }

    @Override
    public void onKilled(final String cause)
    {
        // Sent before the ranks are ended, so that the launcher does not report their end as the failure.
        sendOrPrint(new AgentMessage.Refused(cause), cause);
        orders.add(new Order.Stop(cause));
    }

    @Override
    public void onReplaced(final String notice)
    {
        sendOrPrint(new AgentMessage.Notice(notice), notice);
    }

    /** Sends a message to the launcher, or prints its text if the launcher is lost. */
    private void sendOrPrint(final AgentMessage message, final String text)
    {
        try
        {
            link.send(message);
        }
        catch (final BootstrapException ex)
        {
            say(text);
        }
    }

    private static String because(final String cause)
    {
        return cause == null ? "" : ": " + cause;
    }

    private static void say(final String text)
    {
        System.err.println("tutti: " + text);
    }
}
