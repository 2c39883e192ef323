/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The measurement loop of `tutti perf` for programs of peers: the same sizes, iterations, warm-up, checks, averages and
 * columns, so that outputs are comparable. A program defines in a `struct perf` how its library makes a call, and
 * perf_main() does the rest. Each row is followed by a line "# exact SIZE OUT IN" with the times of its two forms in
 * microseconds, -1 for none, with more digits, for programs. perf_options.h has the command line.
 *
 * Elements are floats and the reduction is the sum. Times are the mean of back-to-back iterations after a barrier,
 * averaged over the ranks. All sizes are warmed up once, unprinted and independent of -w, which is the number of untimed
 * iterations before each row: Tutti has a warm-up too. With -l a form with slow calls gets fewer iterations, at least 5,
 * so that they take about that long; at least 3 calls before determine the duration of a call.
 * A form is timed again if the host of a rank's virtual machine takes time meanwhile, or a spinning rank waits for a
 * processor, as in DisturbanceFilter.java. If there are more ranks than -p processors (default: those online), ranks always
 * wait for each other, which does not count.
 * With --cold it times the first calls of the process, as Tutti's FirstCallsRun.java does: one size, one form, out of
 * place if supported, no warm-up, each call timed once. A line "# exact CALLS OUT IN" then has the total time of that number of
 * calls, the maximum over all ranks.
 * --memory is the kind of Tutti's buffers. Those of other libraries are always memory of the caller; a program without a
 * library may imitate the kind.
 * Exit code 1 if any element was wrong, 2 for bad usage. C11 and C++17.
 */
#ifndef TUTTI_PERF_LOOP_H
#define TUTTI_PERF_LOOP_H

#include "perf_options.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* File with the time that the host of a virtual machine has stolen: proc_stat(5). */
#ifndef PERF_STATISTICS
#define PERF_STATISTICS "/proc/stat"
#endif
/* File whose second field is the run-queue wait of the calling thread in nanoseconds. */
#ifndef PERF_SCHEDULED
#define PERF_SCHEDULED "/proc/thread-self/schedstat"
#endif

/* As in Tutti's Iterations.java. */
enum { PERF_LEAST = 5, PERF_MOST = 10000, PERF_WARMUP_SHARE = 5 };
/* Batches of calls before a row with a limit: a stall affects one of them, hardly all. */
enum { PERF_BATCHES = 3 };
#define PERF_ROW_LENGTH ((size_t)1 << 30)
/* As in Tutti's FirstCallsRun.java. */
static const int PERF_COLD_CALLS[] = {1, 10, 100, 1000, 10000, 30000};
enum { PERF_COLD_ROWS = 6, PERF_COLD_LEAST_ROWS = 2 };
/*
 * As in Tutti's DisturbanceFilter.java: maximum number of timings, the environment variable by which tests lower it,
 * the tolerated loss, and the maximum time of all timings.
 */
enum { PERF_TIMINGS = 10 };
#define PERF_TIMINGS_ENV_NAME "PERF_TIMINGS"
#define PERF_TOLERATED 0.02
#define PERF_LONGEST_US 1e6

static inline double perf_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Bus bandwidth over algorithm bandwidth, as nccl-tests define it. */
static inline double perf_bus_factor(enum perf_collective collective, int ranks)
{
    return collective == PERF_ALLREDUCE ? 2.0 * (ranks - 1) / ranks :
        perf_has_blocks(collective) ? (ranks - 1.0) / ranks : collective == PERF_BARRIER ? 0 : 1;
}

static inline int perf_by_size(size_t length)
{
    const size_t wanted = PERF_ROW_LENGTH / (length == 0 ? 1 : length);
    return wanted < PERF_LEAST ? (int)PERF_LEAST : wanted > PERF_MOST ? (int)PERF_MOST : (int)wanted;
}

/* Returns rank 0's value on all ranks, exactly. */
static inline double perf_agree(struct perf *perf, double value)
{
    double agreed = perf->rank == 0 ? value : 0;
    perf->sum(perf, &agreed);
    return agreed;
}

