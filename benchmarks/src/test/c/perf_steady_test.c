/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which of the timings of a row perf_loop.h keeps: perf_steady_test TOOK_MS:STOLEN_MS..., by a clock of its own and a
 * file of the directory it runs in, which say that a timing took so long and that the host stole so much of each
 * processor meanwhile. Prints how many timings there were, and the one kept in milliseconds.
 */
#define PERF_STATISTICS "perf_steady_test.stat"
#include "perf_test.h"

static char **plan;
static int planned;
static int timings;
static long stolen_ms;

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    (void)perf;
    (void)call;
    if (times == 0)
    {
        return;
    }
    const char *const timing = plan[timings++ % planned];
    clock_us += atof(timing) * 1e3;
    stolen_ms += atol(strchr(timing, ':') + 1);
    FILE *const statistics = fopen(PERF_STATISTICS, "w");
    fprintf(statistics, "cpu  11 12 13 14 15 16 17 %ld 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n",
        stolen_ms * sysconf(_SC_CLK_TCK) * sysconf(_SC_NPROCESSORS_ONLN) / 1000);
    fclose(statistics);
}

int main(int argc, char **argv)
{
    struct perf perf = perf_of(repeat);
    struct perf_call call;
    memset(&call, 0, sizeof call);
    perf.iterations = 1;
    plan = argv + 1;
    planned = argc - 1;
    remove(PERF_STATISTICS);
    const double kept_us = perf_time_us(&perf, &call);
    printf("%d %.0f\n", timings, kept_us / 1e3);
    return 0;
}
