/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Which processors to run on, such that they share a core only where there are more of them than cores: two that do
 * take turns, and a flag between them never leaves their cache. Linux; _GNU_SOURCE comes before all headers.
 */
#ifndef TUTTI_CORES_H
#define TUTTI_CORES_H

#include <sched.h>
#include <stdio.h>

/* Tests have another. */
#ifndef CORES_OF_SYSTEM
#define CORES_OF_SYSTEM "/sys/devices/system/cpu"
#endif

/* The core of a processor, by the first processor of that core; itself where the system does not say. */
static inline int cores_core_of(int cpu)
{
    char path[512];
    int first = cpu;
    snprintf(path, sizeof path, CORES_OF_SYSTEM "/cpu%d/topology/thread_siblings_list", cpu);
    FILE *const file = fopen(path, "r");
    if (file != NULL)
    {
        /* "0-1" or "0,4". */
        if (fscanf(file, "%d", &first) != 1)
        {
            first = cpu;
        }
        fclose(file);
    }
    return first;
}

/*
 * Writes the processors of a set, at most `most` of them: first one of each core, ascending, then the others. Returns
 * how many it wrote.
 */
static inline int cores_choose(const cpu_set_t *usable, int *cpus, int most)
{
    cpu_set_t cores;
    cpu_set_t chosen;
    int found = 0;
    CPU_ZERO(&cores);
    CPU_ZERO(&chosen);
    for (int others = 0; others <= 1; others++)
    {
        for (int cpu = 0; cpu < CPU_SETSIZE && found < most; cpu++)
        {
            if (CPU_ISSET(cpu, usable) && !CPU_ISSET(cpu, &chosen) &&
                (others || !CPU_ISSET(cores_core_of(cpu), &cores)))
            {
                CPU_SET(cores_core_of(cpu), &cores);
                CPU_SET(cpu, &chosen);
                cpus[found++] = cpu;
            }
        }
    }
    return found;
}

#endif
