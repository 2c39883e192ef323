/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Calls of the programs of peers: the collectives that `tutti perf` has too, their block lengths, the inputs of the
 * ranks, and the expected results. C11 and C++17.
 */
#ifndef TUTTI_PERF_CALLS_H
#define TUTTI_PERF_CALLS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum perf_collective
{
    PERF_ALLREDUCE, PERF_BROADCAST, PERF_REDUCE, PERF_ALLGATHER, PERF_REDUCE_SCATTER, PERF_GATHER, PERF_SCATTER,
    PERF_ALLTOALL, PERF_SCAN, PERF_EXSCAN, PERF_SENDRECV, PERF_BARRIER,
    PERF_ALLGATHERV, PERF_REDUCE_SCATTERV, PERF_GATHERV, PERF_SCATTERV, PERF_ALLTOALLV, PERF_COLLECTIVES
};

static const char *const PERF_NAMES[] = {
    "allreduce", "broadcast", "reduce", "allgather", "reduce_scatter", "gather", "scatter", "alltoall", "scan",
    "exscan", "sendrecv", "barrier", "allgatherv", "reduce_scatterv", "gatherv", "scatterv", "alltoallv"};

/* A form of a row: the repeated call. */
struct perf_call
{
    enum perf_collective collective;
    int rank;
    int ranks;
    int root;
    int in_place;
    int linear;    /* Block lengths of calls with counts: linear, else even. */
    size_t count;  /* Elements of the longest buffer. */
    size_t block;  /* Elements of the longest block if there are blocks, else the same. */
    float *input;  /* Input of this rank. */
    float *output; /* Output of this rank: a block for reduce_scatter and scatter, else `count`. */
};

/* The corresponding collective with equal blocks; the same if it has no counts. */
static inline enum perf_collective perf_even(enum perf_collective collective)
{
    switch (collective)
    {
        case PERF_ALLGATHERV: return PERF_ALLGATHER;
        case PERF_REDUCE_SCATTERV: return PERF_REDUCE_SCATTER;
        case PERF_GATHERV: return PERF_GATHER;
        case PERF_SCATTERV: return PERF_SCATTER;
        case PERF_ALLTOALLV: return PERF_ALLTOALL;
        default: return collective;
    }
}

static inline int perf_has_counts(enum perf_collective collective)
{
    return perf_even(collective) != collective;
}

static inline int perf_reduces(enum perf_collective collective)
{
    const enum perf_collective even = perf_even(collective);
    return even == PERF_ALLREDUCE || even == PERF_REDUCE || even == PERF_REDUCE_SCATTER || even == PERF_SCAN ||
        even == PERF_EXSCAN;
}

static inline int perf_has_blocks(enum perf_collective collective)
{
    const enum perf_collective even = perf_even(collective);
    return even == PERF_ALLGATHER || even == PERF_REDUCE_SCATTER || even == PERF_GATHER || even == PERF_SCATTER ||
        even == PERF_ALLTOALL;
}

static inline int perf_has_root(enum perf_collective collective)
{
    const enum perf_collective even = perf_even(collective);
    return even == PERF_BROADCAST || even == PERF_REDUCE || even == PERF_GATHER || even == PERF_SCATTER;
}

/* Number of elements before a block of the rule, as in CountsRule.java. */
static inline size_t perf_before(const struct perf_call *call, int block)
{
    const size_t ranks = (size_t)call->ranks;
    const size_t blocks = (size_t)block;
    if (call->linear)
    {
        const size_t parts = ranks * (ranks + 1) / 2;
        const size_t part = blocks * (blocks + 1) / 2;
        return call->count / parts * part + call->count % parts * part / parts;
    }
    const size_t rest = call->count % ranks;
    return blocks * (call->count / ranks) + (blocks < rest ? blocks : rest);
}

/*
 * Number of elements before a block in a rank's buffer; all elements if the block is the number of ranks. The blocks of
 * an alltoallv start with the rule's block of the rank's index, so that both directions between two ranks are equal.
 */
static inline size_t perf_offset(const struct perf_call *call, int rank, int block)
{
    const int first = call->collective == PERF_ALLTOALLV ? rank : 0;
    const int wrapped = first + block > call->ranks ? first + block - call->ranks : 0;
    return perf_before(call, first + block - wrapped) - perf_before(call, first) +
        perf_before(call, wrapped);
}

