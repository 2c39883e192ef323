/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests which timing of a row perf_loop.h keeps: perf_steady_test SPINS TOOK_MS:STOLEN_MS:WAITED_MS..., with a simulated
 * clock and files in the working directory that give the duration of each timing, the steal time per processor, and the
 * run-queue wait of this rank. Prints the number of timings, and the kept one in milliseconds.
 */
#define PERF_STATISTICS "perf_steady_test.stat"
#define PERF_SCHEDULED "perf_steady_test.schedstat"
#include "perf_test.h"

static char **plan;
static int planned;
static int timings;
static long stolen_ms;
static long waited_ms;

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    (void)perf;
    (void)call;
    if (times == 0)
    {
        return;
    }
    long took_ms = 0;
    long stolen_now_ms = 0;
    long waited_now_ms = 0;
    sscanf(plan[timings++ % planned], "%ld:%ld:%ld", &took_ms, &stolen_now_ms, &waited_now_ms);
    clock_us += (double)took_ms * 1e3;
    stolen_ms += stolen_now_ms;
    waited_ms += waited_now_ms;
    FILE *const statistics = fopen(PERF_STATISTICS, "w");
    fprintf(statistics, "cpu  11 12 13 14 15 16 17 %ld 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n",
        stolen_ms * sysconf(_SC_CLK_TCK) * sysconf(_SC_NPROCESSORS_ONLN) / 1000);
    fclose(statistics);
    FILE *const scheduled = fopen(PERF_SCHEDULED, "w");
    fprintf(scheduled, "1234567 %ld000000 89\n", waited_ms);
    fclose(scheduled);
}

int main(int argc, char **argv)
{
    struct perf perf = perf_of(repeat);
    struct perf_call call;
    memset(&call, 0, sizeof call);
    perf.iterations = 1;
    perf.processors = 1;
    perf.spins = atoi(argv[1]);
    plan = argv + 2;
    planned = argc - 2;
    remove(PERF_STATISTICS);
    remove(PERF_SCHEDULED);
    const double kept_us = perf_time_us(&perf, &call);
    printf("%d %.0f\n", timings, kept_us / 1e3);
    return 0;
}
