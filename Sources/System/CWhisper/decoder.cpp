// Compiled for each set of instructions of which `kernels.h` has functions; see CMakeLists.txt.
#include <omp.h>

#include "vectors.h"

namespace kernels {
namespace {

// A step of the decoder reads all weights for a few rows. Each is read once, and those of two blocks later are asked for: the
// processor by itself asks too late, which costs half of a step's time again.
const int dot_rows = 5, ahead = 2;
// Rows whose attention to the audio is computed together.
const int score_rows = 4 * dot_rows;
// The sums of products of integers of 8 and 15 bits fit into 32 bits up to a depth of 8,192.
const int most_weight = 127, most_input = 16383;
// How much less likely than the likeliest token one may be that counts, as a logarithm.
const float likely = 10;

// What is multiplied with a row of some weights, and how many of it at once.
inline float input_of(const half *);
inline int16_t input_of(const int8_t *);
template <typename Weight>
using Input = decltype(input_of((const Weight *)nullptr));
template <typename Weight>
const int at_once = sizeof(Floats) / sizeof(Input<Weight>);

// The products of some rows with some columns of weights, which lie one after the other.
template <int rows, int columns, typename Weight>
__attribute__((noinline)) void dots(
    const Weight *weights, size_t weight_stride, const Input<Weight> *input, size_t stride, int depth, float *output,
    size_t output_stride) {
  decltype(widen(weights)) sums[rows][columns] = {};
  int k = 0;
  const auto add = [&](const Weight *at, size_t apart) __attribute__((always_inline)) {
    decltype(widen(weights)) column[columns];
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) {
      column[j] = widen(at + j * apart);
      __builtin_prefetch(at + (columns * ahead + j) * apart);
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      const auto x = load(input + i * stride + k);
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) sums[i][j] = add_product(sums[i][j], x, column[j]);
    }
  };
  for (; k + at_once<Weight> <= depth; k += at_once<Weight>) add(weights + k, weight_stride);
  if (k < depth) {
    // The input ends with zeros; behind the weights there is something else.
    Weight last[columns][at_once<Weight>] = {};
    for (int j = 0; j < columns; ++j) memcpy(last[j], weights + j * weight_stride + k, (depth - k) * sizeof(Weight));
    add(last[0], at_once<Weight>);
  }
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) output[i * output_stride + j] = sum(sums[i][j]);
}

template <int rows, int wide, typename Weight>
void multiply_rows(
    const Weight *weights, size_t weight_stride, int columns, const Input<Weight> *input, size_t stride, int depth, float *output,
    size_t output_stride) {
  int c = 0;
  for (; c + wide <= columns; c += wide)
    dots<rows, wide>(weights + c * weight_stride, weight_stride, input, stride, depth, output + c, output_stride);
  for (; c < columns; ++c)
    dots<rows, 1>(weights + c * weight_stride, weight_stride, input, stride, depth, output + c, output_stride);
}

// output[row][column] = the sum over the depth of input[row] * weights[column]. The input of a row goes on with zeros to whole
// vectors.
template <typename Weight>
void multiply(
    const Weight *weights, size_t weight_stride, int columns, const Input<Weight> *input, size_t stride, int rows, int depth,
    float *output, size_t output_stride) {
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
        case 1: go(multiply_rows<1, 8, Weight>); break;
        case 2: go(multiply_rows<2, 4, Weight>); break;
        case 3: go(multiply_rows<3, lanes / 4, Weight>); break;
        case 4: go(multiply_rows<4, lanes / 4, Weight>); break;
        default: go(multiply_rows<dot_rows, lanes / 4, Weight>); break;
      }
    }
  }
}

// Rows as integers, each with its scale.
struct Inputs {
  std::vector<int16_t> numbers;
  std::vector<float> scales;

  void set(const float *from, int rows, int depth) {
    numbers.resize((size_t)rows * depth);
    scales.resize(rows);
    for (int i = 0; i < rows; ++i)
      scales[i] = quantize<most_input>(from + (size_t)i * depth, depth, &numbers[(size_t)i * depth]);
  }
};

// A matrix in 8 bits, [outputs][inputs], each output with its scale. Inputs are a multiple of 64.
struct Packed {
  int outputs, inputs;
  Buffer<int8_t> numbers;
  Buffer<float> scales;

  Packed(const Matrix &m, int threads)
      : outputs(m.outputs), inputs(m.inputs), numbers((size_t)outputs * inputs), scales(outputs) {
#pragma omp parallel num_threads(threads)
    {
      std::vector<float> row(inputs);
#pragma omp for
      for (int i = 0; i < outputs; ++i) {
        const half *from = m.weights + (size_t)i * inputs;
        for (int k = 0; k < inputs; k += lanes) store(&row[k], widen(from + k));
        scales[i] = quantize<most_weight>(row.data(), inputs, numbers + (size_t)i * inputs);
      }
    }
  }

  // The product of rows, from one on, with some of the columns.
  void multiply(const Inputs &input, int row, int rows, int column, int columns, float *output, size_t stride) const {
    kernels::multiply(
        numbers + (size_t)column * inputs, inputs, columns, &input.numbers[(size_t)row * inputs], inputs, rows, inputs, output,
        stride);
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < columns; ++c) output[i * stride + c] *= input.scales[row + i] * scales[column + c];
  }
};

}  // namespace

