/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the latency in nanoseconds of a flag between the first two cores available to this process or, if there is one
 * core, between two of its processors: half of a round trip, the median of nine means of 5000 trips.
 *
 * No message between processes can be faster. In a virtual machine it varies: the host may move virtual processors
 * between cores that share a cache and cores that do not, and the latency changes from 50 to 250 ns.
 */
#define _GNU_SOURCE
#include "cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processors fetch cache lines in pairs. */
enum { PAIR_OF_LINES = 128, TRIPS = 5000, WARM_UP = 1000, SERIES = 9 };

static _Alignas(PAIR_OF_LINES) atomic_int there;
static _Alignas(PAIR_OF_LINES) atomic_int back;
static _Alignas(PAIR_OF_LINES) int second;

static void run_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    if (error != 0)
    {
        fprintf(stderr, "core_distance: cannot run on processor %d: %s\n", cpu, strerror(error));
        exit(1);
    }
}

static void *reflect(void *unused)
{
    (void)unused;
    run_on(second);
    for (int trip = 1; trip <= WARM_UP + SERIES * TRIPS; trip++)
    {
        while (atomic_load_explicit(&there, memory_order_acquire) != trip)
        {
        }
        atomic_store_explicit(&back, trip, memory_order_release);
    }
    return NULL;
}

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *left, const void *right)
{
    const double l = *(const double *)left;
    const double r = *(const double *)right;
    return (l > r) - (l < r);
}

int main(void)
{
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0)
    {
        perror("core_distance: sched_getaffinity");
        return 1;
    }
    int cpus[2];
    if (cores_choose(&usable, cpus, 2) < 2)
    {
        fprintf(stderr, "core_distance: needs two processors, and may use only one\n");
        return 1;
    }
    second = cpus[1];
    run_on(cpus[0]);
    pthread_t reflector;
    const int error = pthread_create(&reflector, NULL, reflect, NULL);
    if (error != 0)
    {
        fprintf(stderr, "core_distance: cannot start a thread: %s\n", strerror(error));
        return 1;
    }
    double series[SERIES];
    double start = 0;
    for (int trip = 1; trip <= WARM_UP + SERIES * TRIPS; trip++)
    {
        if (trip > WARM_UP && (trip - WARM_UP) % TRIPS == 1)
        {
            start = now_ns();
        }
        atomic_store_explicit(&there, trip, memory_order_release);
        while (atomic_load_explicit(&back, memory_order_acquire) != trip)
        {
        }
        if (trip > WARM_UP && (trip - WARM_UP) % TRIPS == 0)
        {
            series[(trip - WARM_UP) / TRIPS - 1] = (now_ns() - start) / TRIPS / 2;
        }
    }
    pthread_join(reflector, NULL);
    qsort(series, SERIES, sizeof series[0], ascending);
    printf("%.0f\n", series[SERIES / 2]);
    return 0;
}
