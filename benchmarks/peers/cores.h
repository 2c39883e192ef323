/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Chooses processors that share a core only if there are more of them than cores: two that do compete for it, and a flag
 * between them never leaves their cache. Linux; define _GNU_SOURCE before all headers.
 */
#ifndef TUTTI_CORES_H
#define TUTTI_CORES_H

#include <sched.h>
#include <stdio.h>

/* Replaced by tests. */
#ifndef CORES_OF_SYSTEM
#define CORES_OF_SYSTEM "/sys/devices/system/cpu"
#endif

/* Core of a processor, as the first processor of that core; itself if unknown. */
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
 * Writes at most `most` processors of a set: first one of each core, ascending, then the others. Returns their number.
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
