// Built by `Scripts/setup` together with the pinned source of whisper.cpp, which it includes: it uses functions that have no
// name outside. If they change, this does not compile.
#include "ggml-backend.h"

// Memory that is cleared takes none until it is written.
static void clear_pages(ggml_backend_buffer_t buffer, uint8_t value);
#define ggml_backend_buffer_clear clear_pages
#include "whisper.cpp"
#undef ggml_backend_buffer_clear

#include "exponential.h"
#include "ggml-impl.h"
#include "kernels.h"
#include "longhand-whisper.h"

#include <sys/mman.h>
#include <unistd.h>

struct lh_whisper_model {
  whisper_context *context;
  // The file, if weights are used where they lie in it.
  void *file;
  size_t size;
};

struct lh_whisper_state {
  whisper_context *context;
  whisper_state *state;
  int threads;
  // NULL where ggml encodes.
  const kernels::Kernels *kernels;
  kernels::Encoder *encoder;
  // NULL where ggml decodes.
  kernels::Decoder *decoder;
};

extern "C" {
int lh_cpu_variant(void);
const kernels::Kernels *lh_kernels_avx2(void);
const kernels::Kernels *lh_kernels_avx512(void);
const kernels::Kernels *lh_kernels_amx(void);
}

namespace {

const int max_sequences = 16;
const int min_samples = 400;

void no_log(ggml_log_level, const char *, void *) {}

// Gives back the whole pages of memory that is not needed any more. Those of the process's own memory are zeros afterwards.
std::pair<uint8_t *, uint8_t *> give_back(const void *start, size_t count) {
  const size_t page = sysconf(_SC_PAGESIZE);
  const size_t first = ((size_t)start + page - 1) / page * page, end = ((size_t)start + count) / page * page;
  if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
  return {(uint8_t *)first, (uint8_t *)end};
}

// The attention heads from which the times are computed, by the dimensions of OpenAI's models; for others, the heads of the last layer.
void choose_heads(whisper_context &context) {
  const auto &h = context.model.hparams;
  const bool english = h.n_vocab < 51865;
  auto &params = context.params;
  params.dtw_aheads_preset = WHISPER_AHEADS_N_TOP_MOST;
  params.dtw_n_top = 1;
  if (h.n_audio_layer == 32 && h.n_text_layer == 4 && h.n_vocab == 51866) {
    params.dtw_aheads_preset = WHISPER_AHEADS_LARGE_V3_TURBO;
  } else if (h.n_text_layer == h.n_audio_layer) {
    switch (h.n_audio_layer) {
      case 4: params.dtw_aheads_preset = english ? WHISPER_AHEADS_TINY_EN : WHISPER_AHEADS_TINY; break;
      case 6: params.dtw_aheads_preset = english ? WHISPER_AHEADS_BASE_EN : WHISPER_AHEADS_BASE; break;
      case 12: params.dtw_aheads_preset = english ? WHISPER_AHEADS_SMALL_EN : WHISPER_AHEADS_SMALL; break;
      case 24: params.dtw_aheads_preset = english ? WHISPER_AHEADS_MEDIUM_EN : WHISPER_AHEADS_MEDIUM; break;
      case 32:
        params.dtw_aheads_preset = h.n_vocab == 51866 ? WHISPER_AHEADS_LARGE_V3 : WHISPER_AHEADS_LARGE_V2;
        break;
      default: break;
    }
  }
}

template <typename Load>
lh_whisper_model *load(Load load) {
  try {
    whisper_log_set(no_log, nullptr);
    auto params = whisper_context_default_params();
    params.use_gpu = false;
    // The decoder is faster without it, and the attention from which the times are computed exists without it only. See `encode`.
    params.flash_attn = false;
    params.dtw_token_timestamps = true;
    whisper_context *context = load(params);
    if (!context) return nullptr;
    choose_heads(*context);
    return new lh_whisper_model{context, nullptr, 0};
  } catch (...) {
    return nullptr;
  }
}

// A file in memory that is read from its beginning to its end.
struct FileReader {
  // Weights of this size and more are worth pages of their own.
  static const size_t large = 1 << 16;
  const uint8_t *data;
  size_t size;
  size_t at = 0;
  // Where large parts of the file belong; they are not copied yet.
  std::map<void *, std::pair<size_t, size_t>> parts = {};
  // Whether two parts belong to one place: its reader takes them from there itself.
  bool is_reused = false;

