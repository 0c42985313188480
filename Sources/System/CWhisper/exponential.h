// Included by files that are compiled for several sets of instructions.
#ifndef LONGHAND_EXPONENTIAL_H
#define LONGHAND_EXPONENTIAL_H

#include <cstdint>
#include <cstring>

// e to the power of x, for x of at most 0; below -87 it is nearly 0. It is off by at most 2e-7 of itself, and has no branches:
// `expf` is a call for each number. The polynomial is that of Cephes, for numbers of at most half of log 2.
static inline __attribute__((always_inline)) float exp_below(float x) {
  x = x < -87 ? -87 : x;
  const float half_up = 12582912;  // 1.5 * 2^23: what is added to it is rounded
  const float n = (x * 1.44269504f + half_up) - half_up;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * r * r + r + 1;
  const int32_t bits = ((int32_t)n + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return y * power;
}

#endif
