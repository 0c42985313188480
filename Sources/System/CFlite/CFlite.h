#pragma once
#include <flite/flite.h>
#include <flite/cst_lexicon.h>

// In the library libflite_cmulex, but in no header that Debian installs: the CMU lexicon and its rules.
cst_lexicon *cmu_lex_init(void);
