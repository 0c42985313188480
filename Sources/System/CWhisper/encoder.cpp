// Compiled for each set of instructions of which `kernels.h` has functions; see CMakeLists.txt.
#include <omp.h>

#include "tiles.h"

namespace kernels {
namespace {

// Rows of activations that are computed together: what belongs to them stays in the second cache.
const int block_rows = 240;
// Rows whose scores are computed together, and how far apart the scores of two rows lie.
const int score_rows = 4 * tile_rows, score_stride = most_frames + 16;
static_assert(score_rows % Tiles::rows == 0, "the last tile is whole");

// Rows as integers: [block of depth][row][block_depth].
struct Rows {
  int limit, count = 0;
  Buffer<int16_t> numbers;
  Buffer<float> scales;

  Rows(int limit, int depth)
      : limit(round_up(limit, Tiles::rows)),
        numbers((size_t)this->limit * round_up(depth, block_depth)),
        scales((size_t)this->limit * (round_up(depth, block_depth) / block_depth)) {}

  int16_t *row(int block, int i) const { return numbers + ((size_t)block * limit + i) * block_depth; }

  void set(const float *from, int rows, int depth) {
    count = rows;
    for (int b = 0; b * block_depth < depth; ++b) {
      const int wide = std::min(block_depth, depth - b * block_depth);
      int16_t line[block_depth] = {};
      // The last tile is whole.
      for (int i = rows; i < round_up(rows, Tiles::rows); ++i) Tiles::pack_row(line, wide, row(b, i));
      for (int i = 0; i < rows; ++i) {
        scales[b * limit + i] = quantize<most_int>(from + (size_t)i * depth + b * block_depth, wide, line);
        Tiles::pack_row(line, wide, row(b, i));
      }
    }
  }
};

// Weights as integers: [block of depth][panel of tile_columns columns]. A column is an output.
struct Columns {
  Buffer<int16_t> numbers;
  Buffer<float> scales;

  Columns(int outputs, int depth)
      : numbers((size_t)outputs * round_up(depth, block_depth)),
        scales((size_t)outputs * (round_up(depth, block_depth) / block_depth)) {}

  int16_t *panel(const Matrix &m, int block, int p) const {
    return numbers + ((size_t)block * (m.outputs / tile_columns) + p) * block_depth * tile_columns;
  }

  void set(const Matrix &m, int threads) {
    const int blocks = (m.inputs + block_depth - 1) / block_depth, panels = m.outputs / tile_columns;
#pragma omp parallel for num_threads(threads) collapse(2)
    for (int b = 0; b < blocks; ++b)
      for (int p = 0; p < panels; ++p) {
        const int depth = std::min(block_depth, m.inputs - b * block_depth);
        // Rows that lie 1,024 bytes apart would meet in the first cache.
        alignas(64) int16_t lines[tile_columns][block_depth + 32];
        float values[block_depth];
        for (int i = 0; i < tile_columns; ++i) {
          const half *from = m.weights + (size_t)(p * tile_columns + i) * m.inputs + b * block_depth;
          for (int k = 0; k < depth; k += lanes) store(values + k, widen(from + k));
          scales[b * m.outputs + p * tile_columns + i] = quantize<most_int>(values, depth, lines[i]);
        }
        Tiles::pack_panel(lines, depth, panel(m, b, p));
      }
  }
};

// What is done with a product.
enum class To { replace, add };

// The product of rows with a matrix that was packed, plus the bias.
void multiply(const Rows &rows, const Columns &columns, const Matrix &m, To to, float *output) {
  const Tiles tiles;
  const int panels = m.outputs / tile_columns;
  for (int b = 0; b * block_depth < m.inputs; ++b) {
    const int depth = std::min(block_depth, m.inputs - b * block_depth);
    for (int p = 0; p < panels; ++p) {
      const float *scales = columns.scales + b * m.outputs + p * tile_columns;
      const Floats scale[2] = {load(scales), load(scales + lanes)};
      Floats bias[2] = {};
      if (b == 0 && m.bias) {
        bias[0] = load(m.bias + p * tile_columns);
        bias[1] = load(m.bias + p * tile_columns + lanes);
      }
      for (int i = 0; i < rows.count; i += Tiles::rows) {
        Ints sums[Tiles::rows][2];
        tiles.multiply(rows.row(b, i), columns.panel(m, b, p), depth, sums);
        for (int j = 0; j < std::min(Tiles::rows, rows.count - i); ++j) {
          float *at = output + (size_t)(i + j) * m.outputs + p * tile_columns;
          const Floats row = spread(rows.scales[b * rows.limit + i + j]);
          for (int side = 0; side < 2; ++side, at += lanes) {
            const Floats before = to == To::add || b > 0 ? load(at) + bias[side] : bias[side];
            store(at, add_product(before, floats(sums[j][side]), row * scale[side]));
          }
        }
      }
    }
  }
}

// One head of the attention of a window: queries, keys, values and results lie `stride` apart.
struct Attention {
  Buffer<float> keys, values, queries, scores;

