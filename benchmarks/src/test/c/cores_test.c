/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Prints the processors that cores.h chooses from a set: cores_test MOST CPU...
 */
#define _GNU_SOURCE
#include "cores.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    cpu_set_t usable;
    int cpus[CPU_SETSIZE];
    CPU_ZERO(&usable);
    for (int i = 2; i < argc; i++)
    {
        CPU_SET(atoi(argv[i]), &usable);
    }
    const int found = cores_choose(&usable, cpus, argc > 1 ? atoi(argv[1]) : 0);
    for (int i = 0; i < found; i++)
    {
        printf("%d ", cpus[i]);
    }
    printf("\n");
    return 0;
}
