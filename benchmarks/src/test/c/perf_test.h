/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the tests of perf_loop.h: includes it with a simulated clock and a library of one rank.
 */
#include <time.h>

static double clock_us;

static int read_clock(struct timespec *time)
{
    time->tv_sec = (time_t)(clock_us / 1e6);
    time->tv_nsec = (long)((clock_us - (double)time->tv_sec * 1e6) * 1e3);
    return 0;
}

#define clock_gettime(id, time) read_clock(time)
#include "perf_loop.h"

static void sum(struct perf *perf, double *value)
{
    (void)perf;
    (void)value;
}

static void barrier(struct perf *perf)
{
    (void)perf;
}

static struct perf perf_of(void (*repeat)(struct perf *, const struct perf_call *, int))
{
    struct perf perf;
    memset(&perf, 0, sizeof perf);
    perf.repeat = repeat;
    perf.sum = sum;
    perf.barrier = barrier;
    perf.ranks = 1;
    return perf;
}
