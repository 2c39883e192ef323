/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reductions as Tutti's kernels make them, for `tutti kernels`, which calls both by turns: dst[i] = left[i] + right[i].
 * dst may be left or right, but overlaps neither otherwise; hence the pragma, without which gcc tests for overlaps.
 */
#include <stdint.h>
#include <string.h>

void float_sum(const float *left, const float *right, float *dst, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
    {
        dst[i] = left[i] + right[i];
    }
}

/* The last reduction leaves one NaN only. */
void float_sum_last(const float *left, const float *right, float *dst, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
    {
        const float sum = left[i] + right[i];
        dst[i] = sum == sum ? sum : __builtin_nanf("");
    }
}

static inline float decode(uint16_t element)
{
    const uint32_t bits = (uint32_t)element << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* To the nearest, to the even one of two; all NaNs to one. */
static inline uint16_t encode(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    return (uint16_t)(value == value ? rounded : 0x7FC0);
}

void bfloat16_sum(const uint16_t *left, const uint16_t *right, uint16_t *dst, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
    {
        dst[i] = encode(decode(left[i]) + decode(right[i]));
    }
}