  size_t read(void *to, size_t count) {
    count = std::min(count, size - at);
    if (count < large) memcpy(to, data + at, count);
    else if (!parts.emplace(to, std::pair(at, count)).second) is_reused = true;
    at += count;
    return count;
  }
};

// Uses large weights where they lie in the file, so that processes share them. Numbers of four bytes are copied: they stay where
// they are aligned.
void share_weights(whisper_context &context, FileReader &file) {
  for (auto &[name, tensor] : context.model.tensors) {
    const auto part = file.parts.find(tensor->data);
    if (tensor->type == GGML_TYPE_F32 || part == file.parts.end()) continue;
    tensor->data = (void *)(file.data + part->second.first);
    file.parts.erase(part);
  }
  for (const auto &[to, part] : file.parts) memcpy(to, file.data + part.first, part.second);
}

// The kernels of a set of instructions, from 1; NULL for a processor that has none of them.
const kernels::Kernels *kernels_of(int variant) {
  switch (variant) {
    case 3: return lh_kernels_amx();
    case 2: return lh_kernels_avx512();
    case 1: return lh_kernels_avx2();
    default: return nullptr;
  }
}

// Where a model's weights lie, for our own kernels. It throws for models that they are not made for.
struct Description {
  struct Unknown {};

  static const float *floats(const ggml_tensor *tensor) {
    if (tensor->type != GGML_TYPE_F32 || !ggml_is_contiguous(tensor)) throw Unknown();
    return (const float *)tensor->data;
  }

  // The last dimension is that of the outputs.
  static kernels::Matrix matrix(const ggml_tensor *tensor, const ggml_tensor *bias) {
    if (tensor->type != GGML_TYPE_F16 || !ggml_is_contiguous(tensor)) throw Unknown();
    const int64_t outputs = tensor->ne[ggml_n_dims(tensor) - 1], inputs = ggml_nelements(tensor) / outputs;
    if (outputs % 64 != 0 || inputs % 16 != 0) throw Unknown();
    return {(const kernels::half *)tensor->data, (int)outputs, (int)inputs, bias ? floats(bias) : nullptr};
  }

  static kernels::EncoderWeights encoder(const whisper_model &model) {
    const auto &h = model.hparams;
    if (h.n_audio_state != h.n_audio_head * kernels::head_width || h.n_text_state != h.n_audio_state ||
        h.n_audio_ctx > kernels::most_frames || h.eps != 1e-5f || model.filters.n_fft != WHISPER_N_FFT / 2 + 1 ||
        model.filters.n_mel != h.n_mels) {
      throw Unknown();
    }
    kernels::EncoderWeights all = {
      h.n_mels, h.n_audio_ctx, matrix(model.e_conv_1_w, model.e_conv_1_b), matrix(model.e_conv_2_w, model.e_conv_2_b),
      floats(model.e_pe), {}, {floats(model.e_ln_w), floats(model.e_ln_b)}, {},
    };
    for (const auto &l : model.layers_encoder) {
      all.layers.push_back({
        {floats(l.attn_ln_0_w), floats(l.attn_ln_0_b)}, matrix(l.attn_q_w, l.attn_q_b), matrix(l.attn_k_w, nullptr),
        matrix(l.attn_v_w, l.attn_v_b), matrix(l.attn_ln_1_w, l.attn_ln_1_b), {floats(l.mlp_ln_w), floats(l.mlp_ln_b)},
        matrix(l.mlp_0_w, l.mlp_0_b), matrix(l.mlp_1_w, l.mlp_1_b),
      });
    }
    for (const auto &l : model.layers_decoder) {
      all.cross.push_back({matrix(l.cross_attn_k_w, nullptr), matrix(l.cross_attn_v_w, l.cross_attn_v_b)});
    }
    return all;
  }

