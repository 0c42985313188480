// Compiled for each set of instructions of which `kernels.h` has functions; see CMakeLists.txt.
#include <omp.h>

#include "vectors.h"

namespace kernels {
namespace {

// A step of the decoder reads all weights for a few rows. They are multiplied where they lie, each is read once, and those of
// two blocks later are asked for: the processor by itself asks too late, which costs half of a step's time again.
const int dot_rows = 5, ahead = 2;
// Rows whose attention to the audio is computed together.
const int score_rows = 4 * dot_rows;

// The products of some rows with some columns of weights, which lie one after the other.
template <int rows, int columns>
__attribute__((noinline)) void dots(
    const half *weights, size_t weight_stride, const float *input, size_t stride, int depth, float *output, size_t output_stride) {
  Floats sums[rows][columns] = {};
  int k = 0;
  const auto add = [&](const half *at, size_t apart) __attribute__((always_inline)) {
    Floats column[columns];
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) {
      column[j] = widen(at + j * apart);
      __builtin_prefetch(at + (columns * ahead + j) * apart);
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      const Floats x = load(input + i * stride + k);
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) sums[i][j] = add_product(sums[i][j], x, column[j]);
    }
  };
  for (; k + lanes <= depth; k += lanes) add(weights + k, weight_stride);
  if (k < depth) {
    // The input ends with zeros; behind the weights there is something else.
    half last[columns][lanes] = {};
    for (int j = 0; j < columns; ++j) memcpy(last[j], weights + j * weight_stride + k, (depth - k) * sizeof(half));
    add(last[0], lanes);
  }
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) output[i * output_stride + j] = sum(sums[i][j]);
}

template <int rows, int wide>
void multiply_rows(
    const half *weights, size_t weight_stride, int columns, const float *input, size_t stride, int depth, float *output,
    size_t output_stride) {
  int c = 0;
  for (; c + wide <= columns; c += wide)
    dots<rows, wide>(weights + c * weight_stride, weight_stride, input, stride, depth, output + c, output_stride);
  for (; c < columns; ++c)
    dots<rows, 1>(weights + c * weight_stride, weight_stride, input, stride, depth, output + c, output_stride);
}

// output[row][column] = the sum over the depth of input[row] * weights[column]. The input of a row goes on with zeros to whole
// vectors.
void multiply(
    const half *weights, size_t weight_stride, int columns, const float *input, size_t stride, int rows, int depth, float *output,
    size_t output_stride) {
  // Weights that were read are used again from the first cache.
  const int share = 16;
  for (int c = 0; c < columns; c += share) {
    for (int i = 0; i < rows; i += dot_rows) {
      const auto go = [&](auto multiply_rows) {
        multiply_rows(
            weights + c * weight_stride, weight_stride, std::min(share, columns - c), input + i * stride, stride, depth,
            output + i * output_stride + c, output_stride);
      };
      // As many columns as there are registers for.
      switch (rows - i) {
        case 1: go(multiply_rows<1, 8>); break;
        case 2: go(multiply_rows<2, 4>); break;
        case 3: go(multiply_rows<3, lanes / 4>); break;
        case 4: go(multiply_rows<4, lanes / 4>); break;
        default: go(multiply_rows<dot_rows, lanes / 4>); break;
      }
    }
  }
}

}  // namespace

struct Decoder {
  const DecoderWeights weights;
  const int state, threads;
  std::vector<float> x, y, query, key, value, wide;
  // For each thread.
  std::vector<std::vector<float>> scores;

  Decoder(const DecoderWeights &w, int threads)
      : weights(w), state(w.embedding.inputs), threads(threads), scores(threads) {}

