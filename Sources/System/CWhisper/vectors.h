// Vectors of the set of instructions that a file is compiled for, and the products that are made of them.
#ifndef LONGHAND_VECTORS_H
#define LONGHAND_VECTORS_H

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "exponential.h"
#include "kernels.h"

namespace kernels {
namespace {

// A tile is what stays in registers: some rows by two vectors of columns.
#if defined(__AVX512VNNI__)
const int lanes = 16, tile_rows = 12;
using Floats = __m512;
using Ints = __m512i;
inline Floats load(const float *p) { return _mm512_loadu_ps(p); }
inline Ints load(const int16_t *p) { return _mm512_loadu_si512(p); }
inline Ints load(const int32_t *p) { return _mm512_loadu_si512(p); }
inline void store(float *p, Floats x) { _mm512_storeu_ps(p, x); }
inline Ints spread(int32_t x) { return _mm512_set1_epi32(x); }
inline Floats spread(float x) { return _mm512_set1_ps(x); }
inline Floats add_product(Floats sum, Floats x, Floats y) { return _mm512_fmadd_ps(x, y, sum); }
inline Ints add_product(Ints sum, Ints x, Ints y) { return _mm512_dpwssd_epi32(sum, x, y); }
inline Floats floats(Ints x) { return _mm512_cvtepi32_ps(x); }
inline Floats widen(const half *p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
inline Ints widen(const int8_t *p) { return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)p)); }
inline void narrow_to(half *p, Floats x) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(x, 0)); }
inline float sum(Floats x) { return _mm512_reduce_add_ps(x); }
inline int32_t sum(Ints x) { return _mm512_reduce_add_epi32(x); }
#else
const int lanes = 8, tile_rows = 6;
using Floats = __m256;
using Ints = __m256i;
inline Floats load(const float *p) { return _mm256_loadu_ps(p); }
inline Ints load(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
inline void store(float *p, Floats x) { _mm256_storeu_ps(p, x); }
inline Ints spread(int32_t x) { return _mm256_set1_epi32(x); }
inline Floats spread(float x) { return _mm256_set1_ps(x); }
inline Floats add_product(Floats sum, Floats x, Floats y) { return _mm256_fmadd_ps(x, y, sum); }
inline Ints add_product(Ints sum, Ints x, Ints y) { return _mm256_add_epi32(sum, _mm256_madd_epi16(x, y)); }
inline Floats floats(Ints x) { return _mm256_cvtepi32_ps(x); }
inline Floats widen(const half *p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)); }
inline Ints widen(const int8_t *p) { return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)p)); }
inline void narrow_to(half *p, Floats x) { _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(x, 0)); }
inline float sum(Floats x) {
  __m128 some = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  some = _mm_add_ps(some, _mm_movehl_ps(some, some));
  return _mm_cvtss_f32(_mm_add_ss(some, _mm_movehdup_ps(some)));
}
inline int32_t sum(Ints x) {
  __m128i some = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  some = _mm_add_epi32(some, _mm_shuffle_epi32(some, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(some, _mm_shuffle_epi32(some, 0xb1)));
}
#endif
const int tile_columns = 2 * lanes;

inline int round_up(int x, int to) { return (x + to - 1) / to * to; }

// Memory for vectors, without a value.
template <typename T>
class Buffer {
 public:
  explicit Buffer(size_t count) : data((T *)aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64)) {
    if (!data) throw std::bad_alloc();
  }
  Buffer(Buffer &&other) : data(other.data) { other.data = nullptr; }
  ~Buffer() { free(data); }
  operator T *() const { return data; }

 private:
  T *data;
};

inline Floats spread(const float *p) { return spread(*p); }
// Two integers, which are multiplied and added in one step.
inline Ints spread(const int16_t *p) {
  int32_t pair;
  memcpy(&pair, p, sizeof pair);
  return spread(pair);
}

// A tile's sum over a depth of floats or of pairs of integers: rows that lie `stride` numbers apart, by columns that lie as
// [depth][tile_columns].
template <int stride, typename Vector, typename Number>
__attribute__((noinline)) void tile(const Number *rows, const Number *columns, int depth, Vector (*result)[2]) {
  const int step = sizeof(float) / sizeof(Number);
  Vector sum[tile_rows][2] = {};
  for (int k = 0; k < depth; ++k, rows += step, columns += tile_columns * step) {
    const Vector left = load(columns), right = load(columns + lanes * step);
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) {
      const Vector x = spread(rows + i * stride);
      sum[i][0] = add_product(sum[i][0], x, left);
      sum[i][1] = add_product(sum[i][1], x, right);
    }
  }
#pragma GCC unroll 12
  for (int i = 0; i < tile_rows; ++i) {
    result[i][0] = sum[i][0];
    result[i][1] = sum[i][1];
  }
}

// A row as integers of -most to most; returns its scale, which is not a number if one of the row's is none or is infinite.
template <int most, typename Number>
inline float quantize(const float *from, int count, Number *to) {
  float top = 0, flaw = 0;
#pragma omp simd reduction(max : top) reduction(+ : flaw)
  for (int i = 0; i < count; ++i) {
    const float size = std::fabs(from[i]);
    top = size > top ? size : top;
    flaw += from[i] * 0;
  }
  const float up = top > 0 ? most / top : 0;
#pragma omp simd
  for (int i = 0; i < count; ++i) {
    // 1.5 * 2^23: the lowest bits of the sum are the rounded number.
    const float sum = from[i] * up + 12582912;
    int32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    to[i] = bits;
  }
  return top / most + flaw;
}

inline void normalize(const Norm &norm, const float *from, int count, float *to) {
  float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < count; ++i) sum += from[i];
  const float mean = sum / count;
#pragma omp simd reduction(+ : squares)
  for (int i = 0; i < count; ++i) squares += (from[i] - mean) * (from[i] - mean);
  const float scale = 1 / std::sqrt(squares / count + 1e-5f);
#pragma omp simd
  for (int i = 0; i < count; ++i) to[i] = (from[i] - mean) * scale * norm.scale[i] + norm.bias[i];
}

// Half of x times 1 + tanh, which is a sigmoid. Past 10 it is exact, as in ggml.
inline void gelu(float *values, int count) {
#pragma omp simd
  for (int i = 0; i < count; ++i) {
    const float x = values[i], twice = 1.59576912f * x * (1 + 0.044715f * x * x);
    const float e = exp_below(-std::fabs(twice));
    const float y = x * (twice > 0 ? 1 : e) / (1 + e);
    values[i] = x <= -10 ? 0 : x >= 10 ? x : y;
  }
}

// Scores of an attention to powers; returns the largest one, and the sum of the powers.
inline std::pair<float, float> powers(float *scores, int count) {
  float top = scores[0], sum = 0;
#pragma omp simd reduction(max : top)
  for (int i = 0; i < count; ++i) top = scores[i] > top ? scores[i] : top;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < count; ++i) {
    scores[i] = exp_below(scores[i] - top);
    sum += scores[i];
  }
  return {top, sum};
}

}  // namespace

// In decoder.cpp and spectrum.cpp; the functions of `Kernels`.
Decoder *decoder_new(const DecoderWeights &, int threads);
void decoder_free(Decoder *);
void decode(Decoder *, const DecoderStep &);
void dot_products(const half *weights, int columns, const float *input, size_t stride, int rows, int depth, float *output);
void packed_product(const Matrix &, const float *input, int rows, float *output);
void spectrum(const float *filters, int bands, const float *samples, int count, int frames, float *mel);

}  // namespace kernels

#endif