  static kernels::DecoderWeights decoder(const whisper_model &model) {
    const auto &h = model.hparams;
    if (h.n_text_state != h.n_text_head * kernels::head_width || h.eps != 1e-5f || model.d_te->type != GGML_TYPE_F16) {
      throw Unknown();
    }
    kernels::DecoderWeights all = {
      {(const kernels::half *)model.d_te->data, h.n_vocab, h.n_text_state, nullptr}, floats(model.d_pe), {},
      {floats(model.d_ln_w), floats(model.d_ln_b)},
    };
    for (const auto &l : model.layers_decoder) {
      all.layers.push_back({
        {floats(l.attn_ln_0_w), floats(l.attn_ln_0_b)}, matrix(l.attn_q_w, l.attn_q_b), matrix(l.attn_k_w, nullptr),
        matrix(l.attn_v_w, l.attn_v_b), matrix(l.attn_ln_1_w, l.attn_ln_1_b),
        {floats(l.cross_attn_ln_0_w), floats(l.cross_attn_ln_0_b)}, matrix(l.cross_attn_q_w, l.cross_attn_q_b),
        matrix(l.cross_attn_ln_1_w, l.cross_attn_ln_1_b), {floats(l.mlp_ln_w), floats(l.mlp_ln_b)},
        matrix(l.mlp_0_w, l.mlp_0_b), matrix(l.mlp_1_w, l.mlp_1_b),
      });
    }
    return all;
  }
};

// Our own encoder; NULL for a model that it is not made for, or if there is not enough memory for it.
kernels::Encoder *new_encoder(const kernels::Kernels *kernels, const whisper_state &state, const whisper_model &model, int threads) {
  if (!kernels || state.kv_cross.k->type != GGML_TYPE_F16) return nullptr;
  try {
    return kernels->encoder_new(Description::encoder(model), threads);
  } catch (...) {
    return nullptr;
  }
}

kernels::Decoder *new_decoder(const kernels::Kernels *kernels, const whisper_state &state, const whisper_model &model, int threads) {
  if (!kernels || state.kv_self.k->type != GGML_TYPE_F16 || state.kv_cross.k->type != GGML_TYPE_F16) return nullptr;
  try {
    return kernels->decoder_new(Description::decoder(model), threads);
  } catch (...) {
    return nullptr;
  }
}

void free_graphs(std::initializer_list<whisper_sched *> all) {
  for (auto graphs : all) {
    ggml_backend_sched_free(graphs->sched);
    *graphs = {};
  }
}

bool run(ggml_backend_sched_t sched, ggml_cgraph *graph, int threads) {
  return ggml_graph_compute_helper(sched, graph, threads);
}

// The spectrum of the window: [band][2 * frames].
void set_mel(whisper_state &state) {
  auto &mel = state.inp_mel;
  const auto &input = state.mel;
  const int width = 2 * state.exp_n_audio_ctx, length = std::min(width, input.n_len);
  mel.assign((size_t)input.n_mel * width, 0);
  for (int band = 0; band < input.n_mel; ++band) {
    std::copy_n(input.data.begin() + (size_t)band * input.n_len, length, mel.begin() + (size_t)band * width);
  }
}

// As `whisper_encode_internal`, but only the encoder's own attention is computed by flash attention.
bool encode(whisper_context &context, whisper_state &state, int threads) {
  ggml_cgraph *graph = whisper_build_graph_conv(context, state);
  auto sched = state.sched_conv.sched;
  if (!ggml_backend_sched_alloc_graph(sched, graph)) return false;
  ggml_tensor *mel = ggml_graph_get_tensor(graph, "mel");
  ggml_backend_tensor_set(mel, state.inp_mel.data(), 0, ggml_nbytes(mel));
  if (!run(sched, graph, threads)) return false;

  context.params.flash_attn = true;
  graph = whisper_build_graph_encoder(context, state);
  context.params.flash_attn = false;
  sched = state.sched_encode.sched;
  if (!ggml_backend_sched_alloc_graph(sched, graph) || !run(sched, graph, threads)) return false;

  graph = whisper_build_graph_cross(context, state);
  sched = state.sched_cross.sched;
  return ggml_backend_sched_alloc_graph(sched, graph) && run(sched, graph, threads);
}

// As `whisper_kv_cache_clear`, which also writes zeros over all of the memory: what is masked needs to be finite only.
void forget(whisper_kv_cache &cache) {
  for (auto &cell : cache.cells) cell = {};
  cache.head = 0;
}

// As `whisper_decode_internal`, with our own kernels: whisper.cpp keeps the books about cells and sequences.
// - heads, attention: see DecoderStep.
bool decode(
    lh_whisper_state &own, const whisper_batch &batch, const int32_t *lengths, float *rows,
    std::vector<std::vector<int>> heads = {}, float *attention = nullptr) {
  whisper_state &state = *own.state;
  auto &cache = state.kv_self;
  if (!whisper_kv_cache_find_slot(cache, batch)) return false;
  kernels::DecoderStep step = {batch.n_tokens, batch.token, batch.pos, lengths};
  const int used = whisper_kv_cache_cell_max(cache);
  step.seen.resize(batch.n_tokens);
  for (int i = 0; i < batch.n_tokens; ++i) {
    step.cells.push_back(cache.head + i);
    for (int cell = 0; cell < used; ++cell) {
      if (cache.cells[cell].pos <= batch.pos[i] && cache.cells[cell].has_seq_id(batch.seq_id[i][0])) step.seen[i].push_back(cell);
    }
  }
  step.keys = (kernels::half *)cache.k->data;
  step.values = (kernels::half *)cache.v->data;
  step.all_cells = cache.size;
  step.cross_keys = (kernels::half *)state.kv_cross.k->data;
  step.cross_values = (kernels::half *)state.kv_cross.v->data;
  step.frames = state.exp_n_audio_ctx;
  step.logits = rows;
  step.heads = std::move(heads);
  step.attention = attention;
  own.kernels->decode(own.decoder, step);
  return true;
}

// The attention of the chosen heads to the audio, [head][frame][token], for the tokens of `state.batch`.
std::vector<float> attend(lh_whisper_state &own) {
  const auto &h = own.context->model.hparams;
  std::vector<std::vector<int>> heads;
  size_t count = 0;
  for (int layer = 0; layer < h.n_text_layer; ++layer) {
    const auto found = get_alignment_heads_by_layer(own.context->params, layer, h.n_text_layer, h.n_text_head);
    heads.emplace_back(found.begin(), found.end());
    count += found.size();
  }
  const auto &batch = own.state->batch;
  std::vector<float> attention(count * own.state->exp_n_audio_ctx * batch.n_tokens);
  const std::vector<int32_t> lengths(batch.n_tokens, 0);
  if (!decode(own, batch, lengths.data(), nullptr, std::move(heads), attention.data())) attention.clear();
  return attention;
}

// As `whisper_decode_internal` for the tokens of `state.batch`, for the attention of the chosen heads only: the probabilities of
// the next tokens would take as much memory as the weights.
std::vector<float> attend(whisper_context &context, whisper_state &state, int threads) {
  const int count = state.batch.n_tokens;
  auto &cache = state.kv_self;
  if (!whisper_kv_cache_find_slot(cache, state.batch)) return {};
  const uint32_t pad = whisper_kv_cache_get_padding(context);
  cache.n = std::min(cache.size, GGML_PAD((uint32_t)count, pad));
  ggml_cgraph *graph = whisper_build_graph_decoder(context, state, state.batch, true, false);
  --graph->n_nodes;
  auto sched = state.sched_decode.sched;
  if (!ggml_backend_sched_alloc_graph(sched, graph)) return {};
  ggml_backend_tensor_set(ggml_graph_get_tensor(graph, "embd"), state.batch.token, 0, count * sizeof(whisper_token));
  ggml_backend_tensor_set(ggml_graph_get_tensor(graph, "position"), state.batch.pos, 0, count * sizeof(whisper_pos));
  ggml_tensor *mask = ggml_graph_get_tensor(graph, "KQ_mask");
  const int width = cache.n;
  state.inp_mask.assign(ggml_nelements(mask), -INFINITY);
  for (int i = 0; i < count; ++i) std::fill_n(state.inp_mask.begin() + (size_t)i * width, i + 1, 0.0f);
  ggml_backend_tensor_set(mask, state.inp_mask.data(), 0, ggml_nbytes(mask));
  if (!run(sched, graph, threads)) return {};
  const ggml_tensor *attention = state.aheads_cross_QKs;
  if (!attention || attention->type != GGML_TYPE_F32 || !ggml_is_contiguous(attention) || attention->ne[0] != count ||
      attention->ne[1] != state.exp_n_audio_ctx) {
    return {};
  }
  std::vector<float> numbers(ggml_nelements(attention));
  ggml_backend_tensor_get(attention, numbers.data(), 0, ggml_nbytes(attention));
  return numbers;
}

// Compiled for several sets of instructions; the program chooses when it starts.
#if defined(__x86_64__)
#define LONGHAND_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LONGHAND_VECTORS
#endif

LONGHAND_VECTORS void log_softmax(const float *logits, int length, float *row) {
  float top = logits[0];
#pragma omp simd reduction(max : top)
  for (int i = 1; i < length; ++i) top = logits[i] > top ? logits[i] : top;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < length; ++i) sum += exp_below(logits[i] - top);
  const float shift = top + logf(sum);
  for (int i = 0; i < length; ++i) row[i] = logits[i] - shift;
}