  explicit Attention(int frames)
      : keys((size_t)round_up(frames, tile_columns) * head_width),
        values((size_t)round_up(frames, tile_columns) * head_width),
        queries(score_rows * head_width),
        scores(score_rows * score_stride) {}

  void run(const float *query, const float *key, const float *value, int frames, int stride, float *output) {
    const Tiles tiles;
    const int padded = round_up(frames, tile_columns);
    // Keys are the columns of the first product, and values those of the second.
    for (int p = 0; p < padded; p += tile_columns) {
      float *to = keys + (size_t)p * head_width;
      for (int c = 0; c < head_width; ++c)
        for (int i = 0; i < tile_columns; ++i)
          to[c * tile_columns + i] = p + i < frames ? key[(size_t)(p + i) * stride + c] : 0;
      Tiles::pack_panel(to, head_width);
    }
    for (int c = 0; c < head_width; c += tile_columns) {
      float *panel = values + (size_t)c * padded;
      for (int t = 0; t < padded; ++t) {
        float *to = panel + t * tile_columns;
        if (t < frames) std::copy_n(value + (size_t)t * stride + c, tile_columns, to);
        else std::fill_n(to, tile_columns, 0);
      }
      Tiles::pack_panel(panel, padded);
    }
    for (int t = 0; t < frames; t += score_rows) {
      const int rows = std::min(score_rows, frames - t);
      for (int i = 0; i < round_up(rows, Tiles::rows); ++i) {
        float *to = queries + i * head_width;
        for (int c = 0; c < head_width; ++c) to[c] = i < rows ? query[(size_t)(t + i) * stride + c] * 0.125f : 0;
        Tiles::pack_row(to, head_width);
      }
      for (int p = 0; p < padded; p += tile_columns)
        for (int i = 0; i < rows; i += Tiles::rows) {
          Floats sums[Tiles::rows][2];
          tiles.multiply<head_width>(queries + i * head_width, keys + (size_t)p * head_width, head_width, sums);
          for (int j = 0; j < Tiles::rows; ++j)
            for (int side = 0; side < 2; ++side) store(scores + (i + j) * score_stride + p + side * lanes, sums[j][side]);
        }
      float inverse[score_rows];
      for (int i = 0; i < rows; ++i) {
        // whisper.cpp pads the keys by zeros to a multiple of 256, and does not mask them.
        const auto [top, sum] = powers(scores + i * score_stride, padded);
        inverse[i] = 1 / (sum + (round_up(frames, 256) - padded) * exp_below(-top));
        Tiles::pack_row(scores + i * score_stride, padded);
      }
      for (int c = 0; c < head_width; c += tile_columns)
        for (int i = 0; i < rows; i += Tiles::rows) {
          Floats sums[Tiles::rows][2];
          tiles.multiply<score_stride>(scores + i * score_stride, values + (size_t)c * padded, padded, sums);
          for (int j = 0; j < std::min(Tiles::rows, rows - i); ++j)
            for (int side = 0; side < 2; ++side)
              store(output + (size_t)(t + i + j) * stride + c + side * lanes, sums[j][side] * spread(inverse[i + j]));
        }
    }
  }
};

}  // namespace

// The layers for one model: weights are packed when they are needed, for all rows of a window.
struct Encoder {
  // What a thread works with.
  struct Workspace {
    Rows rows;
    Buffer<float> input, wide;
    Attention attention;
  };

  const EncoderWeights weights;
  const int state, threads;
  Columns square[3], wide, narrow;
  Buffer<float> x, y, triple;
  std::vector<Workspace> spaces;

  Encoder(const EncoderWeights &w, int threads)
      : weights(w), state(w.first.outputs), threads(threads),
        square{{state, state}, {state, state}, {state, state}},
        wide(4 * state, std::max(state, 3 * w.bands)), narrow(state, 4 * state),
        x((size_t)w.most_frames * state), y((size_t)w.most_frames * state), triple((size_t)3 * w.most_frames * state) {
    const int widest = std::max(4 * state, 3 * w.bands);
    for (int i = 0; i < threads; ++i) {
      spaces.push_back(
          {Rows(block_rows, widest), Buffer<float>(block_rows * widest), Buffer<float>(block_rows * widest),
           Attention(w.most_frames)});
    }
  }

  // For blocks of rows, by several threads: what to do from a row, for a number of rows.
  template <typename Body>
  void each_block(int rows, Body body) {
    const int blocks = round_up((rows + block_rows - 1) / block_rows, threads);
    const int size = round_up((rows + blocks - 1) / blocks, Tiles::rows);
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < rows; i += size) body(spaces[omp_get_thread_num()], i, std::min(size, rows - i));
  }

  // A convolution of three frames as a product.
  template <typename Value>
  void convolve(const Matrix &m, Columns &columns, int rows, int stride, int length, float *output, Value value) {
    columns.set(m, threads);
    each_block(rows, [&](Workspace &space, int first, int count) {
      float *to = space.input;
      for (int t = first; t < first + count; ++t)
        for (int i = 0; i < m.inputs / 3; ++i)
          for (int k = -1; k <= 1; ++k) {
            const int at = t * stride + k;
            *to++ = at < 0 || at >= length ? 0 : value(at, i);
          }
      space.rows.set(space.input, count, m.inputs);
      multiply(space.rows, columns, m, To::replace, output + (size_t)first * state);
      gelu(output + (size_t)first * state, count * state);
    });
  }