  // The columns by several threads; plus the bias.
  void product(const Matrix &m, const float *input, size_t stride, int rows, float *output, size_t output_stride, int columns) {
    const int share = round_up((columns + threads - 1) / threads, 8);
#pragma omp parallel for num_threads(threads)
    for (int c = 0; c < columns; c += share)
      kernels::multiply(
          m.weights + (size_t)c * m.inputs, m.inputs, std::min(share, columns - c), input, stride, rows, m.inputs, output + c,
          output_stride);
    if (!m.bias) return;
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < columns; ++c) output[i * output_stride + c] += m.bias[c];
  }

  void product(const Matrix &m, const std::vector<float> &input, int rows, std::vector<float> &output) {
    product(m, input.data(), m.inputs, rows, output.data(), m.outputs, m.outputs);
  }

  void add_product(const Matrix &m, const std::vector<float> &input, int rows) {
    product(m, input, rows, key);
    for (int i = 0; i < rows * state; ++i) x[i] += key[i];
  }

  void normalize_rows(const Norm &norm, int rows) {
    for (int i = 0; i < rows; ++i) normalize(norm, &x[(size_t)i * state], state, &y[(size_t)i * state]);
  }

  static void soften(float *scores, int count) {
    const float inverse = 1 / powers(scores, count).second;
    for (int i = 0; i < count; ++i) scores[i] *= inverse;
  }

  // Keys and values of the step's tokens go to their cells; each token attends to the cells that it sees.
  void attend_to_text(const DecoderLayer &layer, const DecoderStep &step, half *keys, half *values) {
    const float scale = std::pow((float)head_width, -0.25f);
    product(layer.query, y, step.count, query);
    product(layer.key, y, step.count, key);
    product(layer.value, y, step.count, value);
    for (int i = 0; i < step.count; ++i) {
      half *k = keys + (size_t)step.cells[i] * state, *v = values + (size_t)step.cells[i] * state;
      for (int c = 0; c < state; c += lanes) {
        narrow_to(k + c, load(&key[(size_t)i * state + c]) * spread(scale));
        narrow_to(v + c, load(&value[(size_t)i * state + c]));
      }
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < step.count; ++i) {
      const auto &seen = step.seen[i];
      auto &s = scores[omp_get_thread_num()];
      for (int h = 0; h < state; h += head_width) {
        const float *q = &query[(size_t)i * state + h];
        for (size_t j = 0; j < seen.size(); ++j) {
          const half *k = keys + (size_t)seen[j] * state + h;
          Floats product = {};
          for (int c = 0; c < head_width; c += lanes) product = kernels::add_product(product, load(q + c), widen(k + c));
          s[j] = sum(product) * scale;
        }
        soften(s.data(), seen.size());
        Floats result[head_width / lanes] = {};
        for (size_t j = 0; j < seen.size(); ++j) {
          const half *v = values + (size_t)seen[j] * state + h;
          for (int c = 0; c < head_width / lanes; ++c)
            result[c] = kernels::add_product(result[c], spread(s[j]), widen(v + c * lanes));
        }
        for (int c = 0; c < head_width / lanes; ++c) store(&y[(size_t)i * state + h + c * lanes], result[c]);
      }
    }
  }

  void attend_to_audio(const DecoderLayer &layer, const DecoderStep &step, const half *keys, const half *values) {
    const float scale = std::pow((float)head_width, -0.25f);
    const int frames = step.frames, stride = round_up(frames, lanes);
    product(layer.cross_query, y, step.count, query);
    for (auto &q : query) q *= scale;
#pragma omp parallel for num_threads(threads)
    for (int h = 0; h < state; h += head_width) {
      auto &s = scores[omp_get_thread_num()];
      for (int i = 0; i < step.count; i += score_rows) {
        const int rows = std::min(score_rows, step.count - i);
        kernels::multiply(keys + h, state, frames, &query[(size_t)i * state + h], state, rows, head_width, s.data(), stride);
        for (int j = 0; j < rows; ++j) {
          float *row = &s[(size_t)j * stride];
          soften(row, frames);
          std::fill(row + frames, row + stride, 0);
        }
        kernels::multiply(
            values + (size_t)h * frames, frames, head_width, s.data(), stride, rows, frames, &y[(size_t)i * state + h], state);
      }
    }
  }

  void run(const DecoderStep &step) {
    const int rows = step.count;
    for (auto *some : {&x, &y, &query, &key, &value}) some->resize((size_t)rows * state);
    wide.resize((size_t)rows * 4 * state);
    for (auto &s : scores) s.resize(std::max(score_rows * round_up(step.frames, lanes), step.all_cells));
    for (int i = 0; i < rows; ++i) {
      const half *token = weights.embedding.weights + (size_t)step.tokens[i] * state;
      const float *position = weights.positions + (size_t)step.positions[i] * state;
      for (int c = 0; c < state; c += lanes) store(&x[(size_t)i * state + c], widen(token + c) + load(position + c));
    }
    half *keys = step.keys, *values = step.values;
    const half *cross_keys = step.cross_keys, *cross_values = step.cross_values;
    for (const auto &layer : weights.layers) {
      normalize_rows(layer.before_text, rows);
      attend_to_text(layer, step, keys, values);
      add_product(layer.text, y, rows);
      normalize_rows(layer.before_audio, rows);
      attend_to_audio(layer, step, cross_keys, cross_values);
      add_product(layer.audio, y, rows);
      normalize_rows(layer.before_wide, rows);
      product(layer.wide, y, rows, wide);
      gelu(wide.data(), wide.size());
      add_product(layer.narrow, wide, rows);
      keys += (size_t)step.all_cells * state;
      values += (size_t)step.all_cells * state;
      cross_keys += (size_t)step.frames * state;
      cross_values += (size_t)step.frames * state;
    }
    normalize_rows(weights.last, rows);
    // Rows next to each other of which as many numbers are wanted are multiplied together.
    float *output = step.logits;
    for (int i = 0, next; i < rows; i = next) {
      const int length = step.lengths[i];
      for (next = i + 1; next < rows && step.lengths[next] == length;) ++next;
      if (length == 0) continue;
      product(weights.embedding, &y[(size_t)i * state], state, next - i, output, weights.embedding.outputs, length);
      output += (size_t)(next - i) * weights.embedding.outputs;
    }
  }
};

Decoder *decoder_new(const DecoderWeights &weights, int threads) { return new Decoder(weights, threads); }
void decoder_free(Decoder *decoder) { delete decoder; }
void decode(Decoder *decoder, const DecoderStep &step) { decoder->run(step); }

void dot_products(const half *weights, int columns, const float *input, size_t stride, int rows, int depth, float *output) {
  multiply(weights, depth, columns, input, stride, rows, depth, output, columns);
}

}  // namespace kernels
