/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * What `tutti perf` does, in MPI: the same sizes, iterations, warm-up, averages and columns, so that two outputs can be
 * laid side by side. Behind each row stands a line "# exact SIZE OUT IN" with the times of its two forms, -1 for none,
 * for what needs more digits than people.
 *
 *   mpirun -np 2 mpi_perf {allreduce|broadcast|barrier} [-b SIZE] [-e SIZE] [-f FACTOR] [-n ITERS] [-w WARMUP]
 *                         [-c 0|1] [-r ROOT]
 *
 * Elements are floats and the reduction is the sum. Times are the mean of back-to-back iterations after a barrier,
 * averaged over the ranks. Exit code 1 if any element was wrong, 2 for bad usage.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum collective { ALLREDUCE, BROADCAST, BARRIER };

/* The same as in Tutti's Iterations.java. */
static const size_t ROW_LENGTH = (size_t)1 << 30;
static const int LEAST = 5;
static const int MOST = 10000;
static const int WARMUP_SHARE = 5;

static enum collective collective;
static size_t min_bytes = 8;
static size_t max_bytes = (size_t)64 << 20;
static size_t factor = 4;
static int iterations = 0;
static int warmup = -1;
static int check = 1;
static int root = 0;

static int rank;
static int ranks;
static float *input;
static float *output;
static int64_t all_wrong;
static double bus_bandwidths;
static int halves;

static void die(const char *what, const char *value)
{
    if (rank == 0)
    {
        fprintf(stderr, "mpi_perf: %s%s\n", what, value);
    }
    MPI_Finalize();
    exit(2);
}

static long long number(const char *text, int scaled)
{
    static const char suffixes[] = "KMGT";
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end != text && scaled && *end != '\0')
    {
        const char upper = *end >= 'a' ? (char)(*end - 'a' + 'A') : *end;
        const char *suffix = strchr(suffixes, upper);
        if (suffix != NULL)
        {
            value <<= 10 * (suffix - suffixes + 1);
            end++;
        }
    }
    if (end == text || *end != '\0')
    {
        die("not a number: ", text);
    }
    return value;
}

static int timed_iterations(size_t length)
{
    if (iterations > 0)
    {
        return iterations;
    }
    const size_t wanted = ROW_LENGTH / (length == 0 ? 1 : length);
    return wanted < (size_t)LEAST ? LEAST : wanted > (size_t)MOST ? MOST : (int)wanted;
}

static int warmup_iterations(size_t length)
{
    if (warmup >= 0)
    {
        return warmup;
    }
    const size_t wanted = ROW_LENGTH / (length == 0 ? 1 : length);
    return (wanted < (size_t)LEAST ? LEAST : wanted > (size_t)MOST ? MOST : (int)wanted) / WARMUP_SHARE;
}

/* A whole number from -128 to 127: sums of them are exact in any order. */
static float element(int of_rank, size_t index)
{
    uint64_t z = index * UINT64_C(0x9E3779B97F4A7C15) + ((uint64_t)of_rank + 1) * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (float)((int)((z ^ (z >> 31)) >> 56) - 128);
}

static void prepare(size_t count, int in_place)
{
    float *source = in_place ? output : input;
    if (collective == ALLREDUCE || rank == root)
    {
        for (size_t i = 0; i < count; i++)
        {
            source[i] = element(rank, i);
        }
    }
    if (collective == BROADCAST ? rank != root : !in_place)
    {
        memset(output, 0xA5, count * sizeof(float));
    }
}

