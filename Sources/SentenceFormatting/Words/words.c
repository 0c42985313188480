// In C for the reason in `page.c`.
#include "words.h"

// Part of C23; before, an extension of the compiler.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char names[] = {
#embed "names.txt" suffix(, 0)
};

static const unsigned char boundaries[] = {
#embed "boundaries.txt" suffix(, 0)
};

const unsigned char *names_text(void) { return names; }

const unsigned char *boundaries_text(void) { return boundaries; }