/* Number of untimed calls: the requested one, or by size if that is -1. */
static inline int perf_warmups(const struct perf_call *call, int asked)
{
    return asked >= 0 ? asked : perf_by_size(call->count * sizeof(float)) / PERF_WARMUP_SHARE;
}

/*
 * Makes untimed calls, and returns how many timed ones fit into the limit: the same on all ranks. Without a limit that
 * is the requested number. With one, batches of growing size are timed, the fastest of which gives the duration of a
 * call, until a share of the limit is spent.
 */
static inline int perf_warm_up(struct perf *perf, const struct perf_call *call, int left)
{
    const int timed = perf->iterations > 0 ? perf->iterations : perf_by_size(call->count * sizeof(float));
    if (perf->limit_us <= 0)
    {
        perf->repeat(perf, call, left);
        return timed;
    }
    const double share_us = perf->limit_us / PERF_WARMUP_SHARE;
    double spent_us = 0;
    double least_us = 0;
    int times = 1;
    for (int batch = 0; batch < PERF_BATCHES || (left > 0 && spent_us < share_us); batch++)
    {
        const double start = perf_now_us();
        perf->repeat(perf, call, times);
        const double one_us = perf_agree(perf, (perf_now_us() - start) / times);
        least_us = batch == 0 || one_us < least_us ? one_us : least_us;
        spent_us += one_us * times;
        left -= times;
        times = left < 1 || spent_us >= share_us ? 1 : 2 * times < left ? 2 * times : left;
    }
    const double fit = least_us > 0 ? perf->limit_us / least_us : timed;
    return fit >= timed ? timed : fit < PERF_LEAST ? (int)PERF_LEAST : (int)fit;
}

/* Mean steal time per processor so far; 0 if not reported. */
static inline double perf_stolen_us(void)
{
    unsigned long long ticks = 0;
    FILE *const statistics = fopen(PERF_STATISTICS, "r");
    if (statistics != NULL)
    {
        if (fscanf(statistics, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &ticks) != 1)
        {
            ticks = 0;
        }
        fclose(statistics);
    }
    return (double)ticks * 1e6 / (double)sysconf(_SC_CLK_TCK) / (double)sysconf(_SC_NPROCESSORS_ONLN);
}

/*
 * Run-queue wait of this rank so far: behind another process, which may be another rank while Linux runs both on one
 * processor. 0 if ranks share processors or sleep, which always includes such waits.
 */
static inline double perf_waited_us(const struct perf *perf)
{
    unsigned long long waited_ns = 0;
    FILE *const scheduled = perf->spins && perf->ranks <= perf->processors ? fopen(PERF_SCHEDULED, "r") : NULL;
    if (scheduled != NULL)
    {
        if (fscanf(scheduled, "%*u %llu", &waited_ns) != 1)
        {
            waited_ns = 0;
        }
        fclose(scheduled);
    }
    return (double)waited_ns / 1e3;
}

/* Time taken from this rank so far. */
static inline double perf_lost_us(const struct perf *perf)
{
    return perf_stolen_us() + perf_waited_us(perf);
}

/* Maximum over the ranks, exactly the same on all ranks. */
static inline double perf_most(struct perf *perf, double value)
{
    double most = 0;
    for (int rank = 0; rank < perf->ranks; rank++)
    {
        double of_rank = rank == perf->rank ? value : 0;
        perf->sum(perf, &of_rank);
        most = of_rank > most ? of_rank : most;
    }
    return most;
}

/* Maximum number of timings. */
static inline int perf_timings(void)
{
    const char *const asked = getenv(PERF_TIMINGS_ENV_NAME);
    return asked == NULL ? (int)PERF_TIMINGS : (int)strtol(asked, NULL, 10);
}

/* Mean time of a call over the ranks, of the least disturbed timing. */
static inline double perf_time_us(struct perf *perf, const struct perf_call *call)
{
    const int most = perf_timings();
    const int timed = perf_warm_up(perf, call, perf_warmups(call, perf->warmup));
    double kept_us = 0;
    double least = 0;
    double spent_us = 0;
    for (int i = 0; i == 0 || (i < most && least > PERF_TOLERATED && spent_us < PERF_LONGEST_US); i++)
    {
        perf->barrier(perf);
        const double before_us = perf_lost_us(perf);
        const double start = perf_now_us();
        perf->repeat(perf, call, timed);
        const double took_us = perf_now_us() - start;
        const double lost = perf_most(perf, took_us > 0 ? (perf_lost_us(perf) - before_us) / took_us : 0);
        double time_us = took_us / timed;
        perf->sum(perf, &time_us);
        spent_us += perf_agree(perf, took_us);
        if (i == 0 || lost < least)
        {
            least = lost;
            kept_us = time_us / perf->ranks;
        }
    }
    return kept_us;
}

