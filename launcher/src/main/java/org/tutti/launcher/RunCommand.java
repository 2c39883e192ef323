/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;

import org.tutti.bootstrap.BootstrapException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tutti run}: checks all that the user asked for, and only then starts anything. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Starts N ranks of a command, on this host or others, and runs them to their end.",
    sortOptions = false,
    customSynopsis = "tutti run -np N [OPTION]... COMMAND [ARGUMENT]...%n" +
        "       tutti run --host HOST:SLOTS,... [OPTION]... COMMAND [ARGUMENT]...%n",
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti run -np 2 perf allreduce              a job that comes with Tutti",
        "  tutti run -np 4 --tag train.jar --epochs 3  a jar, its lines tagged by rank",
        "  tutti run -np 2 -cp classes org.me.Train    a main class",
        "  tutti run -np 2 -x LEVEL=3 python3 peer.py  any program",
        "  tutti run --host node0:2,node1:2 hello      two ranks on each of two hosts",
        "",
        "Each rank finds RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and",
        "MASTER_PORT in its environment. The exit code is that of the first rank that",
        "fails (128 + n when signal n ended it), 124 after --timeout, 2 for a wrong",
        "command line, else 0."})
final class RunCommand implements Callable<Integer>
{
    static final int MAX_RANKS = 1024;
    private static final String TABLE = "TUTTI_TUNING";

    @Option(names = {"-np", "-n"}, paramLabel = "N",
        description = "How many ranks (default with hosts: one in each slot).")
    private String ranks;

    @Mixin
    private HostOptions hosts;

    @Option(names = "-cp", paramLabel = "PATH",
        description = "COMMAND is a main class, found in these jars and directories.")
    private String classPath;

    @Option(names = "-x", paramLabel = "VAR[=VALUE]",
        description = "Sets an environment variable for the ranks, or hands on the launcher's. Repeatable.")
    private List<String> variables = List.of();

    @Option(names = {"-J", "--jvm-arg"}, paramLabel = "ARG",
        description = "An option for the ranks' JVMs, such as -J-Xmx2g. Repeatable.")
    private List<String> jvmArgs = List.of();

    @Mixin
    private PortOptions ports;

    @Option(names = "--tag", description = "Puts the rank before each line of output.")
    private boolean isTagged;

    @Option(names = "--timestamp", description = "Puts the time before each line of output.")
    private boolean isTimed;

    @Option(names = "--output-dir", paramLabel = "DIR",
        description = "Writes the output to DIR/rank-N.out and DIR/rank-N.err instead.")
    private Path outputDirectory;

    @Option(names = "--timeout", paramLabel = "DURATION",
        description = "Ends the job after this long (30s, 5m, 1h), with exit code 124.")
    private String timeout;

    @Option(names = "--grace", paramLabel = "DURATION", defaultValue = "2s",
        description = "How long ranks may take to end when told to, before SIGTERM and again before SIGKILL " +
            "(default: 2s).")
    private String grace;

    @Option(names = "--bind", paramLabel = "core|none", defaultValue = "none",
        description = "Keeps each rank on one core, or leaves that to the kernel (default: none).")
    private String binding;

    @Option(names = {"-q", "--quiet"}, description = "Says nothing that is not an error.")
    private boolean isQuiet;

    @Option(names = {"-v", "--verbose"},
        description = "Says when each part of the start was done, and what was chosen.")
    private boolean isVerbose;

    @Parameters(arity = "1..*", paramLabel = "COMMAND",
        description = "A job of Tutti's, a jar, a main class (with -cp) or any program, and its arguments.")
    private List<String> words;

    private final long mainNs;

    /** @param mainNs when this process reached main. */
    RunCommand(final long mainNs)
    {
        this.mainNs = mainNs;
    }

    @Override
    public Integer call() throws InterruptedException
    {
        final JobSpec.Where where = hosts.where(ranks == null ? -1 : size());
        if (!binding.equals("core") && !binding.equals("none"))
        {
            throw new UsageException("--bind '" + binding + "' is neither core nor none: give one of them");
        }
        if (binding.equals("core") && where.placement().isLocalUsed() && !SpawnTools.canBind())
        {
            throw new UsageException("--bind core needs taskset, which is not on the PATH: install util-linux");
        }
        if (outputDirectory != null && outputDirectory.toFile().exists() && !outputDirectory.toFile().isDirectory())
        {
            throw new UsageException("--output-dir '" + outputDirectory + "' is a file: give a directory");
        }
        final Map<String, String> environment = environment();
        final long timeoutNs = timeout == null ? 0 : Durations.parse("--timeout", timeout);
        final long graceNs = Durations.parse("--grace", grace);
        final Program program = Program.resolve(words, classPath, jvmArgs);
        if (where.placement().isLocalUsed())
        {
            // Other hosts may have what this one has not; of those, their agents tell.
            program.command(where.directory());
        }
        if (program.kind() == Program.Kind.JOB)
        {
            // What is wrong with a job's options is said once, by the launcher, before any rank is started.
            final Integer code = JobRunner.check(words, where.placement().size());
            if (code != null)
            {
                return code;
            }
        }
        final JobSpec spec = new JobSpec(
            where,
            program,
            environment,
            new JobSpec.Output(isTagged, isTimed, outputDirectory),
            binding.equals("core"),
            timeoutNs,
            graceNs,
            isQuiet,
            isVerbose);
        try
        {
            return new Launcher(spec, mainNs).run();
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("this host refuses what a launcher needs: " + ex.getMessage(), ex);
        }
    }

    private int size()
    {
        try
        {
            final int size = Integer.parseInt(ranks);
            if (size >= 1 && size <= MAX_RANKS)
            {
                return size;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Said below, as for a number that is out of range.
            throw badSize();
        }
        throw badSize();
    }

    private UsageException badSize()
    {
        return new UsageException("-np '" + ranks + "' is not a number of ranks: give 1 to " + MAX_RANKS);
    }

    private Map<String, String> environment()
    {
        final Map<String, String> environment = new LinkedHashMap<>();
        for (final String variable : variables)
        {
            final int equals = variable.indexOf('=');
            final String name = equals < 0 ? variable : variable.substring(0, equals);
            final String value = equals < 0 ? System.getenv(name) : variable.substring(equals + 1);
            if (name.isEmpty())
            {
                throw new UsageException("-x '" + variable + "' names no variable: give VAR or VAR=VALUE");
            }
            if (value == null)
            {
                throw new UsageException("-x " + name + " is not set here: set it, or give -x " + name + "=VALUE");
            }
            if (RankEnvironment.isOwn(name))
            {
                throw new UsageException("-x " + name + " is set by tutti for each rank: leave it out");
            }
            if (equals >= 0 && RankEnvironment.isLaunchers(name))
            {
                throw new UsageException("-x " + name + " is read by the launcher, not by ranks: set it before: " +
                    name + "=" + CommandWords.quote(value) + " tutti run ...");
            }
            environment.put(name, value);
        }
        ports.putInto(environment);
        checkSettings(environment);
        nameTable(environment);
        return environment;
    }

    /** A file is where the user says, seen from the user's directory, whatever the one that ranks work in. */
    private static void nameTable(final Map<String, String> environment)
    {
        final String name = environment.getOrDefault(TABLE, System.getenv(TABLE));
        if (name != null && !name.isBlank())
        {
            environment.put(TABLE, Path.of(WorkingDirectory.name()).resolve(name.strip()).toString());
        }
    }

    /** What is wrong with a setting is said once, before any rank is started. */
    private static void checkSettings(final Map<String, String> given)
    {
        final Map<String, String> settings = RankEnvironment.settings();
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