float median(std::array<float, 7> v) {
  std::nth_element(v.begin(), v.begin() + 3, v.end());
  return v[3];
}

// Where to go from a cell of the alignment back to the one before.
enum class Step : uint8_t { both, token, frame };

// The frame at which each row begins on the cheapest path through a table of costs.
std::vector<int32_t> row_starts(const std::vector<float> &costs, int rows, int frames) {
  const float far = std::numeric_limits<float>::infinity();
  std::vector<float> before(frames + 1, far), now(frames + 1);
  std::vector<Step> steps((size_t)rows * frames);
  before[0] = 0;
  for (int i = 0; i < rows; ++i) {
    now[0] = far;
    for (int j = 0; j < frames; ++j) {
      const float both = before[j], token = before[j + 1], frame = now[j];
      const Step step = both < token && both < frame ? Step::both : token < both && token < frame ? Step::token : Step::frame;
      steps[(size_t)i * frames + j] = step;
      now[j + 1] = costs[(size_t)i * frames + j] + (step == Step::both ? both : step == Step::token ? token : frame);
    }
    std::swap(before, now);
  }
  std::vector<int32_t> starts(rows, 0);
  for (int i = rows - 1, j = frames - 1; i >= 0 && j >= 0;) {
    starts[i] = j;
    const Step step = i == 0 ? Step::frame : j == 0 ? Step::token : steps[(size_t)i * frames + j];
    if (step != Step::frame) --i;
    if (step != Step::token) --j;
  }
  return starts;
}

