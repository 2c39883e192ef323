/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.agent.AgentCommand;
import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.job.JobSpec;
import org.tutti.launcher.job.Launcher;
import org.tutti.launcher.job.Restarts;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code tutti run}: validates the complete command line, then starts the job. */
final class RunCommand implements Callable<Integer>
{
    private static final String TIMEOUT = "--timeout";
    private static final String GRACE = "--grace";
    private static final String QUIET = "--quiet";
    private static final String VERBOSE = "--verbose";

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("run");
    private final OptionBuilder options = new OptionBuilder(spec);
    private final long mainNs;

    private RunCommand(final long mainNs)
    {
        this.mainNs = mainNs;
    }

    /**
     * Creates the command line, which calls this command after parsing.
     *
     * @param mainNs the time when this process reached main, by {@link System#nanoTime()}.
     */
    static CommandLine commandLine(final long mainNs)
    {
        final RunCommand command = new RunCommand(mainNs);
        command.describe();
        addTo(command.options);
        return new CommandLine(command.spec).setStopAtPositional(true);
    }

    private void describe()
    {
        spec.usageMessage()
            .description("Runs N ranks of a command, on this host or others, and waits for them to end.")
            .sortOptions(false)
            .customSynopsis("tutti run -np N [OPTION]... COMMAND [ARGUMENT]...%n" +
                "       tutti run -np N [OPTION]... COMMAND [ARGUMENT]... : -np N COMMAND [ARGUMENT]... [: ...]%n" +
                "       tutti run --host HOST:SLOTS,... [OPTION]... COMMAND [ARGUMENT]...%n" +
                "       tutti run --nnodes N --node-rank R --coordinator HOST:PORT [-np RANKS] [OPTION]... " +
                "COMMAND [ARGUMENT]...%n")
            .footerHeading("%nExamples:%n")
            .footer(
                "  tutti run -np 2 perf allreduce              a built-in job",
                "  tutti run -np 4 --tag train.jar --epochs 3  a jar, output tagged with the rank",
                "  tutti run -np 2 -cp classes org.me.Train    a main class",
                "  tutti run -np 2 -x LEVEL=3 python3 peer.py  any program",
                "  tutti run --host node0:2,node1:2 hello      two ranks on each of two hosts",
                "  tutti run -np 1 ./main : -np 3 ./worker     several programs; each section may have -cp,",
                "                                              -x and -J; '\\:' passes ':' to a program",
                "",
                "Sets RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT",
                "in the environment of each rank. The exit code is that of the first rank to fail",
                "(128 + n if killed by signal n), 124 after --timeout, 2 for a command-line",
                "error, else 0.");
    }

    private static void addTo(final OptionBuilder options)
    {
        ProgramOptions.addSizeTo(options);
        HostOptions.addTo(options);
        NodeOptions.addTo(options);
        RestartOptions.addTo(options);
        ProgramOptions.addTo(options);
        PortOptions.addTo(options);
        OutputOptions.addTo(options);
        options
            .text("DURATION", "Ends the job after this time (30s, 5m, 1h), with exit code 124.", TIMEOUT)
            .textOr("2s", "DURATION", "Grace period: how long ranks may take to end before SIGTERM, and again before " +
                "SIGKILL; also how long reading the output may take after a signal or --timeout (default: 2s).", GRACE);
        BindOptions.addTo(options);
        options
            .flag("Prints errors only.", "-q", QUIET)
            .flag("Prints the time of each startup step, and the chosen settings.", "-v", VERBOSE)
            .standardHelp()
            .words("COMMAND", "A built-in job, a jar, a main class (with -cp) or any program, and its arguments.");
    }

    @Override
    public Integer call() throws InterruptedException
    {
        final Sections sections = new Sections(spec, options);
        final int size = sections.size();
        final NodePlace place = NodeOptions.read(options, size);
        sections.checkNodes(place);
        final RestartOptions restarts = new RestartOptions(options);
        sections.checkLeftOut(restarts);
        if (place == null)
        {
            final JobSpec.Where where = new HostOptions(options).where(size);
            return run(where, sections, restarts.restarts(where.placement().givenHosts(), where::without));
        }
        if (place.node() > 0)
        {
            return AgentCommand.runNode(place, NodeOptions.secret());
        }
        try (NodeGroup group = NodeGroup.listen(place, NodeOptions.secret()))
        {
            final HostOptions hosts = new HostOptions(options);
            final Restarts again = restarts.restarts(place.nodes(), leftOut ->
            {
                group.leaveOut(leftOut);
                return hosts.where(place, group);
            });
            return run(hosts.where(place, group), sections, again);
        }
    }

    private int run(final JobSpec.Where where, final Sections sections, final Restarts restarts)
        throws InterruptedException
    {
        final Binding binding = BindOptions.read(options, where.placement());
        final JobSpec.Output output = OutputOptions.read(options, where.placement().size());
        final String timeout = options.valueOf(TIMEOUT);
        final long timeoutNs = timeout == null ? 0 : DurationOption.parse(TIMEOUT, timeout);
        final long graceNs = DurationOption.parse(GRACE, options.valueOf(GRACE));
        final List<JobSpec.Section> programs = sections.of(where);
        final Integer code = sections.check(programs, where.placement().size());
        if (code != null)
        {
            return code;
        }
        final JobSpec job = new JobSpec(
            where,
            sections.withJars(programs),
            output,
            binding,
            timeoutNs,
            graceNs,
            options.has(QUIET),
            options.has(VERBOSE));
        try
        {
            return new Launcher(job, restarts, mainNs).run();
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("this host cannot run a launcher: " + ex.getMessage(), ex);
        }
    }
}