  void normalize_rows(const Norm &norm, const float *from, int rows, float *to) const {
    for (int i = 0; i < rows; ++i) normalize(norm, from + (size_t)i * state, state, to + (size_t)i * state);
  }

  void attend(const EncoderLayer &layer, int frames) {
    const Matrix *matrices[] = {&layer.query, &layer.key, &layer.value};
    float *outputs[3];
    for (int i = 0; i < 3; ++i) {
      square[i].set(*matrices[i], threads);
      outputs[i] = triple + (size_t)i * frames * state;
    }
    each_block(frames, [&](Workspace &space, int first, int count) {
      normalize_rows(layer.before_attention, x + (size_t)first * state, count, space.input);
      space.rows.set(space.input, count, state);
      for (int i = 0; i < 3; ++i)
        multiply(space.rows, square[i], *matrices[i], To::replace, outputs[i] + (size_t)first * state);
    });
#pragma omp parallel for num_threads(threads)
    for (int c = 0; c < state; c += head_width)
      spaces[omp_get_thread_num()].attention.run(outputs[0] + c, outputs[1] + c, outputs[2] + c, frames, state, y + c);
  }

  void feed_forward(const EncoderLayer &layer, int frames) {
    square[0].set(layer.attended, threads);
    wide.set(layer.wide, threads);
    narrow.set(layer.narrow, threads);
    each_block(frames, [&](Workspace &space, int first, int count) {
      float *rows = x + (size_t)first * state;
      space.rows.set(y + (size_t)first * state, count, state);
      multiply(space.rows, square[0], layer.attended, To::add, rows);
      normalize_rows(layer.before_wide, rows, count, space.input);
      space.rows.set(space.input, count, state);
      multiply(space.rows, wide, layer.wide, To::replace, space.wide);
      gelu(space.wide, count * layer.wide.outputs);
      space.rows.set(space.wide, count, layer.wide.outputs);
      multiply(space.rows, narrow, layer.narrow, To::add, rows);
    });
  }

  void cross(const CrossLayer &layer, int frames, half *keys, half *values) {
    square[0].set(layer.key, threads);
    square[1].set(layer.value, threads);
    const Floats scale = spread(std::pow((float)head_width, -0.25f));
    each_block(frames, [&](Workspace &space, int first, int count) {
      space.rows.set(y + (size_t)first * state, count, state);
      multiply(space.rows, square[0], layer.key, To::replace, space.input);
      for (int i = 0; i < count * state; i += lanes)
        narrow_to(keys + (size_t)first * state + i, load(space.input + i) * scale);
      multiply(space.rows, square[1], layer.value, To::replace, space.input);
      for (int t = 0; t < count; t += lanes)
        for (int c = 0; c < state; ++c) {
          const int some = std::min(lanes, count - t);
          float column[lanes] = {};
          half narrowed[lanes];
          for (int i = 0; i < some; ++i) column[i] = space.input[(size_t)(t + i) * state + c];
          narrow_to(narrowed, load(column));
          memcpy(values + (size_t)c * frames + first + t, narrowed, some * sizeof(half));
        }
    });
  }

  void run(const float *mel, int frames, half *keys, half *values) {
    float *middle = triple;
    convolve(weights.first, wide, 2 * frames, 1, 2 * frames, middle,
             [&](int t, int band) { return mel[(size_t)band * 2 * frames + t]; });
    convolve(weights.second, narrow, frames, 2, 2 * frames, x, [&](int t, int i) { return middle[(size_t)t * state + i]; });
    for (int i = 0; i < frames * state; ++i) x[i] += weights.positions[i];
    for (const auto &layer : weights.layers) {
      attend(layer, frames);
      feed_forward(layer, frames);
    }
    normalize_rows(weights.last, x, frames, y);
    for (const auto &layer : weights.cross) {
      cross(layer, frames, keys, values);
      keys += (size_t)frames * state;
      values += (size_t)frames * state;
    }
  }
};

}  // namespace kernels

extern "C" const kernels::Kernels *lh_kernels() {
  using namespace kernels;
  static const Kernels kernels = {
    spectrum,
    [](const EncoderWeights &weights, int threads) { return new Encoder(weights, threads); },
    [](Encoder *encoder) { delete encoder; },
    [](Encoder *encoder, const float *mel, int frames, half *keys, half *values) { encoder->run(mel, frames, keys, values); },
    decoder_new,
    decoder_free,
    decode,
    [](const Matrix &m, const float *input, int count, float *output) {
      Rows rows(count, m.inputs);
      Columns columns(m.outputs, m.inputs);
      rows.set(input, count, m.inputs);
      columns.set(m, 1);
      multiply(rows, columns, m, To::replace, output);
    },
    packed_product,
    [](const float *query, const float *key, const float *value, int frames, float *output) {
      Attention(frames).run(query, key, value, frames, head_width, output);
    },
    normalize,
    gelu,
    dot_products,
  };
  return &kernels;
}
