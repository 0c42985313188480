#pragma once
#include <pocketsphinx.h>

// In the library, but in no header that it installs: a model that interpolates others linearly.
ngram_model_t *ngram_model_set_init(ps_config_t *config, ngram_model_t **models, char **names,
                                    const float *weights, int32 n_models);

// In the library, but in no header that it installs: the features of a decoder. The cepstra of an utterance are frames of
// coefficients; its features are frames of streams of coefficients.
typedef struct fe_s fe_t;
typedef struct feat_s feat_t;
fe_t *ps_get_fe(ps_decoder_t *decoder);
feat_t *ps_get_feat(ps_decoder_t *decoder);
int fe_start_utt(fe_t *front_end);
int fe_process_utt(fe_t *front_end, const int16 *samples, size_t n_samples, float ***cepstra, int32 *n_frames);
int fe_end_utt(fe_t *front_end, float *cepstrum, int32 *n_frames);
void fe_free_2d(void *cepstra);
float ***feat_array_alloc(feat_t *features, int32 n_frames);
void feat_array_free(float ***features);
int32 feat_s2mfc2feat_live(feat_t *features, float **cepstra, int32 *n_frames, int32 is_begin, int32 is_end,
                           float ***frames);
