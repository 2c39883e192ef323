/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * What `tutti perf` does, in MPI:
 *
 *   mpirun -np 2 mpi_perf COLLECTIVE [options of perf_loop.h]
 */
#include "perf_loop.h"

#include <mpi.h>

static int has(enum perf_collective collective, int in_place)
{
    return in_place ? collective != PERF_BARRIER && collective != PERF_SENDRECV : collective != PERF_BROADCAST;
}

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    (void)perf;
    const MPI_Comm world = MPI_COMM_WORLD;
    const int count = (int)call->count;
    const int block = (int)call->block;
    const int ranks = call->ranks;
    /* At the root of a reduction, and on all ranks of what has no root. */
    const void *const input = call->in_place ? MPI_IN_PLACE : call->input;
    for (int i = 0; i < times; i++)
    {
        switch (call->collective)
        {
            case PERF_ALLREDUCE:
                MPI_Allreduce(input, call->output, count, MPI_FLOAT, MPI_SUM, world);
                break;
            case PERF_BROADCAST:
                MPI_Bcast(call->output, count, MPI_FLOAT, call->root, world);
                break;
            case PERF_REDUCE:
                MPI_Reduce(call->rank == call->root ? input : call->input, call->output, count, MPI_FLOAT, MPI_SUM,
                    call->root, world);
                break;
            case PERF_ALLGATHER:
                MPI_Allgather(input, block, MPI_FLOAT, call->output, block, MPI_FLOAT, world);
                break;
            case PERF_REDUCE_SCATTER:
                /* In place it puts the result where the input begins. */
                MPI_Reduce_scatter_block(input, call->in_place ? call->input : call->output, block, MPI_FLOAT, MPI_SUM,
                    world);
                break;
            case PERF_ALLTOALL:
                MPI_Alltoall(input, block, MPI_FLOAT, call->output, block, MPI_FLOAT, world);
                break;
            case PERF_SENDRECV:
                MPI_Sendrecv(call->input, count, MPI_FLOAT, (call->rank + 1) % ranks, 0,
                    call->output, count, MPI_FLOAT, (call->rank + ranks - 1) % ranks, 0, world, MPI_STATUS_IGNORE);
                break;
            default:
                MPI_Barrier(world);
                break;
        }
    }
    if (times == 1 && call->collective == PERF_REDUCE_SCATTER && call->in_place)
    {
        memmove(call->output, call->input, call->block * sizeof(float));
    }
}

static void sum(struct perf *perf, double *value)
{
    (void)perf;
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(struct perf *perf)
{
    (void)perf;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct perf perf;
    memset(&perf, 0, sizeof perf);
    perf.program = "mpi_perf";
    perf.has = has;
    perf.repeat = repeat;
    perf.sum = sum;
    perf.barrier = barrier;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &perf.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &perf.ranks);
    const char *word;
    const char *const problem = perf_parse(&perf, argc, argv, &word);
    if (problem != NULL)
    {
        if (perf.rank == 0)
        {
            fprintf(stderr, "mpi_perf: %s%s%s\n", problem, *word == '\0' ? "" : ": ", word);
        }
        MPI_Finalize();
        return 2;
    }
    perf.input = aligned_alloc(4096, perf_length(&perf));
    perf.output = aligned_alloc(4096, perf_length(&perf));
    if (perf.input == NULL || perf.output == NULL)
    {
        fprintf(stderr, "mpi_perf: no memory for 2 buffers of %zu bytes\n", perf_length(&perf));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    /* Open MPI says "Open MPI v4.1.4, package: ...", MPICH "MPICH Version:\t4.0.2\n...". */
    version[strcspn(version, ",\n")] = '\0';
    const char *const number = strchr(version, '\t');
    const int name = (int)strcspn(version, " ");
    if (number == NULL)
    {
        snprintf(perf.library, sizeof perf.library, "%.200s", version);
    }
    else
    {
        snprintf(perf.library, sizeof perf.library, "%.*s %.100s", name < 100 ? name : 100, version, number + 1);
    }
    const int code = perf_main(&perf);
    MPI_Finalize();
    return code;
}
