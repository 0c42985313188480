#pragma once
#include <pocketsphinx.h>

// In the library, but in no header that it installs: a model that interpolates others linearly.
ngram_model_t *ngram_model_set_init(ps_config_t *config, ngram_model_t **models, char **names,
                                    const float *weights, int32 n_models);
