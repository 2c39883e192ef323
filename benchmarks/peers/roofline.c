/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Memory bandwidth limit of a collective on this host: the same data movement without messages, intermediate copies or a
 * library. All buffers are shared; each process does its share of the work in place, reading the others' inputs and
 * writing the others' outputs, between two barriers of one flag per process. The faster of cached and non-temporal
 * stores counts.
 *
 * With --memory registered or heap, an allreduce works on buffers that only their own process can access: each process
 * copies its input to shared memory, and the result from there. The fastest of several lengths of segments counts.
 *
 *   roofline RANKS COLLECTIVE [options of perf_loop.h]
 *
 * Each rank is bound to its own core if there are enough, else to its own processor if there are enough.
 *
 * Small sizes take as long as the flags, which is not the minimum latency of a message: this is a limit of bandwidth.
 */
#define _GNU_SOURCE
#include "cores.h"
#include "perf_loop.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

/* Processors fetch cache lines in pairs; shares are multiples of a pair, in floats; chunks fit the L1 cache. */
enum { PAIR_OF_LINES = 128, MOST_RANKS = 64, SHARE_UNIT = 32, CHUNK = 2048, POLLS = 200 };

struct place
{
    _Alignas(PAIR_OF_LINES) atomic_ulong arrived;
    double value;
};

static struct place *places;
static float *inputs[MOST_RANKS];
static float *outputs[MOST_RANKS];
static int staged;
/* Lengths of segments in floats, of a call on memory that other processes cannot access. */
static const size_t SEGMENTS[] = {16 << 10, 64 << 10, SIZE_MAX};
enum { SEGMENT_LENGTHS = sizeof SEGMENTS / sizeof *SEGMENTS };
static unsigned long arrivals;
static int crowded;

static int has(enum perf_collective collective, int in_place)
{
    if (staged)
    {
        return collective == PERF_ALLREDUCE;
    }
    if (collective == PERF_SCAN || collective == PERF_EXSCAN)
    {
        /* The sums differ by rank, so memory is not the only limit. */
        return 0;
    }
    /* An in-place alltoall swaps blocks, which is a different operation. */
    return in_place ?
        collective != PERF_BARRIER && collective != PERF_SENDRECV && perf_even(collective) != PERF_ALLTOALL :
        collective != PERF_BROADCAST;
}

static void barrier(struct perf *perf)
{
    const unsigned long now = ++arrivals;
    atomic_store_explicit(&places[perf->rank].arrived, now, memory_order_release);
    for (int peer = 0; peer < perf->ranks; peer++)
    {
        for (int polls = 1; atomic_load_explicit(&places[peer].arrived, memory_order_acquire) < now; polls++)
        {
            if (crowded && polls % POLLS == 0)
            {
                sched_yield();
            }
        }
    }
}

static void sum(struct perf *perf, double *value)
{
    places[perf->rank].value = *value;
    barrier(perf);
    *value = 0;
    for (int peer = 0; peer < perf->ranks; peer++)
    {
        *value += places[peer].value;
    }
    barrier(perf);
}

/* Non-temporal stores, if available and both ends are aligned. */
static void stream(float *restrict to, const float *restrict from, size_t count)
{
#ifdef __AVX__
    if (((uintptr_t)to | (uintptr_t)from) % sizeof(__m256) == 0)
    {
        const size_t lane = sizeof(__m256) / sizeof(float);
        size_t i = 0;
        for (; i + lane <= count; i += lane)
        {
            _mm256_stream_ps(to + i, _mm256_load_ps(from + i));
        }
        memcpy(to + i, from + i, (count - i) * sizeof(float));
        return;
    }
#endif
    memcpy(to, from, count * sizeof(float));
}

static void copy(float *to, const float *from, size_t count, int streams)
{
    if (to == from || count == 0)
    {
        return;
    }
    if (streams)
    {
        stream(to, from, count);
    }
    else
    {
        memcpy(to, from, count * sizeof(float));
    }
}

/* In place, outputs and inputs are equal: not restrict, but never overlapping at an offset. */
static void add_two(float *first, float *second, const float *left, const float *right, size_t count)
{
    #pragma GCC ivdep
    for (size_t i = 0; i < count; i++)
    {
        const float one = left[i] + right[i];
        first[i] = one;
        second[i] = one;
    }
}

