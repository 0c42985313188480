// Whisper without ggml, compiled for several sets of instructions. Nothing of whisper.cpp is needed here.
#ifndef LONGHAND_KERNELS_H
#define LONGHAND_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernels {

using half = uint16_t;

// Where the weights lie. Matrices are 16-bit floats [outputs][inputs], at any address; the rest are floats.
struct Matrix {
  const half *weights;
  int outputs, inputs;
  // One number for each output; NULL if there is none.
  const float *bias;
};

struct Norm {
  const float *scale, *bias;
};

struct EncoderLayer {
  Norm before_attention;
  Matrix query, key, value, attended;
  Norm before_wide;
  Matrix wide, narrow;
};

// The matrices of the decoder that take the encoder's output.
struct CrossLayer {
  Matrix key, value;
};

struct EncoderWeights {
  int bands, most_frames;
  // The inputs of a convolution are [channel][3].
  Matrix first, second;
  const float *positions;
  std::vector<EncoderLayer> layers;
  Norm last;
  std::vector<CrossLayer> cross;
};

const int head_width = 64;
const int most_frames = 1536;

struct DecoderLayer {
  Norm before_text;
  Matrix query, key, value, text;
  Norm before_audio;
  Matrix cross_query, audio;
  Norm before_wide;
  Matrix wide, narrow;
};

struct DecoderWeights {
  Matrix embedding;
  const float *positions;
  std::vector<DecoderLayer> layers;
  Norm last;
};

// Tokens that continue sequences.
struct DecoderStep {
  int count;
  const int32_t *tokens, *positions;
  // Over how many tokens of the vocabulary, from the first, numbers are wanted; 0 if none are.
  const int32_t *lengths;
  // The cells where keys and values of the tokens go, and those that each attends to.
  std::vector<int> cells;
  std::vector<std::vector<int>> seen;
  // For each layer [cell][state].
  half *keys, *values;
  int all_cells;
  // For each layer [frame][state], [state][frame].
  const half *cross_keys, *cross_values;
  int frames;
  // As many numbers as the vocabulary has tokens, for each token whose length is not 0.
  float *logits;
  // The heads of each layer whose attention to the audio is wanted, or nothing; and that attention, [head][frame][token].
  std::vector<std::vector<int>> heads;
  float *attention;
};

struct Encoder;
struct Decoder;

// The functions of a set of instructions.
struct Kernels {
  // The logarithms of the loudness of bands of the audio, as the encoder takes them: [band][frame], 100 frames a second.
  // - filters: [band][201], what each band has of a spectrum.
  // - samples: 16 kHz. What is longer than the frames is cut off.
  void (*spectrum)(const float *filters, int bands, const float *samples, int count, int frames, float *mel);

  // Weights must stay where they are. Throws std::bad_alloc.
  Encoder *(*encoder_new)(const EncoderWeights &, int threads);
  void (*encoder_free)(Encoder *);
  // - mel: [band][2 * frames]
  // - keys: for each cross layer [frame][state]; values: for each cross layer [state][frame]
  void (*encode)(Encoder *, const float *mel, int frames, half *keys, half *values);

  Decoder *(*decoder_new)(const DecoderWeights &, int threads);
  void (*decoder_free)(Decoder *);
  // Throws std::bad_alloc.
  void (*decode)(Decoder *, const DecoderStep &);

  // For tests. Product: output[row][w.outputs] = input[row][w.inputs] times the weights, plus the bias.
  void (*product)(const Matrix &, const float *input, int rows, float *output);
  // The same without a bias, as the decoder computes it for its vocabulary, with weights of 8 bits.
  void (*packed_product)(const Matrix &, const float *input, int rows, float *output);
  // One head: [frame][64] each.
  void (*attend)(const float *query, const float *key, const float *value, int frames, float *output);
  void (*normalize)(const Norm &, const float *input, int count, float *output);
  void (*gelu)(float *values, int count);
  // output[row][column] = input[row] times weights[column]. Rows lie `stride` apart, and go on with zeros to whole vectors.
  void (*dot_products)(const half *weights, int columns, const float *input, size_t stride, int rows, int depth, float *output);
};

}  // namespace kernels

#endif