/* Number of elements of a block of a rank's buffer. */
static inline size_t perf_block(const struct perf_call *call, int rank, int block)
{
    return perf_offset(call, rank, block + 1) - perf_offset(call, rank, block);
}

/* Number of elements of the longest block. */
static inline size_t perf_longest(const struct perf_call *call)
{
    size_t longest = 0;
    for (int block = 0; block < call->ranks; block++)
    {
        const size_t length = perf_block(call, 0, block);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* A whole number from -128 to 127, whose sums are exact in any order; each stream has its own sequence. */
static inline float perf_element(int stream, size_t index)
{
    uint64_t z = index * UINT64_C(0x9E3779B97F4A7C15) + ((uint64_t)stream + 1) * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (float)((int)((z ^ (z >> 31)) >> 56) - 128);
}

static inline void perf_fill(float *to, size_t count, int stream)
{
    for (size_t i = 0; i < count; i++)
    {
        to[i] = perf_element(stream, i);
    }
}

/* Number of elements that differ from the sums of consecutive streams. */
static inline int64_t perf_differing(const float *of, size_t count, int first_stream, int streams)
{
    int64_t wrong = 0;
    for (size_t i = 0; i < count; i++)
    {
        float expected = 0;
        for (int stream = first_stream; stream < first_stream + streams; stream++)
        {
            expected += perf_element(stream, i);
        }
        wrong += of[i] == expected ? 0 : 1;
    }
    return wrong;
}

/* Writes this rank's input, and values that differ from the result where output is expected. */
static inline void perf_prepare(const struct perf_call *call)
{
    const int rank = call->rank;
    const enum perf_collective even = perf_even(call->collective);
    const size_t own = perf_block(call, rank, rank);
    const int gets_block = even == PERF_REDUCE_SCATTER || even == PERF_SCATTER;
    memset(call->output, 0xA5, (gets_block ? own : call->count) * sizeof(float));
    switch (even)
    {
        case PERF_REDUCE_SCATTER:
        case PERF_SCATTER:
        case PERF_ALLTOALL:
            for (int peer = 0; peer < call->ranks && (even != PERF_SCATTER || rank == call->root); peer++)
            {
                perf_fill(call->input + perf_offset(call, rank, peer), perf_block(call, rank, peer),
                    even == PERF_ALLTOALL ? rank * call->ranks + peer :
                    even == PERF_SCATTER ? peer : peer * call->ranks + rank);
            }
            break;
        case PERF_BROADCAST:
            if (rank == call->root)
            {
                perf_fill(call->output, call->count, rank);
            }
            break;
        default:
            perf_fill(call->input, even == PERF_ALLGATHER || even == PERF_GATHER ? own : call->count, rank);
            break;
    }
}

/* Number of wrong elements in this rank's output of a call after perf_prepare(). */
static inline int64_t perf_count_wrong(const struct perf_call *call)
{
    const int rank = call->rank;
    const enum perf_collective even = perf_even(call->collective);
    const size_t own = perf_block(call, rank, rank);
    int64_t wrong = 0;
    switch (even)
    {
        case PERF_ALLREDUCE:
            return perf_differing(call->output, call->count, 0, call->ranks);
        case PERF_REDUCE:
            return rank == call->root ? perf_differing(call->output, call->count, 0, call->ranks) : 0;
        case PERF_REDUCE_SCATTER:
            return perf_differing(call->output, own, rank * call->ranks, call->ranks);
        case PERF_SCATTER:
            return perf_differing(call->output, own, rank, 1);
        case PERF_BROADCAST:
            return perf_differing(call->output, call->count, call->root, 1);
        case PERF_SCAN:
            return perf_differing(call->output, call->count, 0, rank + 1);
        case PERF_EXSCAN:
            /* Rank 0 receives nothing. */
            return rank == 0 ? 0 : perf_differing(call->output, call->count, 0, rank);
        case PERF_SENDRECV:
            return perf_differing(call->output, call->count, (rank + call->ranks - 1) % call->ranks, 1);
        case PERF_ALLGATHER:
        case PERF_GATHER:
        case PERF_ALLTOALL:
            for (int peer = 0; peer < call->ranks && (even != PERF_GATHER || rank == call->root); peer++)
            {
                wrong += perf_differing(call->output + perf_offset(call, rank, peer), perf_block(call, rank, peer),
                    even == PERF_ALLTOALL ? peer * call->ranks + rank : peer, 1);
            }
            return wrong;
        default:
            return 0;
    }
}

#endif
