/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A program of a peer, and the options of its command line:
 *
 *   PROGRAM COLLECTIVE [-b SIZE] [-e SIZE] [-f FACTOR] [-n ITERS] [-w WARMUP] [-c 0|1] [-r ROOT] [-l MILLISECONDS]
 *           [-p PROCESSORS] [--counts even|linear] [--memory allocated|registered|heap] [--cold]
 *
 * perf_loop.h explains the options. C11 and C++17.
 */
#ifndef TUTTI_PERF_OPTIONS_H
#define TUTTI_PERF_OPTIONS_H

#include "perf_calls.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct perf
{
    const char *program;
    char library[256];
    int rank;
    int ranks;
    float *input;  /* `perf_length` bytes each, allocated by the program after perf_parse(). */
    float *output;
    int variants;  /* Number of variants of a call, of which the fastest counts. */
    int variant;   /* The current one. */
    int spins;     /* Whether waiting ranks spin if each has a processor. */

    int (*has)(enum perf_collective, int in_place);              /* Whether a form is supported. */
    void (*repeat)(struct perf *, const struct perf_call *, int); /* Makes a call repeatedly. */
    void (*sum)(struct perf *, double *);                        /* Sum over all ranks, on all ranks. */
    void (*barrier)(struct perf *);

    enum perf_collective collective;
    size_t min_bytes;
    size_t max_bytes;
    size_t factor;
    int iterations;
    int warmup;
    int check;
    int root;
    int linear;
    int on_callers_memory; /* Whether the library did not allocate the buffers. */
    int cold;
    double limit_us;
    int processors; /* Processors of all ranks together. */

    int64_t all_wrong;
    double bus_bandwidths;
    int forms;
};

/* Returns NULL, or an error message. */
static inline const char *perf_number(const char *text, int scaled, long long *value)
{
    static const char suffixes[] = "KMGT";
    char *end;
    *value = strtoll(text, &end, 10);
    if (end != text && scaled && *end != '\0')
    {
        const char upper = *end >= 'a' ? (char)(*end - 'a' + 'A') : *end;
        const char *suffix = strchr(suffixes, upper);
        if (suffix != NULL)
        {
            *value <<= 10 * (suffix - suffixes + 1);
            end++;
        }
    }
    return end == text || *end != '\0' ? "not a number" : *value < -1 ? "must not be negative" : NULL;
}

/* Parses the command line; returns NULL, or an error message about `word`. */
static inline const char *perf_parse(struct perf *perf, int argc, char **argv, const char **word)
{
    perf->collective = PERF_COLLECTIVES;
    perf->min_bytes = 8;
    perf->max_bytes = (size_t)64 << 20;
    perf->factor = 4;
    perf->warmup = -1;
    perf->check = 1;
    perf->variants = 1;
    perf->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    *word = argc > 1 ? argv[1] : "";
    for (int i = 0; i < PERF_COLLECTIVES; i++)
    {
        if (strcmp(*word, PERF_NAMES[i]) == 0)
        {
            perf->collective = (enum perf_collective)i;
        }
    }
    if (perf->collective == PERF_COLLECTIVES)
    {
        return "the collective must be allreduce, broadcast, reduce, allgather, reduce_scatter, gather, scatter, "
            "alltoall, scan, exscan, sendrecv, barrier, allgatherv, reduce_scatterv, gatherv, scatterv or alltoallv";
    }
    for (int i = 2; i < argc; i++)
    {
        const char *option = *word = argv[i];
        long long value = 0;
        if (strcmp(option, "--cold") == 0)
        {
            perf->cold = 1;
            continue;
        }
        if (strcmp(option, "--counts") == 0 && i + 1 < argc)
        {
            *word = argv[++i];
            perf->linear = strcmp(*word, "linear") == 0;
            if (!perf->linear && strcmp(*word, "even") != 0)
            {
                return "--counts must be even or linear";
            }
            if (!perf_has_counts(perf->collective))
            {
                return "--counts needs a collective that takes counts, such as allgatherv";
            }
            continue;
        }
        if (strcmp(option, "--memory") == 0 && i + 1 < argc)
        {
            *word = argv[++i];
            perf->on_callers_memory = strcmp(*word, "allocated") != 0;
            if (perf->on_callers_memory && strcmp(*word, "registered") != 0 && strcmp(*word, "heap") != 0)
            {
                return "--memory must be allocated, registered or heap";
            }
            continue;
        }
        if (option[0] != '-' || strlen(option) != 2 || strchr("befnwcrlp", option[1]) == NULL || i + 1 == argc)
        {
            return "unknown option, or option without a value";
        }
        *word = argv[++i];
        const char *problem = perf_number(*word, option[1] == 'b' || option[1] == 'e', &value);
        if (problem != NULL)
        {
            return problem;
        }
        switch (option[1])
        {
            case 'b': perf->min_bytes = (size_t)value; break;
            case 'e': perf->max_bytes = (size_t)value; break;
            case 'f': perf->factor = (size_t)value; break;
            case 'n': perf->iterations = (int)value; break;
            case 'w': perf->warmup = (int)value; break;
            case 'c': perf->check = (int)value; break;
            case 'l': perf->limit_us = (double)value * 1e3; break;
            case 'p': perf->processors = (int)value; break;
            default: perf->root = (int)value; break;
        }
    }
    *word = "";
    if (perf->max_bytes < perf->min_bytes || perf->factor < 2 || perf->max_bytes / sizeof(float) > INT32_MAX ||
        perf->root < 0 || perf->root >= perf->ranks)
    {
        return "-b must be at most -e, -e below 8G, -f at least 2, -r a rank";
    }
    if (perf->collective == PERF_BARRIER)
    {
        perf->min_bytes = perf->max_bytes = 0;
    }
    if (perf->cold && perf->min_bytes != perf->max_bytes)
    {
        return "--cold needs one size: equal -b and -e";
    }
    return NULL;
}

/* Bytes of each of the two buffers: whole pages. */
static inline size_t perf_length(const struct perf *perf)
{
    return (perf->max_bytes + 4096) & ~(size_t)4095;
}

#endif