// The costs of a text's alignment: the attention of the chosen heads, as OpenAI's own program computes it (timing.py).
std::vector<float> costs(const std::vector<float> &attention, int tokens, int context, int heads, int first, int rows, int frames) {
  std::vector<float> sum((size_t)rows * frames, 0), level((size_t)rows * frames);
  for (int h = 0; h < heads; ++h) {
    for (int j = 0; j < frames; ++j) {
      const float *v = attention.data() + ((size_t)h * context + j) * tokens;
      double mean = 0, square = 0;
      for (int i = 0; i < tokens; ++i) mean += v[i];
      mean /= tokens;
      for (int i = 0; i < tokens; ++i) square += (v[i] - mean) * (v[i] - mean);
      const double scale = 1 / std::sqrt(square / tokens + 1e-9);
      for (int i = 0; i < rows; ++i) level[(size_t)i * frames + j] = (v[first + i] - mean) * scale;
    }
    for (int i = 0; i < rows; ++i) {
      const float *v = level.data() + (size_t)i * frames;
      for (int j = 0; j < frames; ++j) {
        std::array<float, 7> window;
        for (int k = -3; k <= 3; ++k) {
          int at = std::abs(j + k);
          if (at >= frames) at = std::max(0, 2 * (frames - 1) - at);
          window[k + 3] = v[std::min(at, frames - 1)];
        }
        sum[(size_t)i * frames + j] -= median(window) / heads;
      }
    }
  }
  return sum;
}

}  // namespace

