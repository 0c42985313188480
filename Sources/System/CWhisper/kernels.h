// Whisper's encoder without ggml, compiled for several sets of instructions. Nothing of whisper.cpp is needed here.
#ifndef LONGHAND_KERNELS_H
#define LONGHAND_KERNELS_H

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

struct Encoder;

// The functions of a set of instructions.
struct Kernels {
  // Weights must stay where they are. Throws std::bad_alloc.
  Encoder *(*encoder_new)(const EncoderWeights &, int threads);
  void (*encoder_free)(Encoder *);
  // - mel: [band][2 * frames]
  // - keys: for each cross layer [frame][state]; values: for each cross layer [state][frame]
  void (*encode)(Encoder *, const float *mel, int frames, half *keys, half *values);

  // For tests. Product: output[row][w.outputs] = input[row][w.inputs] times the weights, plus the bias.
  void (*product)(const Matrix &, const float *input, int rows, float *output);
  // One head: [frame][64] each.
  void (*attend)(const float *query, const float *key, const float *value, int frames, float *output);
  void (*normalize)(const Norm &, const float *input, int count, float *output);
  void (*gelu)(float *values, int count);
};

}  // namespace kernels

#endif
