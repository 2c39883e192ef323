/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints per rank the number of wrong elements without a call, the elements of the longest block, and the offsets of the
 * blocks of its buffers and of their end: perf_calls_test RANKS COUNT COLLECTIVE [--counts RULE].
 */
#include "perf_test.h"

int main(int argc, char **argv)
{
    static float input[1024];
    static float output[1024];
    struct perf perf = perf_of(NULL);
    perf.ranks = argc > 1 ? atoi(argv[1]) : 0;
    perf.input = input;
    perf.output = output;
    const char *word = "";
    const char *const problem = argc < 4 ? "too few arguments" : perf_parse(&perf, argc - 2, argv + 2, &word);
    if (problem != NULL)
    {
        fprintf(stderr, "perf_calls_test: %s: %s\n", problem, word);
        return 2;
    }
    for (perf.rank = 0; perf.rank < perf.ranks; perf.rank++)
    {
        const struct perf_call call = perf_call_of(&perf, (size_t)atoi(argv[2]), 0);
        perf_prepare(&call);
        printf("%" PRId64 " %zu", perf_count_wrong(&call), call.block);
        for (int block = 0; block <= perf.ranks; block++)
        {
            printf(" %zu", perf_offset(&call, perf.rank, block));
        }
        printf("\n");
    }
    return 0;
}