static void clear_pages(ggml_backend_buffer_t buffer, uint8_t value) {
  auto start = (uint8_t *)ggml_backend_buffer_get_base(buffer), after = start + ggml_backend_buffer_get_size(buffer);
  auto [first, end] = value == 0 ? give_back(start, after - start) : std::pair(after, after);
  if (first >= end) first = end = after;
  memset(start, value, first - start);
  memset(end, value, after - end);
}

void lh_whisper_log_softmax(const float *logits, int32_t length, float *row) { log_softmax(logits, length, row); }

int32_t lh_whisper_kernel_sets(void) { return lh_cpu_variant(); }

void lh_whisper_product(
    int32_t set, const uint16_t *weights, int32_t outputs, int32_t inputs, const float *bias, const float *input, int32_t rows,
    float *output) {
  kernels_of(set)->product({weights, outputs, inputs, bias}, input, rows, output);
}

void lh_whisper_packed_product(
    int32_t set, const uint16_t *weights, int32_t outputs, int32_t inputs, const float *input, int32_t rows, float *output) {
  kernels_of(set)->packed_product({weights, outputs, inputs, nullptr}, input, rows, output);
}

void lh_whisper_spectrum(
    int32_t set, const float *filters, int32_t bands, const float *samples, int32_t count, int32_t frames, float *mel) {
  kernels_of(set)->spectrum(filters, bands, samples, count, frames, mel);
}

void lh_whisper_attend(
    int32_t set, const float *query, const float *key, const float *value, int32_t frames, float *output) {
  kernels_of(set)->attend(query, key, value, frames, output);
}

void lh_whisper_normalize(
    int32_t set, const float *scale, const float *bias, const float *input, int32_t count, float *output) {
  kernels_of(set)->normalize({scale, bias}, input, count, output);
}

void lh_whisper_gelu(int32_t set, float *values, int32_t count) { kernels_of(set)->gelu(values, count); }

void lh_whisper_dot_products(
    int32_t set, const uint16_t *weights, int32_t columns, const float *input, int32_t stride, int32_t rows, int32_t depth,
    float *output) {
  kernels_of(set)->dot_products(weights, columns, input, stride, rows, depth, output);
}

const char *lh_whisper_version(void) { return whisper_version(); }

lh_whisper_model *lh_whisper_load_file(int handle, size_t size) {
  void *data = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, handle, 0) : MAP_FAILED;
  if (data == MAP_FAILED) return nullptr;
  FileReader file = {(const uint8_t *)data, size};
  whisper_model_loader loader = {
    &file,
    [](void *file, void *to, size_t count) { return ((FileReader *)file)->read(to, count); },
    [](void *file) { return ((FileReader *)file)->at >= ((FileReader *)file)->size; },
    [](void *) {},
  };
  auto model = load([&](whisper_context_params params) { return whisper_init_with_params_no_state(&loader, params); });
  if (!model || file.is_reused) {
    if (model) lh_whisper_free(model);
    munmap(data, file.size);
    return nullptr;
  }
  share_weights(*model->context, file);
  // Only for a tokenizer, which nobody asks for: five megabytes.
  model->context->vocab.token_to_id.clear();
  model->file = data;
  model->size = file.size;
  return model;
}

void lh_whisper_free(lh_whisper_model *model) {
  if (!model) return;
  whisper_free(model->context);
  if (model->file) munmap(model->file, model->size);
  delete model;
}

lh_whisper_facts lh_whisper_get_facts(const lh_whisper_model *model) {
  whisper_context *context = model->context;
  const auto &h = context->model.hparams;
  const auto &v = context->vocab;
  const bool many = v.is_multilingual();
  return {h.n_vocab, h.n_audio_ctx, h.n_text_ctx, many ? v.num_languages() : 0, v.token_sot + 1, v.token_eot, v.token_sot,
          v.token_transcribe, v.token_nosp, v.token_not};
}

