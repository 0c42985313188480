#include "silero.h"

#include <math.h>
#include <string.h>

enum { HIDDEN = 128, BINS = 129, WINDOW = 256, HOP = 128, FRAMES = 4, KERNEL = 3 };

#if defined(__x86_64__) && defined(__linux__)
/// Compiled twice: eight numbers are one register with AVX2, and two without. Both have the same sums.
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/// Eight numbers at once, also in a debug build.
typedef float vector __attribute__((vector_size(32), aligned(4), may_alias));

/// The products of `a` with some rows that lie `stride` apart, side by side: a sum waits for the one before it.
static inline __attribute__((always_inline)) void dots(const float *a, const float *b, int stride, int rows, int count,
                                                       float *output) {
  vector sums[FRAMES] = {{0}};
  int index = 0;
  for (; index + 8 <= count; index += 8)
    for (int row = 0; row < rows; row++) sums[row] += *(const vector *)(a + index) * *(const vector *)(b + row * stride + index);
  for (int row = 0; row < rows; row++) {
    output[row] = 0;
    for (int lane = 0; lane < 8; lane++) output[row] += sums[row][lane];
    for (int rest = index; rest < count; rest++) output[row] += a[rest] * b[row * stride + rest];
  }
}

static inline __attribute__((always_inline)) float dot(const float *a, const float *b, int count) {
  float sum;
  dots(a, b, 0, 1, count, &sum);
  return sum;
}

/// A layer of the encoder: what lies in `input`, [inputs][frames], in `output`, [outputs][returned frames]. Advances `parameters`.
WIDE static int convolve(const float **parameters, const float *input, int inputs, int frames, float *output, int outputs,
                    int stride) {
  const float *weights = *parameters, *biases = weights + outputs * inputs * KERNEL;
  *parameters = biases + outputs;
  const int count = (frames - 1) / stride + 1;
  float columns[FRAMES][BINS * KERNEL], sums[FRAMES];
  for (int frame = 0; frame < count; frame++) {
    for (int channel = 0; channel < inputs; channel++) {
      for (int tap = 0; tap < KERNEL; tap++) {
        const int place = frame * stride + tap - 1;
        columns[frame][channel * KERNEL + tap] = place < 0 || place >= frames ? 0 : input[channel * frames + place];
      }
    }
  }
  for (int channel = 0; channel < outputs; channel++) {
    const float *const weight = weights + channel * inputs * KERNEL;
    if (count == FRAMES) {
      dots(weight, columns[0], BINS * KERNEL, FRAMES, inputs * KERNEL, sums);
    } else {
      for (int frame = 0; frame < count; frame++) sums[frame] = dot(weight, columns[frame], inputs * KERNEL);
    }
    for (int frame = 0; frame < count; frame++) {
      const float sum = sums[frame] + biases[channel];
      output[channel * count + frame] = sum > 0 ? sum : 0;
    }
  }
  return count;
}

static float sigmoid(float x) { return 1 / (1 + expf(-x)); }

WIDE float silero_step(const float *parameters, struct silero_state *state, const int16_t *samples) {
  // The audio is mirrored at its end.
  float audio[SILERO_CONTEXT + SILERO_STEP + SILERO_CONTEXT];
  float *const step = audio + SILERO_CONTEXT, *const end = step + SILERO_STEP;
  memcpy(audio, state->context, sizeof state->context);
  for (int index = 0; index < SILERO_STEP; index++) step[index] = samples[index] / 32768.0f;
  for (int index = 0; index < SILERO_CONTEXT; index++) end[index] = end[-2 - index];
  memcpy(state->context, end - SILERO_CONTEXT, sizeof state->context);

  const float *const transform = parameters + SILERO_PARAMETERS - 2 * BINS * WINDOW;
  float first[BINS * FRAMES], second[BINS * FRAMES];
  for (int bin = 0; bin < BINS; bin++) {
    float real[FRAMES], imaginary[FRAMES];
    dots(transform + bin * WINDOW, audio, HOP, FRAMES, WINDOW, real);
    dots(transform + (BINS + bin) * WINDOW, audio, HOP, FRAMES, WINDOW, imaginary);
    for (int frame = 0; frame < FRAMES; frame++)
      first[bin * FRAMES + frame] = sqrtf(real[frame] * real[frame] + imaginary[frame] * imaginary[frame]);
  }

  int frames = convolve(&parameters, first, BINS, FRAMES, second, 128, 1);
  frames = convolve(&parameters, second, 128, frames, first, 64, 2);
  frames = convolve(&parameters, first, 64, frames, second, 64, 2);
  // One frame is left.
  convolve(&parameters, second, 64, frames, first, HIDDEN, 1);

  const float *const of_input = parameters, *const of_state = of_input + 4 * HIDDEN * HIDDEN;
  const float *const biases = of_state + 4 * HIDDEN * HIDDEN, *const output = biases + 8 * HIDDEN;
  float gates[4 * HIDDEN];
  for (int gate = 0; gate < 4 * HIDDEN; gate++) {
    gates[gate] = dot(of_input + gate * HIDDEN, first, HIDDEN) + dot(of_state + gate * HIDDEN, state->hidden, HIDDEN) +
                  biases[gate] + biases[4 * HIDDEN + gate];
  }
  float voice = output[HIDDEN];
  for (int cell = 0; cell < HIDDEN; cell++) {
    const float input = sigmoid(gates[cell]) * tanhf(gates[2 * HIDDEN + cell]);
    state->cell[cell] = sigmoid(gates[HIDDEN + cell]) * state->cell[cell] + input;
    state->hidden[cell] = sigmoid(gates[3 * HIDDEN + cell]) * tanhf(state->cell[cell]);
    voice += output[cell] * (state->hidden[cell] > 0 ? state->hidden[cell] : 0);
  }
  return sigmoid(voice);
}