static inline int64_t perf_wrong_after_one(struct perf *perf, const struct perf_call *call)
{
    perf_prepare(call);
    perf->repeat(perf, call, 1);
    double wrong = (double)perf_count_wrong(call);
    perf->sum(perf, &wrong);
    return (int64_t)wrong;
}

/* Call of a form on the program's buffers. */
static inline struct perf_call perf_call_of(const struct perf *perf, size_t count, int in_place)
{
    struct perf_call call;
    call.collective = perf->collective;
    call.rank = perf->rank;
    call.ranks = perf->ranks;
    call.root = perf->root;
    call.in_place = in_place;
    call.linear = perf->linear;
    const int is_uniform = perf_has_blocks(call.collective) && !perf_has_counts(call.collective);
    call.count = is_uniform ? count / (size_t)perf->ranks * (size_t)perf->ranks : count;
    call.block = perf_has_blocks(call.collective) ? perf_longest(&call) : count;
    const enum perf_collective even = perf_even(call.collective);
    const size_t own = perf_offset(&call, call.rank, call.rank);
    call.input = in_place ? perf->output + (even == PERF_ALLGATHER || even == PERF_GATHER ? own : 0) : perf->input;
    call.output = perf->output + (in_place && (even == PERF_REDUCE_SCATTER || even == PERF_SCATTER) ? own : 0);
    return call;
}

/* Measures a form and prints its columns; its time in microseconds, or -1 if there is no such form. */
static inline double perf_form(struct perf *perf, size_t count, int in_place)
{
    if (!perf->has(perf->collective, in_place))
    {
        if (perf->rank == 0)
        {
            printf("  %7s  %6s  %6s  %6s", "N/A", "N/A", "N/A", "N/A");
        }
        return -1;
    }
    const struct perf_call call = perf_call_of(perf, count, in_place);
    double time_us = -1;
    int64_t wrong = 0;
    for (perf->variant = 0; perf->variant < perf->variants; perf->variant++)
    {
        perf_prepare(&call);
        const double now_us = perf_time_us(perf, &call);
        time_us = time_us < 0 || now_us < time_us ? now_us : time_us;
        wrong += perf->check ? perf_wrong_after_one(perf, &call) : 0;
    }
    perf->variant = 0;
    const double alg_bw = (double)(call.count * sizeof(float)) / time_us / 1e3;
    const double bus_bw = alg_bw * perf_bus_factor(perf->collective, perf->ranks);
    perf->bus_bandwidths += bus_bw;
    perf->forms++;
    perf->all_wrong += wrong;
    char wrong_text[32] = "N/A";
    if (perf->check && perf->collective != PERF_BARRIER)
    {
        snprintf(wrong_text, sizeof(wrong_text), "%6g", (double)wrong);
    }
    if (perf->rank == 0)
    {
        printf("  %7.*f  %6.2f  %6.2f  %6s",
            time_us >= 10000 ? 0 : time_us >= 100 ? 1 : 2, time_us, alg_bw, bus_bw, wrong_text);
    }
    return time_us;
}

static inline void perf_row(struct perf *perf, size_t count)
{
    const struct perf_call call = perf_call_of(perf, count, 0);
    const size_t length = call.count * sizeof(float);
    if (perf->rank == 0)
    {
        printf("%12zu  %12zu  %8s  %6s  %6d", length, call.block, perf->collective == PERF_BARRIER ? "none" : "float",
            perf_reduces(perf->collective) ? "sum" : "none", perf_has_root(perf->collective) ? perf->root : -1);
    }
    const double out_us = perf_form(perf, count, 0);
    const double in_us = perf_form(perf, count, 1);
    if (perf->rank == 0)
    {
        printf("\n# exact %zu %.6f %.6f\n", length, out_us, in_us);
        fflush(stdout);
    }
}