static int64_t count_wrong(size_t count)
{
    int64_t wrong = 0;
    for (size_t i = 0; i < count; i++)
    {
        float expected = 0;
        if (collective == BROADCAST)
        {
            expected = element(root, i);
        }
        else
        {
            for (int r = 0; r < ranks; r++)
            {
                expected += element(r, i);
            }
        }
        wrong += output[i] == expected ? 0 : 1;
    }
    int64_t sum;
    MPI_Allreduce(&wrong, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void repeat(size_t count, int in_place, int times)
{
    for (int i = 0; i < times; i++)
    {
        switch (collective)
        {
            case ALLREDUCE:
                MPI_Allreduce(in_place ? MPI_IN_PLACE : input, output, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                break;
            case BROADCAST:
                MPI_Bcast(output, (int)count, MPI_FLOAT, root, MPI_COMM_WORLD);
                break;
            case BARRIER:
                MPI_Barrier(MPI_COMM_WORLD);
                break;
        }
    }
}

static double half(size_t count, int in_place)
{
    const size_t length = count * sizeof(float);
    prepare(count, in_place);
    repeat(count, in_place, warmup_iterations(length));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    repeat(count, in_place, timed_iterations(length));
    double time_us = (MPI_Wtime() - start) * 1e6 / timed_iterations(length);
    MPI_Allreduce(MPI_IN_PLACE, &time_us, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    time_us /= ranks;

    const double alg_bw = (double)length / time_us / 1e3;
    const double bus_bw =
        collective == ALLREDUCE ? alg_bw * 2 * (ranks - 1) / ranks : collective == BROADCAST ? alg_bw : 0;
    bus_bandwidths += bus_bw;
    halves++;
    char wrong_text[32] = "N/A";
    if (check && collective != BARRIER)
    {
        prepare(count, in_place);
        repeat(count, in_place, 1);
        const int64_t wrong = count_wrong(count);
        all_wrong += wrong;
        snprintf(wrong_text, sizeof(wrong_text), "%6g", (double)wrong);
    }
    if (rank == 0)
    {
        printf("  %7.*f  %6.2f  %6.2f  %6s",
            time_us >= 10000 ? 0 : time_us >= 100 ? 1 : 2, time_us, alg_bw, bus_bw, wrong_text);
    }
    return time_us;
}

static void row(size_t count)
{
    double out_us = -1;
    double in_us = -1;
    if (rank == 0)
    {
        printf("%12zu  %12zu  %8s  %6s  %6d", count * sizeof(float), count,
            collective == BARRIER ? "none" : "float", collective == ALLREDUCE ? "sum" : "none",
            collective == BROADCAST ? root : -1);
    }
    if (collective != BROADCAST)
    {
        out_us = half(count, 0);
    }
    else if (rank == 0)
    {
        printf("  %7s  %6s  %6s  %6s", "N/A", "N/A", "N/A", "N/A");
    }
    if (collective != BARRIER)
    {
        in_us = half(count, 1);
    }
    else if (rank == 0)
    {
        printf("  %7s  %6s  %6s  %6s", "N/A", "N/A", "N/A", "N/A");
    }
    if (rank == 0)
    {
        printf("\n# exact %zu %.4f %.4f\n", count * sizeof(float), out_us, in_us);
        fflush(stdout);
    }
}

static size_t next(size_t length)
{
    const size_t following = length == 0 ? 1 : length * factor;
    return length >= max_bytes ? 0 : following > max_bytes ? max_bytes : following;
}

static void parse(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    collective = strcmp(name, "broadcast") == 0 ? BROADCAST : strcmp(name, "barrier") == 0 ? BARRIER : ALLREDUCE;
    if (collective == ALLREDUCE && strcmp(name, "allreduce") != 0)
    {
        die("say allreduce, broadcast or barrier, not: ", name);
    }
    for (int i = 2; i < argc; i++)
    {
        const char *option = argv[i];
        if (option[0] != '-' || strlen(option) != 2 || strchr("befnwcr", option[1]) == NULL || i + 1 == argc)
        {
            die("unknown option, or one without its value: ", option);
        }
        const long long value = number(argv[++i], option[1] == 'b' || option[1] == 'e');
        switch (option[1])
        {
            case 'b': min_bytes = (size_t)value; break;
            case 'e': max_bytes = (size_t)value; break;
            case 'f': factor = (size_t)value; break;
            case 'n': iterations = (int)value; break;
            case 'w': warmup = (int)value; break;
            case 'c': check = (int)value; break;
            default: root = (int)value; break;
        }
    }
    if (max_bytes < min_bytes || factor < 2 || max_bytes / sizeof(float) > INT32_MAX || root < 0 || root >= ranks)
    {
        die("-b at most -e, -e below 8G, -f at least 2, -r a rank", "");
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    parse(argc, argv);
    input = aligned_alloc(4096, (max_bytes + 4096) & ~(size_t)4095);
    output = aligned_alloc(4096, (max_bytes + 4096) & ~(size_t)4095);
    if (input == NULL || output == NULL)
    {
        fprintf(stderr, "mpi_perf: no memory for 2 buffers of %zu bytes\n", max_bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(input, 0, max_bytes);
    memset(output, 0, max_bytes);
    if (rank == 0)
    {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int length;
        MPI_Get_library_version(version, &length);
        version[strcspn(version, ",\n")] = '\0';
        printf("# mpi_perf: %s, %d ranks\n", version, ranks);
        printf("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s\n", "size", "count", "type", "redop",
            "root", "time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong");
    }
    if (collective == BARRIER)
    {
        min_bytes = max_bytes = 0;
    }
    for (size_t length = min_bytes;; length = next(length))
    {
        const size_t count = length / sizeof(float);
        repeat(count, 0, warmup_iterations(length));
        repeat(count, 1, warmup_iterations(length));
        if (length == max_bytes)
        {
            break;
        }
    }
    size_t before = SIZE_MAX;
    for (size_t length = min_bytes;; length = next(length))
    {
        const size_t count = length / sizeof(float);
        if (count != before)
        {
            row(count);
        }
        before = count;
        if (length == max_bytes)
        {
            break;
        }
    }
    if (rank == 0)
    {
        printf("# Out of bounds values : %" PRId64 " %s\n", all_wrong, all_wrong == 0 ? "OK" : "FAILED");
        printf("# Avg bus bandwidth    : %g\n#\n", bus_bandwidths / halves);
    }
    MPI_Finalize();
    return all_wrong == 0 ? 0 : 1;
}
