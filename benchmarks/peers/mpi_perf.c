/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The measurements of `tutti perf` with MPI:
 *
 *   mpirun -np 2 mpi_perf COLLECTIVE [options of perf_loop.h]
 */
#include "perf_loop.h"

#include <mpi.h>

static int has(enum perf_collective collective, int in_place)
{
    return in_place ? collective != PERF_BARRIER && collective != PERF_SENDRECV : collective != PERF_BROADCAST;
}

/* Count and displacement of each rank's block in this rank's buffers. */
static int *counts;
static int *places;

static void set_counts(const struct perf_call *call)
{
    for (int peer = 0; peer < call->ranks; peer++)
    {
        counts[peer] = (int)perf_block(call, call->rank, peer);
        places[peer] = (int)perf_offset(call, call->rank, peer);
    }
}

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    (void)perf;
    if (perf_has_counts(call->collective))
    {
        set_counts(call);
    }
    const MPI_Comm world = MPI_COMM_WORLD;
    const int count = (int)call->count;
    const int block = (int)call->block;
    const int ranks = call->ranks;
    const int is_root = call->rank == call->root;
    const int own = (int)perf_block(call, call->rank, call->rank);
    /* On all ranks if there is no root, else on the root only. */
    const void *const input = call->in_place ? MPI_IN_PLACE : call->input;
    const void *const root_input = is_root ? input : call->input;
    void *const scattered = is_root && call->in_place ? MPI_IN_PLACE : call->output;
    /* The in-place form stores the result at the start of the input. */
    float *const reduced = call->in_place ? call->input : call->output;
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
                MPI_Reduce(root_input, call->output, count, MPI_FLOAT, MPI_SUM, call->root, world);
                break;
            case PERF_ALLGATHER:
                MPI_Allgather(input, block, MPI_FLOAT, call->output, block, MPI_FLOAT, world);
                break;
            case PERF_REDUCE_SCATTER:
                MPI_Reduce_scatter_block(input, reduced, block, MPI_FLOAT, MPI_SUM, world);
                break;
            case PERF_GATHER:
                MPI_Gather(root_input, block, MPI_FLOAT, call->output, block, MPI_FLOAT, call->root, world);
                break;
            case PERF_SCATTER:
                MPI_Scatter(call->input, block, MPI_FLOAT, scattered, block, MPI_FLOAT, call->root, world);
                break;
            case PERF_ALLTOALL:
                MPI_Alltoall(input, block, MPI_FLOAT, call->output, block, MPI_FLOAT, world);
                break;
            case PERF_SCAN:
                MPI_Scan(input, call->output, count, MPI_FLOAT, MPI_SUM, world);
                break;
            case PERF_EXSCAN:
                MPI_Exscan(input, call->output, count, MPI_FLOAT, MPI_SUM, world);
                break;
            case PERF_ALLGATHERV:
                MPI_Allgatherv(input, own, MPI_FLOAT, call->output, counts, places, MPI_FLOAT, world);
                break;
            case PERF_REDUCE_SCATTERV:
                MPI_Reduce_scatter(input, reduced, counts, MPI_FLOAT, MPI_SUM, world);
                break;
            case PERF_GATHERV:
                MPI_Gatherv(root_input, own, MPI_FLOAT, call->output, counts, places, MPI_FLOAT, call->root, world);
                break;
            case PERF_SCATTERV:
                MPI_Scatterv(call->input, counts, places, MPI_FLOAT, scattered, own, MPI_FLOAT, call->root, world);
                break;
            case PERF_ALLTOALLV:
                MPI_Alltoallv(input, counts, places, MPI_FLOAT, call->output, counts, places, MPI_FLOAT, world);
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
    if (times == 1 && perf_even(call->collective) == PERF_REDUCE_SCATTER && call->in_place)
    {
        memmove(call->output, call->input, (size_t)own * sizeof(float));
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
    perf.spins = 1;
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
    counts = calloc((size_t)perf.ranks, sizeof(int));
    places = calloc((size_t)perf.ranks, sizeof(int));
    if (perf.input == NULL || perf.output == NULL || counts == NULL || places == NULL)
    {
        fprintf(stderr, "mpi_perf: no memory for 2 buffers of %zu bytes\n", perf_length(&perf));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    /* Open MPI reports "Open MPI v4.1.4, package: ...", MPICH "MPICH Version:\t4.0.2\n...". */
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
