/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Runs cases of MPI's collectives and writes the results of each rank, for comparison with Tutti's.
 *
 *   mpirun -np N mpi_cases CASES OUT
 *
 * CASES has a line per case: collective, type, operation (or "none"), root, 1 if in place, seed, and counts of elements:
 * one, or for the collectives whose name ends in v one per rank, for alltoallv with a row per sender. "messages" is
 * alltoallv by two messages per block, with tags. OUT.RANK gets the concatenated outputs of the rank.
 *
 * mpi_values.h makes the inputs from the seed. Exit code 2 for invalid input.
 */
#include "mpi_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPICH before 4.1.2 crashes when a root other than rank 0 reduces 2 KiB or more in place (its issue 6540). */
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40102300
#define REDUCES_IN_PLACE_ANYWHERE 0
#else
#define REDUCES_IN_PLACE_ANYWHERE 1
#endif

/* A line of the file, and its buffers. */
struct call
{
    char collective[32];
    const struct type *type;
    const struct op *op;
    int root;
    int in_place;
    uint64_t seed;
    int *counts;
    char *input;
    char *output;
    int input_count;
    int output_count;
};

static int rank;
static int ranks;
static long line;

static void die(const char *what, const char *value)
{
    fprintf(stderr, "mpi_cases: line %ld: %s%s\n", line, what, value);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static int is(const struct call *call, const char *collective)
{
    return strcmp(call->collective, collective) == 0;
}

static int sum(const int *counts, int number)
{
    int total = 0;
    for (int i = 0; i < number; i++)
    {
        total += counts[i];
    }
    return total;
}

static int *offsets(const int *counts)
{
    int *const result = calloc((size_t)ranks, sizeof(int));
    for (int i = 1; i < ranks; i++)
    {
        result[i] = result[i - 1] + counts[i - 1];
    }
    return result;
}

/* Number of elements that this rank sends and receives. */
static void shape(struct call *call)
{
    const int *const counts = call->counts;
    const int at_root = rank == call->root;
    call->input_count = call->output_count = counts[0];
    if (is(call, "reduce"))
    {
        call->output_count = at_root ? counts[0] : 0;
    }
    else if (is(call, "broadcast"))
    {
        call->input_count = at_root ? counts[0] : 0;
    }
    else if (is(call, "allgather") || is(call, "gather"))
    {
        call->output_count = is(call, "allgather") || at_root ? ranks * counts[0] : 0;
    }
    else if (is(call, "reduce_scatter"))
    {
        call->input_count = ranks * counts[0];
    }
    else if (is(call, "scatter"))
    {
        call->input_count = at_root ? ranks * counts[0] : 0;
    }
    else if (is(call, "alltoall"))
    {
        call->input_count = call->output_count = ranks * counts[0];
    }
    else if (is(call, "exscan"))
    {
        call->output_count = rank == 0 ? 0 : counts[0];
    }
    else if (is(call, "allgatherv") || is(call, "gatherv"))
    {
        call->input_count = counts[rank];
        call->output_count = is(call, "allgatherv") || at_root ? sum(counts, ranks) : 0;
    }
    else if (is(call, "reduce_scatterv"))
    {
        call->input_count = sum(counts, ranks);
        call->output_count = counts[rank];
    }
    else if (is(call, "scatterv"))
    {
        call->input_count = at_root ? sum(counts, ranks) : 0;
        call->output_count = counts[rank];
    }
    else if (is(call, "alltoallv") || is(call, "messages"))
    {
        call->input_count = sum(counts + rank * ranks, ranks);
        call->output_count = 0;
        for (int sender = 0; sender < ranks; sender++)
        {
            call->output_count += counts[sender * ranks + rank];
        }
    }
    else if (!is(call, "allreduce") && !is(call, "scan"))
    {
        die("no collective ", call->collective);
    }
}

/* Returns where a block goes that begins at an offset. */
static void *at(const struct call *call, char *buffer, int offset)
{
    return buffer + (size_t)offset * call->type->size;
}

/* Exchanges blocks: sends the first half of each with tag 1 and the rest with tag 0, and receives tag 0 first. */
static void exchange(struct call *call)
{
    const MPI_Datatype type = call->type->type;
    MPI_Request *const requests = calloc(2 * (size_t)ranks, sizeof(MPI_Request));
    int sent = 0, begin = 0;
    for (int dest = 0; dest < ranks; dest++)
    {
        const int count = call->counts[rank * ranks + dest], half = count / 2;
        if (dest != rank)
        {
            MPI_Isend(at(call, call->input, begin), half, type, dest, 1, MPI_COMM_WORLD, &requests[sent++]);
            MPI_Isend(at(call, call->input, begin + half), count - half, type, dest, 0, MPI_COMM_WORLD,
                &requests[sent++]);
        }
        begin += count;
    }
    begin = 0;
    for (int source = 0; source < ranks; source++)
    {
        const int count = call->counts[source * ranks + rank], half = count / 2;
        if (source == rank)
        {
            const int own = sum(call->counts + rank * ranks, rank);
            memcpy(at(call, call->output, begin), at(call, call->input, own), (size_t)count * call->type->size);
        }
        else
        {
            MPI_Recv(at(call, call->output, begin + half), count - half, type, source, 0, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
            MPI_Recv(at(call, call->output, begin), half, type, source, MPI_ANY_TAG, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
        }
        begin += count;
    }
    for (int i = 0; i < sent; i++)
    {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    free(requests);
}

/* Runs a call whose in-place input is where MPI expects it. */
static void run(struct call *call)
{
    const MPI_Datatype type = call->type->type;
    const MPI_Op op = call->op->op;
    const int *const counts = call->counts;
    const int count = counts[0], root = call->root, at_root = rank == root;
    void *const output = call->output;
    const void *const input = call->in_place ? MPI_IN_PLACE : call->input;
    const void *const root_input = call->in_place && at_root ? MPI_IN_PLACE : call->input;
    const void *const reduce_input = root == 0 || REDUCES_IN_PLACE_ANYWHERE ? root_input : call->input;
    int *const places = offsets(counts);
    if (is(call, "allreduce"))
    {
        MPI_Allreduce(input, output, count, type, op, MPI_COMM_WORLD);
    }
    else if (is(call, "reduce"))
    {
        MPI_Reduce(reduce_input, output, count, type, op, root, MPI_COMM_WORLD);
    }
    else if (is(call, "broadcast"))
    {
        MPI_Bcast(output, count, type, root, MPI_COMM_WORLD);
    }
    else if (is(call, "allgather"))
    {
        MPI_Allgather(input, count, type, output, count, type, MPI_COMM_WORLD);
    }
    else if (is(call, "gather"))
    {
        MPI_Gather(root_input, count, type, output, count, type, root, MPI_COMM_WORLD);
    }
    else if (is(call, "reduce_scatter"))
    {
        MPI_Reduce_scatter_block(input, output, count, type, op, MPI_COMM_WORLD);
    }
    else if (is(call, "scatter"))
    {
        MPI_Scatter(call->input, count, type, call->in_place && at_root ? MPI_IN_PLACE : output, count, type, root,
            MPI_COMM_WORLD);
    }
    else if (is(call, "alltoall"))
    {
        MPI_Alltoall(input, count, type, output, count, type, MPI_COMM_WORLD);
    }
    else if (is(call, "scan"))
    {
        MPI_Scan(input, output, count, type, op, MPI_COMM_WORLD);
    }
    else if (is(call, "exscan"))
    {
        MPI_Exscan(input, output, count, type, op, MPI_COMM_WORLD);
    }
    else if (is(call, "allgatherv"))
    {
        MPI_Allgatherv(input, counts[rank], type, output, counts, places, type, MPI_COMM_WORLD);
    }
    else if (is(call, "gatherv"))
    {
        MPI_Gatherv(root_input, counts[rank], type, output, counts, places, type, root, MPI_COMM_WORLD);
    }
    else if (is(call, "reduce_scatterv"))
    {
        MPI_Reduce_scatter(input, output, counts, type, op, MPI_COMM_WORLD);
    }
    else if (is(call, "scatterv"))
    {
        MPI_Scatterv(call->input, counts, places, type, call->in_place && at_root ? MPI_IN_PLACE : output,
            counts[rank], type, root, MPI_COMM_WORLD);
    }
    else if (is(call, "messages"))
    {
        exchange(call);
    }
    else
    {
        int *const received = calloc((size_t)ranks, sizeof(int));
        for (int sender = 0; sender < ranks; sender++)
        {
            received[sender] = counts[sender * ranks + rank];
        }
        int *const sent_places = offsets(counts + rank * ranks), *const received_places = offsets(received);
        MPI_Alltoallv(input, counts + rank * ranks, sent_places, type, output, received, received_places, type,
            MPI_COMM_WORLD);
        free(sent_places);
        free(received_places);
        free(received);
    }
    free(places);
}

/* Copies the input to where an in-place call expects it. */
static void place(struct call *call)
{
    const size_t size = call->type->size;
    const int is_gather = is(call, "gather") || is(call, "gatherv");
    if (is(call, "broadcast"))
    {
        memcpy(call->output, call->input, (size_t)call->input_count * size);
        return;
    }
    if (!call->in_place || is(call, "scatter") || is(call, "scatterv") ||
        ((is_gather || is(call, "reduce")) && rank != call->root))
    {
        return;
    }
    size_t offset = 0;
    if (is(call, "allgather") || is(call, "gather"))
    {
        offset = (size_t)(rank * call->counts[0]);
    }
    else if (is(call, "allgatherv") || is(call, "gatherv"))
    {
        offset = (size_t)sum(call->counts, rank);
    }
    memcpy(call->output + offset * size, call->input, (size_t)call->input_count * size);
}

/* In place, the root's own block of a scatter stays where it is. */
static const char *result(const struct call *call)
{
    if (call->in_place && rank == call->root && (is(call, "scatter") || is(call, "scatterv")))
    {
        const int offset = is(call, "scatter") ? rank * call->counts[0] : sum(call->counts, rank);
        return call->input + (size_t)offset * call->type->size;
    }
    return call->output;
}

/* Reads the counts, which end the line. */
static int *read_counts(const char *collective, char *text)
{
    const int is_matrix = strcmp(collective, "alltoallv") == 0 || strcmp(collective, "messages") == 0;
    const int is_vector = !is_matrix && collective[strlen(collective) - 1] == 'v';
    const int number = is_matrix ? ranks * ranks : is_vector ? ranks : 1;
    /* At least as many as ranks, for offsets(). */
    int *const counts = calloc((size_t)(number < ranks ? ranks : number), sizeof(int));
    char *end = text;
    for (int i = 0; i < number; i++)
    {
        text = end;
        counts[i] = (int)strtol(text, &end, 10);
        if (end == text || counts[i] < 0)
        {
            die("too few counts, or negative ones: ", text);
        }
    }
    return counts;
}

static void run_case(char *text, FILE *out)
{
    struct call call;
    char type[32], op[32];
    int read = 0;
    if (sscanf(text, "%31s %31s %31s %d %d %" SCNu64 " %n", call.collective, type, op, &call.root, &call.in_place,
        &call.seed, &read) < 6)
    {
        die("not a case: ", text);
    }
    call.type = find_type(type);
    if (call.type == NULL)
    {
        die("no type ", type);
    }
    call.op = find_op(op);
    if (call.op == NULL)
    {
        die("no operation ", op);
    }
    call.counts = read_counts(call.collective, text + read);
    shape(&call);
    /* An in-place buffer has the greater of both lengths, and no buffer may be NULL. */
    const int longest = call.input_count > call.output_count ? call.input_count : call.output_count;
    call.input = calloc((size_t)longest + 1, call.type->size);
    call.output = calloc((size_t)longest + 1, call.type->size);
    fill(call.type, call.op, call.seed, rank, call.input, call.input_count);
    place(&call);
    run(&call);
    const size_t length = (size_t)call.output_count * call.type->size;
    if (fwrite(result(&call), 1, length, out) != length)
    {
        die("cannot write", "");
    }
    free(call.counts);
    free(call.input);
    free(call.output);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3)
    {
        die("needs two arguments: CASES OUT", "");
    }
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", argv[2], rank);
    FILE *const cases = fopen(argv[1], "r"), *const out = fopen(name, "wb");
    if (cases == NULL || out == NULL)
    {
        die("cannot open ", cases == NULL ? argv[1] : name);
    }
    char *text = NULL;
    size_t capacity = 0;
    while (getline(&text, &capacity, cases) > 0)
    {
        line++;
        run_case(text, out);
    }
    free(text);
    fclose(cases);
    if (fclose(out) != 0)
    {
        die("cannot write ", name);
    }
    MPI_Finalize();
    return 0;
}
