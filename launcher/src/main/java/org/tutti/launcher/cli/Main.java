/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;

import org.tutti.launcher.JobCommand;
import org.tutti.launcher.ToolCommand;
import org.tutti.launcher.agent.AgentCommand;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.rank.Jobs;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of Tutti. In a rank's environment, a job's name runs that job in this process; elsewhere it starts a
 * job of one rank. Exit codes: 0 for success, 1 for a failure, 2 for a command-line error.
 */
@Command(
    name = "tutti",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Collective communication for the JVM, on RDMA verbs.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti run -np 2 perf allreduce   two ranks on this host measure allreduce",
        "  tutti run --help                 options, and how to run your own programs",
        "  tutti devices                    the RDMA devices of this host",
        "  source <(tutti completion)       command-line completion in bash and zsh"})
public final class Main implements Runnable
{
    /** The variables in which launchers, Tutti's and others, pass a process its rank. */
    private static final List<String> RANK_VARIABLES =
        List.of("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_STEP_NUM_TASKS");

    private Main()
    {
    }

    /**
     * Runs a command line and ends the process with its exit code.
     *
     * @param args the arguments after {@code tutti}.
     * @throws InterruptedException never: this thread is not interrupted.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        System.exit(execute(System.nanoTime(), args));
    }

    /**
     * Creates the command line with all commands on the class path, of which documents can be generated.
     *
     * @return the command line of {@code tutti}.
     */
    public static CommandLine commandLine()
    {
        return all(runLine(System.nanoTime()));
    }

    private static int execute(final long mainNs, final String[] args) throws InterruptedException
    {
        final String command = args.length == 0 ? "" : args[0];
        if (command.equals("run"))
        {
            // The fastest path to the ranks: no other command is loaded.
            return runLine(mainNs).setCommandName("tutti run").execute(Arrays.copyOfRange(args, 1, args.length));
        }
        if (command.equals(AgentCommand.NAME))
        {
            return AgentCommand.run();
        }
        final JobCommand job = command.startsWith("-") ? null : Jobs.find(command);
        if (job != null)
        {
            if (RANK_VARIABLES.stream().anyMatch(variable -> System.getenv(variable) != null))
            {
                return JobRunner.run(job, List.of(args));
            }
            final String[] words = new String[args.length + 2];
            words[0] = "-np";
            words[1] = "1";
            System.arraycopy(args, 0, words, 2, args.length);
            return runLine(mainNs).setCommandName("tutti run").execute(words);
        }
        return all(runLine(mainNs)).execute(args);
    }

    private static CommandLine runLine(final long mainNs)
    {
        return UsageErrors.install(RunCommand.commandLine(mainNs));
    }

    private static CommandLine all(final CommandLine run)
    {
        final CommandLine all = new CommandLine(new Main());
        all.addSubcommand(run).addSubcommand(new CompletionCommand()).addSubcommand(new CommandLine.HelpCommand());
        Jobs.names().forEach(name -> all.addSubcommand(name, Jobs.find(name)));
        ServiceLoader.load(ToolCommand.class).forEach(all::addSubcommand);
        return UsageErrors.install(all);
    }

    @Override
    public void run()
    {
        throw new UsageException("no command given: give run, or a command that tutti --help lists");
    }

    /** Provides the versions of Tutti, Java and the operating system. */
    static final class Version implements CommandLine.IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"tutti " + (version == null ? "(unpackaged)" : version) + " (Java " +
                Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ")"};
        }
    }
}