const char *lh_whisper_token(const lh_whisper_model *model, int32_t token, size_t *count) {
  const auto &tokens = model->context->vocab.id_to_token;
  const auto found = tokens.find(token);
  if (found == tokens.end()) return nullptr;
  *count = found->second.size();
  return found->second.data();
}

const char *lh_whisper_language(int32_t index) { return index < 0 || index > whisper_lang_max_id() ? nullptr : whisper_lang_str(index); }

lh_whisper_state *lh_whisper_state_new(lh_whisper_model *model, int32_t sequences, int32_t threads) {
  return lh_whisper_state_new_with(model, sequences, threads, lh_cpu_variant());
}

lh_whisper_state *lh_whisper_state_new_with(lh_whisper_model *model, int32_t sequences, int32_t threads, int32_t set) {
  if (sequences < 1 || sequences > max_sequences || threads < 1) return nullptr;
  try {
    whisper_state *state = whisper_init_state(model->context);
    if (!state) return nullptr;
    const auto &h = model->context->model.hparams;
    auto kernels = kernels_of(set);
    auto encoder = new_encoder(kernels, *state, model->context->model, threads);
    // Keys and values of ggml's attention are computed as numbers of four bytes: as those of two bytes they would be converted
    // twice in every layer, a sixth of the encoder's time.
    whisper_kv_cache_free(state->kv_pad);
    state->kv_pad.buffer = nullptr;
    bool has_memory = encoder || whisper_kv_cache_init(
      state->kv_pad, state->backends[0], GGML_TYPE_F32, h.n_audio_state, 1, GGML_PAD(h.n_audio_ctx, 256));
    if (sequences > 1 && has_memory) {
      // Cells that sequences share are counted once, but gaps between them are never closed.
      whisper_kv_cache_free(state->kv_self);
      has_memory = whisper_kv_cache_init(
        state->kv_self, state->backends[0], model->context->itype, h.n_text_state, h.n_text_layer,
        GGML_PAD(h.n_text_ctx, 256) * (sequences + 2));
    }
    auto decoder = has_memory ? new_decoder(kernels, *state, model->context->model, threads) : nullptr;
    // The decoder has its own copy of the weights of the vocabulary, a third of the file; the others are read again.
    if (decoder && model->file) give_back(model->file, model->size);
    // What only ggml computes with.
    if (encoder) free_graphs({&state->sched_conv, &state->sched_encode, &state->sched_cross});
    if (decoder) free_graphs({&state->sched_decode});
    auto result = new lh_whisper_state{model->context, state, threads, kernels, encoder, decoder};
    if (!has_memory) {
      lh_whisper_state_free(result);
      return nullptr;
    }
    if (sequences > 1) state->kv_self_n_dec = sequences;
    return result;
  } catch (...) {
    return nullptr;
  }
}

void lh_whisper_state_free(lh_whisper_state *state) {
  if (!state) return;
  if (state->encoder) state->kernels->encoder_free(state->encoder);
  if (state->decoder) state->kernels->decoder_free(state->decoder);
  whisper_free_state(state->state);
  delete state;
}

bool lh_whisper_encode(lh_whisper_state *state, const float *samples, int32_t count, int32_t frames) {
  const int most = state->context->model.hparams.n_audio_ctx;
  if (count < min_samples || frames < 64 || frames > most) return false;
  try {
    forget(state->state->kv_self);
    state->state->exp_n_audio_ctx = frames;
    if (!state->encoder) {
      // One thread: it would start others each time.
      if (whisper_pcm_to_mel_with_state(state->context, state->state, samples, count, 1) != 0) return false;
      set_mel(*state->state);
      return encode(*state->context, *state->state, state->threads);
    }
    const auto &filters = state->context->model.filters;
    auto &mel = state->state->inp_mel;
    mel.resize((size_t)filters.n_mel * 2 * frames);
    state->kernels->spectrum(filters.data.data(), filters.n_mel, samples, count, 2 * frames, mel.data());
    const auto &cross = state->state->kv_cross;
    state->kernels->encode(
        state->encoder, mel.data(), frames, (kernels::half *)cross.k->data, (kernels::half *)cross.v->data);
    return true;
  } catch (...) {
    return false;
  }
}

