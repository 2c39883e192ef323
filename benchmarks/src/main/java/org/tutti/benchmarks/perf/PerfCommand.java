/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.List;

/** The job {@code perf}: times collectives and checks their data, in the columns of nccl-tests. */
@Command(
    name = "perf",
    description = "Times a collective over a range of sizes, checks its data, and prints the table of nccl-tests.",
    mixinStandardHelpOptions = true,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 2 perf allreduce",
        "  tutti run -np 4 perf allreduce -b 4 -e 1G -f 2 -d double -o max",
        "  tutti run -np 4 perf broadcast -e 16M -r 3 --json broadcast.json --percentiles",
        "  tutti run -np 4 perf barrier",
    })
public final class PerfCommand implements JobCommand
{
    private static final int FAILURE = 1;

    @Spec
    private CommandSpec spec;

    /** For {@link java.util.ServiceLoader}. */
    public PerfCommand()
    {
    }

    @Override
    public Integer call()
    {
        throw new ParameterException(
            spec.commandLine(), "perf what? Say perf allreduce, perf broadcast or perf barrier");
    }

    @Command(name = "allreduce", mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers into every rank's, out of place and in place.")
    int allreduce(@Mixin final PerfOptions options)
    {
        return run(Operation.ALLREDUCE, options);
    }

    @Command(name = "broadcast", mixinStandardHelpOptions = true,
        description = "Copies the root's buffer to all ranks, in place.")
    int broadcast(@Mixin final PerfOptions options)
    {
        return run(Operation.BROADCAST, options);
    }

    @Command(name = "barrier", mixinStandardHelpOptions = true, description = "Waits for all ranks.")
    int barrier(@Mixin final PerfOptions options)
    {
        return run(Operation.BARRIER, options);
    }

    private int run(final Operation operation, final PerfOptions options)
    {
        final PerfConfig config = options.conclude(operation, spec);
        try (Communicator world = Communicator.world())
        {
            final Communicator communicator =
                config.timeout() == null ? world : world.withTimeout(config.timeout());
            if (config.root() >= communicator.size())
            {
                throw new ParameterException(spec.commandLine(),
                    "-r=" + config.root() + ": must be a rank, from 0 to " + (communicator.size() - 1));
            }
            return run(config, communicator);
        }
    }

    private static int run(final PerfConfig config, final Communicator communicator)
    {
        final List<RankInfo> ranks = RankInfo.gather(communicator);
        final PerfReport report = communicator.rank() == 0 ?
            new PerfReport(config, Environment.current(), ranks, communicator.transport()) : null;
        if (report != null)
        {
            report.printHeader(System.out);
        }
        final List<Row> rows = new PerfRun(config, communicator, System.out).run();
        if (report != null && config.json() != null)
        {
            try
            {
                report.writeJson(rows);
            }
            catch (final IOException e)
            {
                System.err.println("perf: --json=" + config.json() + " cannot be written: " + e);
                return FAILURE;
            }
        }
        return PerfRun.wrong(rows) == 0 ? 0 : FAILURE;
    }
}
