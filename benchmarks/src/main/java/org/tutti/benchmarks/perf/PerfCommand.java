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
        PerfCommand.Reduce.class, PerfCommand.Allgather.class, PerfCommand.ReduceScatter.class,
        PerfCommand.Gather.class, PerfCommand.Scatter.class, PerfCommand.Alltoall.class,
        PerfCommand.Scan.class, PerfCommand.Exscan.class,
        PerfCommand.Allgatherv.class, PerfCommand.ReduceScatterv.class, PerfCommand.Gatherv.class,
        PerfCommand.Scatterv.class, PerfCommand.Alltoallv.class, PerfCommand.Sendrecv.class,
        PerfCommand.Put.class, PerfCommand.Get.class, PerfCommand.PutBw.class, PerfCommand.GetBw.class,
        WriteLatJob.class, WriteBwJob.class },
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

    /** For {@link java.util.ServiceLoader}. */
    public PerfCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        throw new ParameterException(
            spec.commandLine(), "perf what? Say perf allreduce, broadcast, barrier, reduce, allgather, " +
            "reduce_scatter, gather, scatter, alltoall, scan, exscan, allgatherv, reduce_scatterv, gatherv, " +
            "scatterv, alltoallv, sendrecv, put, get, put_bw, get_bw, write_lat or write_bw");
    }

    @Override
    public Integer call()
    {
        check(0);
        return null;
    }

    @Command(name = "allreduce",
        aliases = { "all_reduce", "osu_allreduce", "osu_iallreduce", "osu_allreduce_persistent" },
        mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers into every rank's, out of place and in place.")
    static final class Allreduce extends PerfJob
    {
        Allreduce()
        {
            super(Operation.ALLREDUCE);
        }
    }

    @Command(name = "broadcast",
        aliases = { "bcast", "osu_bcast", "osu_ibcast", "osu_bcast_persistent" },
        mixinStandardHelpOptions = true,
        description = "Copies the root's buffer to all ranks, in place.")
    static final class Broadcast extends PerfJob
    {
        Broadcast()
        {
            super(Operation.BROADCAST);
        }
    }

    @Command(name = "barrier",
        aliases = { "osu_barrier", "osu_ibarrier", "osu_barrier_persistent" },
        mixinStandardHelpOptions = true,
        description = "Waits for all ranks.")
    static final class Barrier extends PerfJob
    {
        Barrier()
        {
            super(Operation.BARRIER);
        }
    }

    @Command(name = "reduce",
        aliases = { "osu_reduce", "osu_ireduce", "osu_reduce_persistent" },
        mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers into the root's.")
    static final class Reduce extends PerfJob
    {
        Reduce()
        {
            super(Operation.REDUCE);
        }
    }

    @Command(name = "allgather",
        aliases = { "all_gather", "osu_allgather", "osu_iallgather", "osu_allgather_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gathers all ranks' blocks on every rank; sizes are those of all blocks.")
    static final class Allgather extends PerfJob
    {
        Allgather()
        {
            super(Operation.ALLGATHER);
        }
    }

    @Command(name = "reduce_scatter",
        aliases = { "osu_reduce_scatter_block", "osu_reduce_scatter_block_persistent" },
        mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers, a block for each rank; sizes are those of all blocks.")
    static final class ReduceScatter extends PerfJob
    {
        ReduceScatter()
        {
            super(Operation.REDUCE_SCATTER);
        }
    }

    @Command(name = "gather",
        aliases = { "osu_gather", "osu_igather", "osu_gather_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gathers all ranks' blocks on the root; sizes are those of all blocks.")
    static final class Gather extends PerfJob
    {
        Gather()
        {
            super(Operation.GATHER);
        }
    }

    @Command(name = "scatter",
        aliases = { "osu_scatter", "osu_iscatter", "osu_scatter_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gives each rank a block of the root's; sizes are those of all blocks.")
    static final class Scatter extends PerfJob
    {
        Scatter()
        {
            super(Operation.SCATTER);
        }
    }

    @Command(name = "alltoall",
        aliases = { "osu_alltoall", "osu_ialltoall", "osu_alltoall_persistent" },
        mixinStandardHelpOptions = true,
        description = "Sends a block from every rank to every rank; sizes are those of a rank's blocks.")
    static final class Alltoall extends PerfJob
    {
        Alltoall()
        {
            super(Operation.ALLTOALL);
        }
    }

    @Command(name = "scan", aliases = { "osu_scan" }, mixinStandardHelpOptions = true,
        description = "Reduces the buffers of all ranks up to each.")
    static final class Scan extends PerfJob
    {
        Scan()
        {
            super(Operation.SCAN);
        }
    }

    @Command(name = "exscan", aliases = { "osu_exscan" }, mixinStandardHelpOptions = true,
        description = "Reduces the buffers of all ranks before each.")
    static final class Exscan extends PerfJob
    {
        Exscan()
        {
            super(Operation.EXSCAN);
        }
    }

    @Command(name = "allgatherv",
        aliases = { "osu_allgatherv", "osu_iallgatherv", "osu_allgatherv_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gathers blocks of the lengths that --counts says on every rank.")
    static final class Allgatherv extends PerfJob
    {
        Allgatherv()
        {
            super(Operation.ALLGATHERV);
        }
    }

    @Command(name = "reduce_scatterv",
        aliases = { "osu_reduce_scatter", "osu_ireduce_scatter", "osu_reduce_scatter_persistent" },
        mixinStandardHelpOptions = true,
        description = "Reduces all ranks' buffers, a block of the length that --counts says for each rank.")
    static final class ReduceScatterv extends PerfJob
    {
        ReduceScatterv()
        {
            super(Operation.REDUCE_SCATTERV);
        }
    }

    @Command(name = "gatherv",
        aliases = { "osu_gatherv", "osu_igatherv", "osu_gatherv_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gathers blocks of the lengths that --counts says on the root.")
    static final class Gatherv extends PerfJob
    {
        Gatherv()
        {
            super(Operation.GATHERV);
        }
    }

    @Command(name = "scatterv",
        aliases = { "osu_scatterv", "osu_iscatterv", "osu_scatterv_persistent" },
        mixinStandardHelpOptions = true,
        description = "Gives each rank a block of the root's, of the length that --counts says.")
    static final class Scatterv extends PerfJob
    {
        Scatterv()
        {
            super(Operation.SCATTERV);
        }
    }

    @Command(name = "alltoallv",
        aliases = { "osu_alltoallv", "osu_ialltoallv", "osu_alltoallv_persistent" },
        mixinStandardHelpOptions = true,
        description = "Sends a block of the length that --counts says from every rank to every rank.")
    static final class Alltoallv extends PerfJob
    {
        Alltoallv()
        {
            super(Operation.ALLTOALLV);
        }
    }

    @Command(name = "sendrecv", aliases = { "send_recv" }, mixinStandardHelpOptions = true,
        description = "Sends each rank's buffer to the next, and receives that of the one before, at once.")
    static final class Sendrecv extends PerfJob
    {
        Sendrecv()
        {
            super(Operation.SENDRECV);
        }
    }

    @Command(name = "put", aliases = { "osu_put_latency" }, mixinStandardHelpOptions = true,
        description = "Puts each rank's buffer into the memory of the next, which calls nothing for it.")
    static final class Put extends PerfJob
    {
        Put()
        {
            super(Operation.PUT);
        }
    }

    @Command(name = "get", aliases = { "osu_get_latency" }, mixinStandardHelpOptions = true,
        description = "Gets the buffer of the next rank, which calls nothing for it, into each rank's memory.")
    static final class Get extends PerfJob
    {
        Get()
        {
            super(Operation.GET);
        }
    }

    @Command(name = "put_bw", aliases = { "osu_put_bw" }, mixinStandardHelpOptions = true,
        description = "Puts from each rank of the first half into the memory of one of the other, many at once.")
    static final class PutBw extends PerfJob
    {
        PutBw()
        {
            super(Operation.PUT_BW);
        }
    }

    @Command(name = "get_bw", aliases = { "osu_get_bw" }, mixinStandardHelpOptions = true,
        description = "Gets to each rank of the first half from the memory of one of the other, many at once.")
    static final class GetBw extends PerfJob
    {
        GetBw()
        {
            super(Operation.GET_BW);
        }
    }
}
