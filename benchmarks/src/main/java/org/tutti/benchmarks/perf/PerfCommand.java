/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.benchmarks.verbs.WriteBwJob;
import org.tutti.benchmarks.verbs.WriteLatJob;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The job {@code perf}: times collectives and checks their data, with the output columns of nccl-tests, and times
 * single connections, with those of perftest.
 */
@Command(
    name = "perf",
    description = {
        "Times collectives or RDMA writes.",
        "Collectives: a sweep over sizes with checked data, in the table of nccl-tests. RDMA writes between two " +
        "ranks: as perftest's ib_write_lat and ib_write_bw.",
    },
    mixinStandardHelpOptions = true,
    modelTransformer = PerfCommand.Subcommands.class,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 2 perf allreduce",
        "  tutti run -np 4 perf allreduce -b 4 -e 1G -f 2 -d double -o max",
        "  tutti run -np 4 perf broadcast -e 16M -r 3 --json broadcast.json --percentiles",
        "  tutti run -np 4 perf barrier",
        "  tutti run -np 4 perf all_gather -b 1k -e 1M",
        "  tutti run -np 4 perf allgatherv --counts linear",
        "  tutti run -np 2 perf put_bw -W 64",
        "  tutti run -np 2 perf write_lat -s 8",
    })
public final class PerfCommand implements JobCommand
{
    @Spec
    private CommandSpec spec;

    /** Required by {@link java.util.ServiceLoader}. */
    public PerfCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        throw new ParameterException(
            spec.commandLine(), "missing operation: use perf allreduce, broadcast, barrier, reduce, allgather, " +
            "reduce_scatter, gather, scatter, alltoall, scan, exscan, allgatherv, reduce_scatterv, gatherv, " +
            "scatterv, alltoallv, sendrecv, put, get, put_bw, get_bw, write_lat or write_bw");
    }

    @Override
    public Integer call()
    {
        check(0);
        return null;
    }

    /** Adds the subcommands: one for each operation, and write_lat and write_bw. */
    static final class Subcommands implements IModelTransformer
    {
        @Override
        public CommandSpec transform(final CommandSpec perf)
        {
            for (final Operation operation : Operation.values())
            {
                final CommandSpec job = CommandSpec.forAnnotatedObject(new PerfJob(operation));
                job.name(operation.label()).aliases(operation.aliases())
                    .usageMessage().description(operation.description());
                perf.addSubcommand(operation.label(), job);
            }
            return perf.addSubcommand("write_lat", new CommandLine(new WriteLatJob()))
                .addSubcommand("write_bw", new CommandLine(new WriteBwJob()));
        }
    }
}
