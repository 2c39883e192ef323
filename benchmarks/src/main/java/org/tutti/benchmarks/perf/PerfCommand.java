/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.benchmarks.verbs.WriteBwJob;
import org.tutti.benchmarks.verbs.WriteLatJob;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The job {@code perf}: times collectives and checks their data, in the columns of nccl-tests, and single connections
 * in those of perftest.
 */
@Command(
    name = "perf",
    description = {
        "Times collectives or RDMA writes.",
        "Collectives over a range of sizes, their data checked, in the table of nccl-tests; RDMA writes between two " +
            "ranks as perftest's ib_write_lat and ib_write_bw do.",
    },
    mixinStandardHelpOptions = true,
    subcommands = { PerfCommand.Allreduce.class, PerfCommand.Broadcast.class, PerfCommand.Barrier.class,
        WriteLatJob.class, WriteBwJob.class },
    footer = {
        "",
        "Examples:",
        "  tutti run -np 2 perf allreduce",
        "  tutti run -np 4 perf allreduce -b 4 -e 1G -f 2 -d double -o max",
        "  tutti run -np 4 perf broadcast -e 16M -r 3 --json broadcast.json --percentiles",
        "  tutti run -np 4 perf barrier",
        "  tutti run -np 2 perf write_lat -s 8",
    })
public final class PerfCommand implements JobCommand
{
    @Spec
    private CommandSpec spec;

    /** For {@link java.util.ServiceLoader}. */
    public PerfCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        throw new ParameterException(
            spec.commandLine(), "perf what? Say perf allreduce, broadcast, barrier, write_lat or write_bw");
    }

    @Override
    public Integer call()
    {
        check(0);
        return null;
    }

    @Command(name = "allreduce", mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers into every rank's, out of place and in place.")
    static final class Allreduce extends PerfJob
    {
        Allreduce()
        {
            super(Operation.ALLREDUCE);
        }
    }

    @Command(name = "broadcast", mixinStandardHelpOptions = true,
        description = "Copies the root's buffer to all ranks, in place.")
    static final class Broadcast extends PerfJob
    {
        Broadcast()
        {
            super(Operation.BROADCAST);
        }
    }

    @Command(name = "barrier", mixinStandardHelpOptions = true, description = "Waits for all ranks.")
    static final class Barrier extends PerfJob
    {
        Barrier()
        {
            super(Operation.BARRIER);
        }
    }
}