/* Sums elements from..to of all ranks' inputs into some outputs, at an offset of `ahead`. */
static void reduce(
    const struct perf_call *call, float *const *targets, int target_count, size_t ahead, size_t from, size_t to,
    int streams)
{
    float *const *const sources = call->in_place ? outputs : inputs;
    if (call->ranks == 2 && !streams)
    {
        add_two(targets[0] + from - ahead, targets[target_count - 1] + from - ahead,
            sources[0] + from, sources[1] + from, to - from);
        return;
    }
    _Alignas(64) float chunk[CHUNK];
    for (size_t at = from; at < to; at += CHUNK)
    {
        const size_t count = to - at < CHUNK ? to - at : CHUNK;
        for (size_t i = 0; i < count; i++)
        {
            chunk[i] = sources[0][at + i] + sources[1 % call->ranks][at + i];
        }
        for (int peer = 2; peer < call->ranks; peer++)
        {
            const float *const source = sources[peer] + at;
            for (size_t i = 0; i < count; i++)
            {
                chunk[i] += source[i];
            }
        }
        for (int target = 0; target < target_count; target++)
        {
            copy(targets[target] + at - ahead, chunk, count, streams);
        }
    }
}

/* Start of a rank's share if all ranks split a buffer. */
static size_t share(const struct perf_call *call, int rank)
{
    const size_t units = (call->count + SHARE_UNIT - 1) / SHARE_UNIT;
    const size_t from = units * (size_t)rank / (size_t)call->ranks * SHARE_UNIT;
    return from < call->count ? from : call->count;
}

static void once(const struct perf_call *call, int streams)
{
    const int rank = call->rank;
    const size_t own = perf_offset(call, rank, rank);
    const size_t length = perf_block(call, rank, rank);
    const size_t from = share(call, rank);
    const size_t to = share(call, rank + 1);
    switch (perf_even(call->collective))
    {
        case PERF_ALLREDUCE:
            reduce(call, outputs, call->ranks, 0, from, to, streams);
            break;
        case PERF_REDUCE:
            reduce(call, &outputs[call->root], 1, 0, from, to, streams);
            break;
        case PERF_REDUCE_SCATTER:
            reduce(call, &outputs[rank], 1, call->in_place ? 0 : own, own, own + length, streams);
            break;
        case PERF_BROADCAST:
            for (int peer = 0; peer < call->ranks; peer++)
            {
                copy(outputs[peer] + from, outputs[call->root] + from, to - from, streams);
            }
            break;
        case PERF_ALLGATHER:
            for (int peer = 0; peer < call->ranks; peer++)
            {
                const size_t theirs = perf_offset(call, peer, peer);
                copy(outputs[rank] + theirs, call->in_place ? outputs[peer] + theirs : inputs[peer],
                    perf_block(call, peer, peer), streams);
            }
            break;
        case PERF_GATHER:
            copy(outputs[call->root] + own, call->in_place ? outputs[rank] + own : inputs[rank], length, streams);
            break;
        case PERF_SCATTER:
            copy(call->output, (call->in_place ? outputs : inputs)[call->root] + own, length, streams);
            break;
        case PERF_ALLTOALL:
            for (int peer = 0; peer < call->ranks; peer++)
            {
                copy(outputs[rank] + perf_offset(call, rank, peer), inputs[peer] + perf_offset(call, peer, rank),
                    perf_block(call, rank, peer), streams);
            }
            break;
        case PERF_SENDRECV:
            copy(outputs[rank], inputs[(rank + call->ranks - 1) % call->ranks], call->count, streams);
            break;
        default:
            break;
    }
#ifdef __AVX__
    if (streams)
    {
        _mm_sfence();
    }
#endif
}

/*
 * An allreduce on memory that other processes cannot access. `outputs` are the shared copies; those of a rank are written
 * by its peers only between the two barriers.
 */
