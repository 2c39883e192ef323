/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs perf_loop.h with a library whose calls take a millisecond each by a simulated clock, and two seconds in the call
 * number STALLED: perf_loop_test STALLED allreduce [options]. Prints the number of calls of each batch, then the table.
 */
#define PERF_STATISTICS "/dev/null"
#include "perf_test.h"

static int stalled;
static int made;

static int has(enum perf_collective collective, int in_place)
{
    (void)collective;
    return !in_place;
}

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    (void)perf;
    printf("\nbatch %d\n", times);
    for (int i = 0; i < times; i++)
    {
        memcpy(call->output, call->input, call->count * sizeof(float));
        clock_us += ++made == stalled ? 2e6 : 1e3;
    }
}

int main(int argc, char **argv)
{
    static float input[2048];
    static float output[2048];
    struct perf perf = perf_of(repeat);
    perf.program = "perf_loop_test";
    snprintf(perf.library, sizeof perf.library, "a millisecond a call");
    perf.has = has;
    stalled = argc > 1 ? atoi(argv[1]) : 0;
    const char *word;
    const char *const problem = perf_parse(&perf, argc - 1, argv + 1, &word);
    if (problem != NULL || perf_length(&perf) > sizeof input)
    {
        fprintf(stderr, "perf_loop_test: %s: %s\n", problem == NULL ? "too long" : problem, word);
        return 2;
    }
    perf.input = input;
    perf.output = output;
    return perf_main(&perf);
}
