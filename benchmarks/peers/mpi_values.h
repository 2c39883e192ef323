/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The types and operations of MPI by Tutti's names, and the values of inputs: element i of rank r is made from the 64
 * bits mix(seed + G * (r * 2^32 + i + 1)), G being 0x9E3779B97F4A7C15 and mix the finalizer of SplitMix64 (Steele, Lea,
 * Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
 */
#ifndef TUTTI_MPI_VALUES_H
#define TUTTI_MPI_VALUES_H

#include <mpi.h>
#include <stdint.h>
#include <string.h>

enum kind { INTEGER, FLOAT32, FLOAT64, INT32_INT32, INT64_INT32, FLOAT32_INT32, FLOAT64_INT32 };

struct type
{
    const char *name;
    enum kind kind;
    size_t size;
    MPI_Datatype type;
};

struct op
{
    const char *name;
    MPI_Op op;
};

struct float_int
{
    float value;
    int32_t index;
};

struct long_int
{
    int64_t value;
    int32_t index;
};

struct double_int
{
    double value;
    int32_t index;
};

/* Returns the type of a name, or NULL. */
static inline const struct type *find_type(const char *name)
{
    static struct type types[14];
    static int number = 0;
    if (number == 0)
    {
        types[number++] = (struct type){ "int8", INTEGER, 1, MPI_INT8_T };
        types[number++] = (struct type){ "uint8", INTEGER, 1, MPI_UINT8_T };
        types[number++] = (struct type){ "int16", INTEGER, 2, MPI_INT16_T };
        types[number++] = (struct type){ "uint16", INTEGER, 2, MPI_UINT16_T };
        types[number++] = (struct type){ "int32", INTEGER, 4, MPI_INT32_T };
        types[number++] = (struct type){ "uint32", INTEGER, 4, MPI_UINT32_T };
        types[number++] = (struct type){ "int64", INTEGER, 8, MPI_INT64_T };
        types[number++] = (struct type){ "uint64", INTEGER, 8, MPI_UINT64_T };
        types[number++] = (struct type){ "float32", FLOAT32, 4, MPI_FLOAT };
        types[number++] = (struct type){ "float64", FLOAT64, 8, MPI_DOUBLE };
        types[number++] = (struct type){ "int32_int32", INT32_INT32, 8, MPI_2INT };
        types[number++] = (struct type){ "int64_int32", INT64_INT32, 16, MPI_LONG_INT };
        types[number++] = (struct type){ "float32_int32", FLOAT32_INT32, 8, MPI_FLOAT_INT };
        types[number++] = (struct type){ "float64_int32", FLOAT64_INT32, 16, MPI_DOUBLE_INT };
    }
    for (int i = 0; i < number; i++)
    {
        if (strcmp(types[i].name, name) == 0)
        {
            return &types[i];
        }
    }
    return NULL;
}

/* Returns the operation of a name, or NULL. */
static inline const struct op *find_op(const char *name)
{
    static struct op ops[14];
    static int number = 0;
    if (number == 0)
    {
        ops[number++] = (struct op){ "none", MPI_OP_NULL };
        ops[number++] = (struct op){ "sum", MPI_SUM };
        ops[number++] = (struct op){ "prod", MPI_PROD };
        ops[number++] = (struct op){ "min", MPI_MIN };
        ops[number++] = (struct op){ "max", MPI_MAX };
        ops[number++] = (struct op){ "band", MPI_BAND };
        ops[number++] = (struct op){ "bor", MPI_BOR };
        ops[number++] = (struct op){ "bxor", MPI_BXOR };
        ops[number++] = (struct op){ "land", MPI_LAND };
        ops[number++] = (struct op){ "lor", MPI_LOR };
        ops[number++] = (struct op){ "lxor", MPI_LXOR };
        ops[number++] = (struct op){ "minloc", MPI_MINLOC };
        ops[number++] = (struct op){ "maxloc", MPI_MAXLOC };
    }
    for (int i = 0; i < number; i++)
    {
        if (strcmp(ops[i].name, name) == 0)
        {
            return &ops[i];
        }
    }
    return NULL;
}

/* Returns the random bits of an element of a rank. */
static inline uint64_t bits(uint64_t seed, int of_rank, int element)
{
    uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15) * (((uint64_t)of_rank << 32) + (uint64_t)element + 1);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* From -1 to 1; for products, whose error is relative, from 0.5 to 2 with either sign. All are exact in a float. */
static inline double real(uint64_t z, int is_product)
{
    const double fraction = (double)(z >> 41) / (double)(1 << 23);
    const double sign = z & 1 ? -1 : 1;
    return is_product ? sign * (1 + fraction) * (z & 2 ? 1 : 0.5) : sign * fraction;
}

/* Writes the first elements of a rank. */
static inline void fill(
    const struct type *type, const struct op *op, uint64_t seed, int rank, char *memory, int count)
{
    const int is_product = strcmp(op->name, "prod") == 0;
    const int is_logical = op->name[0] == 'l';
    for (int i = 0; i < count; i++)
    {
        char *const at = memory + (size_t)i * type->size;
        uint64_t z = bits(seed, rank, i);
        switch (type->kind)
        {
            case INTEGER:
                z = is_logical ? z & 1 : z;
                memcpy(at, &z, type->size);
                break;
            case FLOAT32:
                *(float *)at = (float)real(z, is_product);
                break;
            case FLOAT64:
                *(double *)at = real(z, is_product);
                break;
            case INT32_INT32:
                ((int32_t *)at)[0] = (int32_t)(z % 5);
                ((int32_t *)at)[1] = rank;
                break;
            case INT64_INT32:
                memset(at, 0, sizeof(struct long_int));
                ((struct long_int *)at)->value = (int64_t)(z % 5);
                ((struct long_int *)at)->index = rank;
                break;
            case FLOAT32_INT32:
                *(struct float_int *)at = (struct float_int){ (float)(z % 5), rank };
                break;
            case FLOAT64_INT32:
                memset(at, 0, sizeof(struct double_int));
                ((struct double_int *)at)->value = (double)(z % 5);
                ((struct double_int *)at)->index = rank;
                break;
        }
    }
}

#endif