bool lh_whisper_decode(
    lh_whisper_state *state, const int32_t *tokens, const int32_t *positions, const int32_t *sequences,
    const int32_t *lengths, int32_t count, float *rows) {
  const auto &h = state->context->model.hparams;
  if (count < 1 || count > h.n_text_ctx) return false;
  auto &batch = state->state->batch;
  batch.n_tokens = count;
  for (int i = 0; i < count; ++i) {
    if (tokens[i] < 0 || tokens[i] >= h.n_vocab || positions[i] < 0 || positions[i] >= h.n_text_ctx) return false;
    if (lengths[i] < 0 || lengths[i] > h.n_vocab) return false;
    batch.token[i] = tokens[i];
    batch.pos[i] = positions[i];
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = sequences[i];
    batch.logits[i] = lengths[i] > 0;
  }
  try {
    if (state->decoder) {
      if (!decode(*state, batch, lengths, rows)) return false;
    } else if (!whisper_decode_internal(*state->context, *state->state, batch, state->threads, false, nullptr, nullptr)) {
      return false;
    }
  } catch (...) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    if (lengths[i] == 0) continue;
    log_softmax(state->decoder ? rows : state->state->logits.data() + (size_t)i * h.n_vocab, lengths[i], rows);
    rows += h.n_vocab;
  }
  return true;
}

void lh_whisper_seq_copy(lh_whisper_state *state, int32_t from, int32_t to) {
  whisper_kv_cache_seq_cp(state->state->kv_self, from, to, -1, -1);
}

void lh_whisper_seq_remove(lh_whisper_state *state, int32_t sequence) {
  whisper_kv_cache_seq_rm(state->state->kv_self, sequence, -1, -1);
}

bool lh_whisper_attention(
    lh_whisper_state *state, const int32_t *prompt, int32_t prompt_count, const int32_t *tokens, int32_t count,
    int32_t frames, float *table) {
  whisper_context &context = *state->context;
  whisper_state &inner = *state->state;
  const int vocabulary = context.model.hparams.n_vocab;
  const int total = prompt_count + count + 1;
  if (count < 1 || prompt_count < 1 || frames < 8 || frames > inner.exp_n_audio_ctx || total > context.model.hparams.n_text_ctx) {
    return false;
  }
  std::vector<whisper_token> all(prompt, prompt + prompt_count);
  all.insert(all.end(), tokens, tokens + count);
  all.push_back(context.vocab.token_eot);
  for (const auto token : all) {
    if (token < 0 || token >= vocabulary) return false;
  }
  try {
    forget(inner.kv_self);
    whisper_batch_prep_legacy(inner.batch, all.data(), total, 0, 0);
    const auto attention = state->decoder ? attend(*state) : attend(context, inner, state->threads);
    forget(inner.kv_self);
    const int context_frames = inner.exp_n_audio_ctx, heads = attention.size() / total / context_frames;
    if (heads == 0) return false;
    // The attention of a token is where the next one is said. The last row belongs to what follows the text.
    const auto found = costs(attention, total, context_frames, heads, prompt_count - 1, count + 1, frames);
    std::copy(found.begin(), found.end(), table);
    return true;
  } catch (...) {
    return false;
  }
}

bool lh_whisper_align(
    lh_whisper_state *state, const int32_t *prompt, int32_t prompt_count, const int32_t *tokens, int32_t count,
    int32_t frames, int32_t *times) {
  frames = std::min(frames, (int32_t)state->state->exp_n_audio_ctx);
  std::vector<float> table((size_t)(std::max(count, 0) + 1) * std::max(frames, 0));
  if (!lh_whisper_attention(state, prompt, prompt_count, tokens, count, frames, table.data())) return false;
  const auto starts = row_starts(table, count + 1, frames);
  std::copy(starts.begin(), starts.end(), times);
  return true;
}
