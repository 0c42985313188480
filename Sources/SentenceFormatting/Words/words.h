#pragma once

/// The text of `names.txt`.
const unsigned char *_Nonnull names_text(void);

/// The text of `boundaries.txt`.
const unsigned char *_Nonnull boundaries_text(void);
