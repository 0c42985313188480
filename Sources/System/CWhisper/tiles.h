// Products of matrices for the encoder, in tiles: some rows by `tile_columns` columns, over a depth.
#ifndef LONGHAND_TILES_H
#define LONGHAND_TILES_H

#include "vectors.h"

namespace kernels {
namespace {

// Products of integers of 12 bits: the sum over a block of the depth, 512 * 2047 * 2047, fits into 32 bits. All sets of
// instructions have the same sums.
const int block_depth = 512, most_int = 2047;

#if defined(__AMX_INT8__) && defined(__AMX_BF16__)

// Registers of 16 rows of 64 bytes (AMX). They are as another thread left them until one of these is made, and free after it.
//
// An integer is 64 times an upper byte, from -32 to 31, plus a lower one, from 0 to 63: its product is four products of bytes.
// A float is nearly the sum of an upper and a lower brain float (bf16), which have 17 of its 24 bits: its product is three products
// of them.
class Tiles {
 public:
  static const int rows = 16;

  Tiles() {
    struct {
      uint8_t palette = 1, start = 0, reserved[14] = {};
      uint16_t width[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t height[16] = {rows, rows, rows, rows, rows, rows, rows, rows};
    } layout;
    _tile_loadconfig(&layout);
  }
  ~Tiles() { _tile_release(); }

  // The upper bytes of a row of a block, and then the lower ones.
  static void pack_row(const int16_t *from, int depth, int16_t *to) {
    int8_t *upper = (int8_t *)to, *lower = upper + block_depth;
    for (int k = 0; k < depth; ++k) {
      upper[k] = from[k] >> int_bits;
      lower[k] = from[k] & ((1 << int_bits) - 1);
    }
    const int missing = round_up(depth, int_depth) - depth;
    std::fill_n(upper + depth, missing, 0);
    std::fill_n(lower + depth, missing, 0);
  }

  // [side][depth / 64][upper, lower][16][column][4].
  template <size_t stride>
  static void pack_panel(const int16_t (&columns)[tile_columns][stride], int depth, int16_t *panel) {
    for (int i = 0; i < tile_columns; ++i) {
      alignas(64) int16_t packed[block_depth];
      pack_row(columns[i], depth, packed);
      int8_t *to = (int8_t *)panel + (size_t)(i / lanes) * 2 * block_depth * lanes + i % lanes * 4;
      for (int k = 0; k < depth; k += int_depth)
        for (int plane = 0; plane < 2; ++plane)
          for (int part = 0; part < int_depth; part += 4, to += 4 * lanes)
            memcpy(to, (int8_t *)packed + plane * block_depth + k + part, 4);
    }
  }

  // A product has to wait for the one before it in the same register, but not for others.
  //
  // - row: the first of some packed rows of a block.
  void multiply(const int16_t *row, const int16_t *panel, int depth, Ints (*result)[2]) const {
    alignas(64) int32_t sums[4][rows][lanes];
    for (int side = 0; side < 2; ++side) {
      const int8_t *left = (const int8_t *)row, *right = (const int8_t *)panel + (size_t)side * 2 * block_depth * lanes;
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      for (int k = 0; k < depth; k += int_depth, left += int_depth, right += 2 * register_bytes) {
        _tile_loadd(4, left, 2 * block_depth);
        _tile_loadd(6, right, 64);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(7, right + register_bytes, 64);
        _tile_dpbssd(1, 4, 7);
        _tile_loadd(5, left + block_depth, 2 * block_depth);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
      }
      _tile_stored(0, sums[0], 64);
      _tile_stored(1, sums[1], 64);
      _tile_stored(2, sums[2], 64);
      _tile_stored(3, sums[3], 64);
      for (int i = 0; i < rows; ++i) {
        const Ints middle = _mm512_add_epi32(load(sums[1][i]), load(sums[2][i]));
        const Ints upper = _mm512_add_epi32(_mm512_slli_epi32(load(sums[0][i]), int_bits), middle);
        result[i][side] = _mm512_add_epi32(_mm512_slli_epi32(upper, int_bits), load(sums[3][i]));
      }
    }
  }

  // In place: for each 32 floats the upper brain floats and then the lower ones. The depth is a multiple of 32.
  static void pack_row(float *row, int depth) {
    for (int k = 0; k < depth; k += float_depth, row += float_depth) {
      const Floats left = load(row), right = load(row + lanes);
      store_halves((int16_t *)row, left, right);
      store_halves((int16_t *)row + float_depth, left - upper(left), right - upper(right));
    }
  }

  // In place: [depth / 32][side][upper, lower][16][column][2], from [depth][tile_columns].
  static void pack_panel(float *panel, int depth) {
    alignas(64) float packed[float_depth][tile_columns];
    for (int k = 0; k < depth; k += float_depth, panel += float_depth * tile_columns) {
      memcpy(packed, panel, sizeof packed);
      for (int side = 0; side < 2; ++side)
        for (int i = 0; i < float_depth; i += 2) {
          float *to = panel + side * 2 * (register_bytes / sizeof(float)) + i / 2 * lanes;
          const Floats first = load(packed[i] + side * lanes), second = load(packed[i + 1] + side * lanes);
          store(to, pairs(first, second));
          store(to + register_bytes / sizeof(float), pairs(first - upper(first), second - upper(second)));
        }
    }
  }

  // - row: the first of some packed rows, which lie `stride` floats apart.
  template <int stride>
  void multiply(const float *row, const float *panel, int depth, Floats (*result)[2]) const {
    alignas(64) float sums[4][rows][lanes];
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int k = 0; k < depth; k += float_depth, row += float_depth, panel += float_depth * tile_columns) {
      const char *right = (const char *)panel;
      _tile_loadd(4, row, stride * sizeof(float));
      _tile_loadd(6, right, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_loadd(5, row + lanes, stride * sizeof(float));
      _tile_dpbf16ps(1, 5, 6);
      _tile_loadd(7, right + 2 * register_bytes, 64);
      _tile_dpbf16ps(2, 4, 7);
      _tile_dpbf16ps(3, 5, 7);
      _tile_loadd(6, right + register_bytes, 64);
      _tile_dpbf16ps(1, 4, 6);
      _tile_loadd(7, right + 3 * register_bytes, 64);
      _tile_dpbf16ps(3, 4, 7);
    }
    _tile_stored(0, sums[0], 64);
    _tile_stored(1, sums[1], 64);
    _tile_stored(2, sums[2], 64);
    _tile_stored(3, sums[3], 64);
    for (int i = 0; i < rows; ++i)
      for (int side = 0; side < 2; ++side) result[i][side] = load(sums[2 * side][i]) + load(sums[2 * side + 1][i]);
  }

 private:
  static const int register_bytes = 1024, int_depth = 64, int_bits = 6, float_depth = 32;

  static Ints bits(Floats x) { return _mm512_castps_si512(x); }
  // Rounded to the 8 bits of a brain float, which are the upper half.
  static Floats upper(Floats x) {
    const Ints rounded = _mm512_add_epi32(bits(x), spread((int32_t)0x8000));
    return _mm512_castsi512_ps(_mm512_and_epi32(rounded, spread((int32_t)0xffff0000)));
  }
  static Ints half_of(Floats x) { return _mm512_srli_epi32(bits(upper(x)), 16); }
  // Two brain floats beside each other.
  static Floats pairs(Floats x, Floats y) { return _mm512_castsi512_ps(_mm512_or_epi32(bits(upper(y)), half_of(x))); }
  static void store_halves(int16_t *to, Floats x, Floats y) {
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(half_of(x)));
    _mm256_storeu_si256((__m256i *)to + 1, _mm512_cvtepi32_epi16(half_of(y)));
  }
};

#else

// Registers of vectors. Nothing is packed but the integers of columns, in pairs, which are multiplied and added in one step.
class Tiles {
 public:
  static const int rows = tile_rows;

  static void pack_row(const int16_t *from, int depth, int16_t *to) { std::copy_n(from, depth, to); }

  // [depth / 2][column][2].
  template <size_t stride>
  static void pack_panel(const int16_t (&columns)[tile_columns][stride], int depth, int16_t *panel) {
    for (int k = 0; k < depth; k += 2)
      for (int i = 0; i < tile_columns; ++i, panel += 2) memcpy(panel, &columns[i][k], 2 * sizeof *panel);
  }

  void multiply(const int16_t *row, const int16_t *panel, int depth, Ints (*result)[2]) const {
    tile<block_depth>(row, panel, depth / 2, result);
  }

  static void pack_row(float *, int) {}
  static void pack_panel(float *, int) {}

  template <int stride>
  void multiply(const float *row, const float *panel, int depth, Floats (*result)[2]) const {
    tile<stride>(row, panel, depth, result);
  }
};

#endif

}  // namespace
}  // namespace kernels

#endif
