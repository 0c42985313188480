#ifndef LONGHAND_WHISPER_H
#define LONGHAND_WHISPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What Longhand needs of whisper.cpp and its own interface does not have: several sequences in one decoding, the rows of all
// tokens, short windows, an encoder with flash attention beside a decoder without, and the times of tokens.
// A state is used from one thread at a time. Nothing is printed.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lh_whisper_model lh_whisper_model;
typedef struct lh_whisper_state lh_whisper_state;

/// What a model's decoder works with. Tokens below `end_of_text` are text.
typedef struct {
  int32_t vocabulary;
  /// Frames of the encoder for 30 seconds; a second has 50.
  int32_t audio_frames;
  /// Tokens that a sequence can have, with the prompt.
  int32_t text_tokens;
  /// 0 if the model knows English only. The token of language i is `first_language + i`.
  int32_t languages;
  int32_t first_language;
  int32_t end_of_text;
  int32_t start;
  int32_t transcribe;
  int32_t no_speech;
  int32_t no_timestamps;
} lh_whisper_facts;

/// The version of whisper.cpp.
const char *lh_whisper_version(void);

/// The logarithms of the probabilities that belong to some numbers, as a decoder's last layer has them. For its tests.
void lh_whisper_log_softmax(const float *logits, int32_t length, float *row);

/// Our own kernels, for their tests. The sets of instructions that this processor has kernels for are 1 up to
/// `lh_whisper_kernel_sets`; each function takes one of them.
int32_t lh_whisper_kernel_sets(void);
/// - weights: 16-bit floats [outputs][inputs]; outputs are a multiple of 64, inputs of 16.
/// - bias: a number for each output, or NULL.
void lh_whisper_product(
    int32_t set, const uint16_t *weights, int32_t outputs, int32_t inputs, const float *bias, const float *input, int32_t rows,
    float *output);
/// The same with weights of 8 bits and inputs of 15, as the decoder computes it for its vocabulary; inputs are a multiple of 64.
void lh_whisper_packed_product(
    int32_t set, const uint16_t *weights, int32_t outputs, int32_t inputs, const float *input, int32_t rows, float *output);
/// The encoder's input: [band][frame], 100 frames a second.
/// - filters: [band][201].
/// - samples: 16 kHz; what is longer than the frames is cut off.
void lh_whisper_spectrum(
    int32_t set, const float *filters, int32_t bands, const float *samples, int32_t count, int32_t frames, float *mel);
/// One head of the attention: [frame][64] each. Keys of zeros follow up to a multiple of 256 frames.
void lh_whisper_attend(
    int32_t set, const float *query, const float *key, const float *value, int32_t frames, float *output);
void lh_whisper_normalize(
    int32_t set, const float *scale, const float *bias, const float *input, int32_t count, float *output);
void lh_whisper_gelu(int32_t set, float *values, int32_t count);
/// - weights: 16-bit floats [columns][depth].
/// - input: rows that lie `stride` apart, with zeros after the depth up to a multiple of 16.
/// - output: [rows][columns].
void lh_whisper_dot_products(
    int32_t set, const uint16_t *weights, int32_t columns, const float *input, int32_t stride, int32_t rows, int32_t depth,
    float *output);

/// Loads a model of `size` bytes from an open file, which may be closed afterwards; NULL if it is none. A file that was not
/// checked before can end the process.
lh_whisper_model *lh_whisper_load_file(int handle, size_t size);
void lh_whisper_free(lh_whisper_model *model);
lh_whisper_facts lh_whisper_get_facts(const lh_whisper_model *model);
/// The bytes of a token, which can be a part of a character; NULL if there is no such token.
const char *lh_whisper_token(const lh_whisper_model *model, int32_t token, size_t *count);
/// The code of a language, such as "en"; NULL past the last.
const char *lh_whisper_language(int32_t index);

/// Memory for windows of audio; NULL if there is not enough. The model must live longer.
/// - sequences: how many sequences are decoded side by side, at most 16.
lh_whisper_state *lh_whisper_state_new(lh_whisper_model *model, int32_t sequences, int32_t threads);
/// The same with a set of kernels; 0 for ggml. For tests and comparisons.
lh_whisper_state *lh_whisper_state_new_with(lh_whisper_model *model, int32_t sequences, int32_t threads, int32_t set);
void lh_whisper_state_free(lh_whisper_state *state);

/// Encodes a window, and forgets all sequences.
/// - samples: 16 kHz, from -1 to 1; at least 400.
/// - frames: the length of the encoder's context, at most `audio_frames`; what is longer than it is cut off.
bool lh_whisper_encode(lh_whisper_state *state, const float *samples, int32_t count, int32_t frames);

/// Continues sequences.
/// - positions: a token's position in its sequence, from 0.
/// - lengths: 0, or over how many tokens of the vocabulary, from the first, the probabilities of what follows this token
///   are wanted.
/// - rows: `vocabulary` numbers for each token whose length is not 0, in order: the logarithms of the probabilities.
bool lh_whisper_decode(
    lh_whisper_state *state, const int32_t *tokens, const int32_t *positions, const int32_t *sequences,
    const int32_t *lengths, int32_t count, float *rows);

/// Makes a sequence the same as another. What it had before must have been removed.
void lh_whisper_seq_copy(lh_whisper_state *state, int32_t from, int32_t to);
void lh_whisper_seq_remove(lh_whisper_state *state, int32_t sequence);

/// What it costs that a text token is said in a frame, by the decoder's attention to the audio. Forgets all sequences.
/// - prompt: the tokens before the text, of which the last one is `no_timestamps`.
/// - frames: how many frames of the context have audio.
/// - table: `count` + 1 rows of `frames` numbers; the last row belongs to what follows the text.
bool lh_whisper_attention(
    lh_whisper_state *state, const int32_t *prompt, int32_t prompt_count, const int32_t *tokens, int32_t count,
    int32_t frames, float *table);

/// When text tokens are said, by the attention alone: the cheapest path through its table.
/// - times: `count` + 1 frames: where each token begins, and where the last one ends.
bool lh_whisper_align(
    lh_whisper_state *state, const int32_t *prompt, int32_t prompt_count, const int32_t *tokens, int32_t count,
    int32_t frames, int32_t *times);

#ifdef __cplusplus
}
#endif
#endif
