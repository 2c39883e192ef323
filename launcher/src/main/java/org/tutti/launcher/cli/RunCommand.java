/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.SettingsCheck;
import org.tutti.launcher.agent.AgentCommand;
import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.host.WorkingDirectory;
import org.tutti.launcher.io.CommandWords;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;
import org.tutti.launcher.job.Launcher;
import org.tutti.launcher.rank.ProgramSpec;
import org.tutti.launcher.rank.RankVariables;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code tutti run}: validates the complete command line, then starts the job. */
final class RunCommand implements Callable<Integer>
{
    /** Variables that name files. */
    private static final List<String> FILES = List.of("TUTTI_TUNING", "TUTTI_MODEL");

    private static final String NP = "-np";
    private static final String CLASS_PATH = "-cp";
    private static final String VARIABLE = "-x";
    private static final String JVM_ARG = "--jvm-arg";
    private static final String TIMEOUT = "--timeout";
    private static final String GRACE = "--grace";
    private static final String BIND = "--bind";
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
                "",
                "Sets RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT",
                "in the environment of each rank. The exit code is that of the first rank to fail",
                "(128 + n if killed by signal n), 124 after --timeout, 2 for a command-line",
                "error, else 0.");
    }

    private static void addTo(final OptionBuilder options)
    {
        options.text("N", "Number of ranks (default with hosts: one per slot).", NP, "-n");
        HostOptions.addTo(options);
        NodeOptions.addTo(options);
        options
            .text("PATH", "Class path of jars and directories; COMMAND is then a main class.", CLASS_PATH)
            .texts("VAR[=VALUE]", "Sets an environment variable of the ranks, or exports the launcher's. " +
                "Repeatable.", VARIABLE)
            .texts("ARG", "Passes an option to the ranks' JVMs, such as -J-Xmx2g. Repeatable.", "-J", JVM_ARG);
        PortOptions.addTo(options);
        OutputOptions.addTo(options);
        options
            .text("DURATION", "Ends the job after this time (30s, 5m, 1h), with exit code 124.", TIMEOUT)
            .textOr("2s", "DURATION", "Grace period: how long ranks may take to end before SIGTERM, and again before " +
                "SIGKILL; also how long reading the output may take after a signal or --timeout (default: 2s).", GRACE)
            .textOr("none", "core|none", "Binds each rank to one core, or leaves it unbound (default: none).",
                BIND)
            .flag("Prints errors only.", "-q", QUIET)
            .flag("Prints the time of each startup step, and the chosen settings.", "-v", VERBOSE)
            .standardHelp()
            .words("COMMAND", "A built-in job, a jar, a main class (with -cp) or any program, and its arguments.");
    }

    @Override
    public Integer call() throws InterruptedException
    {
        final String ranks = options.valueOf(NP);
        final int size = ranks == null ? -1 : size(ranks);
        final NodePlace place = NodeOptions.read(options, size);
        if (place == null)
        {
            return run(new HostOptions(options).where(size));
        }
        if (place.node() > 0)
        {
            return AgentCommand.runNode(place, NodeOptions.secret());
        }
        try (NodeGroup group = NodeGroup.listen(place, NodeOptions.secret()))
        {
            return run(new HostOptions(options).where(place, group));
        }
    }

    private int run(final JobSpec.Where where) throws InterruptedException
    {
        final String binding = options.valueOf(BIND);
        if (!binding.equals("core") && !binding.equals("none"))
        {
            throw new UsageException("invalid --bind '" + binding + "': give core or none");
        }
        if (binding.equals("core") && where.placement().isLocalUsed() && !SpawnPrefix.canBind())
        {
            throw new UsageException("--bind core needs taskset, which is not on the PATH: install util-linux");
        }
        final JobSpec.Output output = OutputOptions.read(options, where.placement().size());
        final Map<String, String> environment = environment();
        final String timeout = options.valueOf(TIMEOUT);
        final long timeoutNs = timeout == null ? 0 : DurationOption.parse(TIMEOUT, timeout);
        final long graceNs = DurationOption.parse(GRACE, options.valueOf(GRACE));
        final List<String> words = options.words();
        final ProgramSpec program = CommandResolver.resolve(words, options.valueOf(CLASS_PATH), options.allOf(JVM_ARG));
        if (where.placement().isLocalUsed())
        {
            // Other hosts may have programs that this one lacks; their agents check them.
            program.command(where.directory(), environment);
        }
        if (program.kind() == ProgramSpec.Kind.JOB)
        {
            // The launcher checks a job's options once, before it starts any rank.
            final Integer code = JobRunner.check(words, where.placement().size());
            if (code != null)
            {
                return code;
            }
        }
        final JobSpec job = new JobSpec(
            where,
            program,
            environment,
            output,
            binding.equals("core"),
            timeoutNs,
            graceNs,
            options.has(QUIET),
            options.has(VERBOSE));
        try
        {
            return new Launcher(job, mainNs).run();
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("this host cannot run a launcher: " + ex.getMessage(), ex);
        }
    }

    private static int size(final String ranks)
    {
        try
        {
            final int size = Integer.parseInt(ranks);
            if (size >= 1 && size <= RankPlacement.MAX_RANKS)
            {
                return size;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Reported like a number out of range.
            throw badSize(ranks);
        }
        throw badSize(ranks);
    }

    private static UsageException badSize(final String ranks)
    {
        return new UsageException("invalid number of ranks -np '" + ranks + "': give 1 to " + RankPlacement.MAX_RANKS);
    }

    private Map<String, String> environment()
    {
        final Map<String, String> environment = new LinkedHashMap<>();
        for (final String variable : options.allOf(VARIABLE))
        {
            final int equals = variable.indexOf('=');
            final String name = equals < 0 ? variable : variable.substring(0, equals);
            final String value = equals < 0 ? System.getenv(name) : variable.substring(equals + 1);
            if (name.isEmpty())
            {
                throw new UsageException("-x '" + variable + "' lacks the name of the variable: give VAR or VAR=VALUE");
            }
            if (value == null)
            {
                throw new UsageException("-x " + name + " is not set: set it, or give -x " + name + "=VALUE");
            }
            if (RankVariables.isOwn(name))
            {
                throw new UsageException("-x " + name + " is reserved, tutti sets it for each rank: leave it out");
            }
            if (equals >= 0 && RankVariables.isLaunchers(name))
            {
                throw new UsageException("-x " + name + " is read by the launcher, not by ranks: run " +
                    name + "=" + CommandWords.quote(value) + " tutti run ...");
            }
            environment.put(name, value);
        }
        PortOptions.putInto(environment, options);
        checkSettings(environment);
        nameFiles(environment);
        return environment;
    }

    /** Resolves paths against the user's directory, not against the ranks' working directory. */
    private static void nameFiles(final Map<String, String> environment)
    {
        for (final String variable : FILES)
        {
            final String name = environment.getOrDefault(variable, System.getenv(variable));
            if (name != null && !name.isBlank())
            {
                environment.put(variable, Path.of(WorkingDirectory.name()).resolve(name.strip()).toString());
            }
        }
    }

    /** Checks the settings once, before any rank is started. */
    private static void checkSettings(final Map<String, String> given)
    {
        final Map<String, String> settings = RankVariables.settings();
        settings.putAll(given);
        if (settings.isEmpty())
        {
            return;
        }
        for (final SettingsCheck check : ServiceLoader.load(SettingsCheck.class))
        {
            final String problem = check.problem(settings);
            if (problem != null)
            {
                throw new UsageException(problem);
            }
        }
    }
}