struct Decoder {
  const DecoderWeights weights;
  const int state, threads;
  // Half of what a step reads are the weights of the vocabulary, nearly all for tokens that are not likely: for these, 8 bits are
  // enough.
  const Packed vocabulary;
  Inputs last;
  std::vector<float> x, y, query, key, value, wide;
  // For each thread.
  std::vector<std::vector<float>> scores;

  Decoder(const DecoderWeights &w, int threads)
      : weights(w), state(w.embedding.inputs), threads(threads), vocabulary(w.embedding, threads), scores(threads) {}

  // Shares of some columns, by several threads: what to do from a column, for a number of columns.
  template <typename Body>
  void each_share(int columns, Body body) {
    const int share = round_up((columns + threads - 1) / threads, 8);
#pragma omp parallel for num_threads(threads)
    for (int c = 0; c < columns; c += share) body(c, std::min(share, columns - c));
  }

  // Plus the bias.
  void product(const Matrix &m, const std::vector<float> &input, int rows, std::vector<float> &output) {
    each_share(m.outputs, [&](int c, int count) {
      kernels::multiply(
          m.weights + (size_t)c * m.inputs, m.inputs, count, input.data(), m.inputs, rows, m.inputs, &output[c], m.outputs);
    });
    if (!m.bias) return;
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < m.outputs; ++c) output[i * m.outputs + c] += m.bias[c];
  }

  // How likely tokens are, for rows from one on. That of likely ones is computed by all bits of the weights: what the others are
  // off by hardly changes the sum of all.
  void likelihoods(int row, int rows, int length, float *output) {
    const int stride = vocabulary.outputs;
    each_share(length, [&](int c, int count) { vocabulary.multiply(last, row, rows, c, count, output + c, stride); });
    for (int i = 0; i < rows; ++i, output += stride) {
      float top = output[0];
#pragma omp simd reduction(max : top)
      for (int c = 0; c < length; ++c) top = output[c] > top ? output[c] : top;
      for (int c = 0; c < length; ++c) {
        if (output[c] > top - likely)
          dots<1, 1>(weights.embedding.weights + (size_t)c * state, state, &y[(size_t)(row + i) * state], state, state, output + c, 1);
      }
    }
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

  // - attention: of those of the heads that are wanted.
  void attend_to_audio(
      const DecoderLayer &layer, const DecoderStep &step, const half *keys, const half *values, const std::vector<int> &heads,
      float *attention) {
    const float scale = std::pow((float)head_width, -0.25f);
    const int frames = step.frames, stride = round_up(frames, lanes);
    product(layer.cross_query, y, step.count, query);
    for (auto &q : query) q *= scale;
#pragma omp parallel for num_threads(threads)
    for (int h = 0; h < state; h += head_width) {
      auto &s = scores[omp_get_thread_num()];
      const size_t head = std::find(heads.begin(), heads.end(), h / head_width) - heads.begin();
      for (int i = 0; i < step.count; i += score_rows) {
        const int rows = std::min(score_rows, step.count - i);
        kernels::multiply(keys + h, state, frames, &query[(size_t)i * state + h], state, rows, head_width, s.data(), stride);
        for (int j = 0; j < rows; ++j) {
          float *row = &s[(size_t)j * stride];
          soften(row, frames);
          std::fill(row + frames, row + stride, 0);
          if (head == heads.size()) continue;
          for (int t = 0; t < frames; ++t) attention[(head * frames + t) * step.count + i + j] = row[t];
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
    float *attention = step.attention;
    for (size_t i = 0; i < weights.layers.size(); ++i) {
      const auto &layer = weights.layers[i];
      const auto heads = i < step.heads.size() ? step.heads[i] : std::vector<int>();
      normalize_rows(layer.before_text, rows);
      attend_to_text(layer, step, keys, values);
      add_product(layer.text, y, rows);
      normalize_rows(layer.before_audio, rows);
      attend_to_audio(layer, step, cross_keys, cross_values, heads, attention);
      add_product(layer.audio, y, rows);
      normalize_rows(layer.before_wide, rows);
      product(layer.wide, y, rows, wide);
      gelu(wide.data(), wide.size());
      add_product(layer.narrow, wide, rows);
      attention += heads.size() * step.frames * rows;
      keys += (size_t)step.all_cells * state;
      values += (size_t)step.all_cells * state;
      cross_keys += (size_t)step.frames * state;
      cross_values += (size_t)step.frames * state;
    }
    normalize_rows(weights.last, rows);
    last.set(y.data(), rows, state);
    // Rows next to each other of which as many numbers are wanted are multiplied together.
    float *output = step.logits;
    for (int i = 0, next; i < rows; i = next) {
      const int length = step.lengths[i];
      for (next = i + 1; next < rows && step.lengths[next] == length;) ++next;
      if (length == 0) continue;
      likelihoods(i, next - i, length, output);
      output += (size_t)(next - i) * vocabulary.outputs;
    }
  }
};

Decoder *decoder_new(const DecoderWeights &weights, int threads) { return new Decoder(weights, threads); }
void decoder_free(Decoder *decoder) { delete decoder; }
void decode(Decoder *decoder, const DecoderStep &step) { decoder->run(step); }

void packed_product(const Matrix &m, const float *input, int rows, float *output) {
  Inputs inputs;
  inputs.set(input, rows, m.inputs);
  Packed(m, 1).multiply(inputs, 0, rows, 0, m.outputs, output, m.outputs);
}

void dot_products(const half *weights, int columns, const float *input, size_t stride, int rows, int depth, float *output) {
  multiply(weights, depth, columns, input, stride, rows, depth, output, columns);
}

}  // namespace kernels
