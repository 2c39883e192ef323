/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of Tutti's kernels in C, for `tutti kernels`, which alternates both: dst[i] = left[i] + right[i].
 * dst may be left or right, but overlaps neither otherwise; hence the pragma, without which gcc tests for overlaps.
 */
#include <stdint.h>
#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

void float_sum(const float *left, const float *right, float *dst, int64_t count)
{
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++)
    {
        dst[i] = left[i] + right[i];
    }
}

/* The last reduction makes all NaNs canonical. */
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

/* Rounds to nearest, ties to even; makes NaNs canonical. */
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

/* Only if the compiler has the type; else `tutti kernels` omits its rows. */
#ifdef __FLT16_MAX__
/*
 * Computes in float, rounds once, and makes NaNs canonical. Before version 14 gcc does not vectorize the conversions,
 * hence the intrinsics.
 */
void float16_sum(const _Float16 *left, const _Float16 *right, _Float16 *dst, int64_t count)
{
    int64_t i = 0;
#if defined __F16C__ && defined __AVX512F__
    for (; i + 16 <= count; i += 16)
    {
        const __m512 sum = _mm512_add_ps(_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(left + i))),
            _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(right + i))));
        const __m512 result = _mm512_mask_mov_ps(sum, _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q),
            _mm512_set1_ps(__builtin_nanf("")));
        _mm256_storeu_si256((__m256i *)(dst + i), _mm512_cvtps_ph(result, _MM_FROUND_TO_NEAREST_INT));
    }
#elif defined __F16C__
    for (; i + 8 <= count; i += 8)
    {
        const __m256 sum = _mm256_add_ps(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(left + i))),
            _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(right + i))));
        const __m256 result = _mm256_blendv_ps(sum, _mm256_set1_ps(__builtin_nanf("")),
            _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
        _mm_storeu_si128((__m128i *)(dst + i), _mm256_cvtps_ph(result, _MM_FROUND_TO_NEAREST_INT));
    }
#endif
#pragma GCC ivdep
    for (; i < count; i++)
    {
        const float sum = (float)left[i] + (float)right[i];
        dst[i] = (_Float16)(sum == sum ? sum : __builtin_nanf(""));
    }
}
#endif
