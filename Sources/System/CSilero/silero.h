#pragma once
// Silero's network for voices, version 6 at 16 kHz: https://github.com/snakers4/silero-vad (MIT).
// In C, because it runs for all audio, and a debug program in Swift would take thousands of times as long for it.
#include <stdint.h>

enum {
  /// Samples of a step: 32 ms.
  SILERO_STEP = 512,
  /// Samples before a step that belong to it.
  SILERO_CONTEXT = 64,
  /// The numbers that were learned, and those that make up the transform of the audio.
  SILERO_PARAMETERS = 128 * 129 * 3 + 128 + 64 * 128 * 3 + 64 + 64 * 64 * 3 + 64 + 128 * 64 * 3 + 128 +
                      2 * (512 * 128 + 512) + 128 + 1 + 258 * 256,
};

/// What the network keeps from step to step; zero at first.
struct silero_state {
  float hidden[128];
  float cell[128];
  float context[SILERO_CONTEXT];
};

/// The probability of a voice in the next `SILERO_STEP` samples, 0 to 1.
/// parameters: `SILERO_PARAMETERS` numbers, in the order of the file: four convolutions, each [output][input][3] and its
/// biases; the recurrent layer's weights for its input and for its state, [512][128] each, and both biases; the output's
/// weights and bias; the transform, [258][256].
float silero_step(const float *parameters, struct silero_state *state, const int16_t *samples);