/* The next size; the same if it is the last. */
static inline size_t perf_next(const struct perf *perf, size_t length)
{
    const size_t following = length == 0 ? 1 : length * perf->factor;
    return following > perf->max_bytes ? perf->max_bytes : following;
}

/* Times the first calls and prints them; returns the exit code. */
static inline int perf_first_calls(struct perf *perf)
{
    const struct perf_call call =
        perf_call_of(perf, perf->min_bytes / sizeof(float), !perf->has(perf->collective, 0));
    const size_t length = call.count * sizeof(float);
    double total_us[PERF_COLD_ROWS];
    int rows = 0;
    int made = 0;
    perf_prepare(&call);
    const double start = perf_now_us();
    while (rows < PERF_COLD_LEAST_ROWS ||
        (rows < PERF_COLD_ROWS && (size_t)PERF_COLD_CALLS[rows] * length <= PERF_ROW_LENGTH))
    {
        perf->repeat(perf, &call, PERF_COLD_CALLS[rows] - made);
        made = PERF_COLD_CALLS[rows];
        total_us[rows++] = perf_now_us() - start;
    }
    perf->all_wrong = perf->check ? perf_wrong_after_one(perf, &call) : 0;
    if (perf->rank == 0)
    {
        printf("# %10s  %12s  %8s  %6s  %6s  %8s  %12s\n", "size", "count", "type", "redop", "root", "calls",
            "total us");
    }
    for (int row = 0; row < rows; row++)
    {
        const double most_us = perf_most(perf, total_us[row]);
        if (perf->rank == 0)
        {
            printf("%12zu  %12zu  %8s  %6s  %6d  %8d  %12.2f\n# exact %d %.6f %.6f\n", length, call.block,
                perf->collective == PERF_BARRIER ? "none" : "float", perf_reduces(perf->collective) ? "sum" : "none",
                perf_has_root(perf->collective) ? perf->root : -1, PERF_COLD_CALLS[row], most_us, PERF_COLD_CALLS[row],
                call.in_place ? -1 : most_us, call.in_place ? most_us : -1);
        }
    }
    if (perf->rank == 0)
    {
        printf("# Out of bounds values : %" PRId64 " %s\n", perf->all_wrong, perf->all_wrong == 0 ? "OK" : "FAILED");
    }
    return perf->all_wrong == 0 ? 0 : 1;
}

/* Warms up all sizes, then measures them and prints the table; returns the exit code. */
static inline int perf_main(struct perf *perf)
{
    memset(perf->input, 0, perf_length(perf));
    memset(perf->output, 0, perf_length(perf));
    if (perf->rank == 0)
    {
        printf("# %s: %s, %d ranks\n", perf->program, perf->library, perf->ranks);
    }
    if (perf->cold)
    {
        return perf_first_calls(perf);
    }
    if (perf->rank == 0)
    {
        printf("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s\n", "size", "count", "type", "redop",
            "root", "time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong");
    }
    for (int timed = 0; timed <= 1; timed++)
    {
        size_t before = SIZE_MAX;
        size_t length = perf->min_bytes;
        for (int more = 1; more; length = perf_next(perf, length))
        {
            const size_t count = length / sizeof(float);
            for (int in_place = 0; !timed && in_place <= 1; in_place++)
            {
                if (perf->has(perf->collective, in_place))
                {
                    const struct perf_call call = perf_call_of(perf, count, in_place);
                    perf_warm_up(perf, &call, perf_warmups(&call, -1));
                }
            }
            if (timed && count != before)
            {
                perf_row(perf, count);
            }
            before = count;
            more = length < perf->max_bytes;
        }
    }
    if (perf->rank == 0)
    {
        printf("# Out of bounds values : %" PRId64 " %s\n", perf->all_wrong, perf->all_wrong == 0 ? "OK" : "FAILED");
        printf("# Avg bus bandwidth    : %g\n#\n", perf->bus_bandwidths / (perf->forms == 0 ? 1 : perf->forms));
    }
    return perf->all_wrong == 0 ? 0 : 1;
}

#endif