static void once_staged(struct perf *perf, const struct perf_call *call)
{
    const float *const input = call->in_place ? perf->output : perf->input;
    struct perf_call segment = *call;
    segment.in_place = 1;
    for (size_t done = 0; done < call->count; done += segment.count)
    {
        segment.count = call->count - done < SEGMENTS[perf->variant] ? call->count - done : SEGMENTS[perf->variant];
        memcpy(outputs[perf->rank], input + done, segment.count * sizeof(float));
        barrier(perf);
        reduce(&segment, outputs, call->ranks, 0, share(&segment, perf->rank), share(&segment, perf->rank + 1), 0);
        barrier(perf);
        memcpy(perf->output + done, outputs[perf->rank], segment.count * sizeof(float));
    }
}

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    for (int i = 0; i < times; i++)
    {
        if (staged)
        {
            once_staged(perf, call);
            continue;
        }
        barrier(perf);
        if (call->collective != PERF_BARRIER)
        {
            once(call, perf->variant == 1);
            barrier(perf);
        }
    }
}

static void *shared(size_t length)
{
    void *const memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
    {
        fprintf(stderr, "roofline: no shared memory of %zu bytes: %s\n", length, strerror(errno));
        exit(1);
    }
    /* Fewer TLB misses if the kernel has huge pages for shared memory; else no effect. */
    madvise(memory, length, MADV_HUGEPAGE);
    return memory;
}

/* Memory that only this process can access. */
static float *own(size_t length)
{
    void *const memory = aligned_alloc(4096, length);
    if (memory == NULL)
    {
        fprintf(stderr, "roofline: no memory of %zu bytes\n", length);
        exit(1);
    }
    return memory;
}

/* A killed process sets no more flags: without this the others would wait forever. */
static void on_end_of_child(int signal)
{
    (void)signal;
    int status;
    while (waitpid(-1, &status, WNOHANG) > 0)
    {
        if (WIFSIGNALED(status))
        {
            static const char text[] = "roofline: one of its processes was killed\n";
            (void)!write(STDERR_FILENO, text, sizeof text - 1);
            _exit(1);
        }
    }
}

static void run_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

int main(int argc, char **argv)
{
    struct perf perf;
    memset(&perf, 0, sizeof perf);
    perf.program = "roofline";
    snprintf(perf.library, sizeof perf.library, "memory of this host");
    perf.has = has;
    perf.repeat = repeat;
    perf.sum = sum;
    perf.barrier = barrier;
    long long ranks = 0;
    const char *word = argc > 1 ? argv[1] : "nothing";
    if (perf_number(word, 0, &ranks) != NULL || ranks < 2 || ranks > MOST_RANKS)
    {
        fprintf(stderr, "roofline: the number of ranks must be from 2 to %d, followed by the collective: %s\n",
            MOST_RANKS, word);
        return 2;
    }
    perf.ranks = (int)ranks;
    const char *const problem = perf_parse(&perf, argc - 1, argv + 1, &word);
    if (problem != NULL)
    {
        fprintf(stderr, "roofline: %s%s%s\n", problem, *word == '\0' ? "" : ": ", word);
        return 2;
    }
    staged = perf.on_callers_memory;
#ifdef __AVX__
    perf.variants = perf.collective == PERF_BARRIER ? 1 : 2;
#endif
    if (staged)
    {
        perf.variants = SEGMENT_LENGTHS;
    }
    places = shared(sizeof(struct place) * (size_t)perf.ranks);
    for (int rank = 0; rank < perf.ranks; rank++)
    {
        inputs[rank] = shared(perf_length(&perf));
        outputs[rank] = shared(perf_length(&perf));
    }
    cpu_set_t usable;
    int cpus[MOST_RANKS];
    crowded = sched_getaffinity(0, sizeof usable, &usable) != 0 ||
        cores_choose(&usable, cpus, perf.ranks) < perf.ranks;
    perf.spins = !crowded;
    signal(SIGCHLD, on_end_of_child);
    const pid_t parent = getpid();
    for (int rank = 1; rank < perf.ranks && perf.rank == 0; rank++)
    {
        const pid_t pid = fork();
        if (pid < 0)
        {
            perror("roofline: fork");
            return 1;
        }
        if (pid == 0)
        {
            perf.rank = rank;
            /* No process waits for the flag of a process that has exited. */
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
            {
                return 1;
            }
        }
    }
    if (!crowded)
    {
        run_on(cpus[perf.rank]);
    }
    perf.input = staged ? own(perf_length(&perf)) : inputs[perf.rank];
    perf.output = staged ? own(perf_length(&perf)) : outputs[perf.rank];
    const int code = perf_main(&perf);
    while (perf.rank == 0 && wait(NULL) > 0)
    {
    }
    return code;
}
