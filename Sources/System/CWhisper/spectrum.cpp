// Compiled for each set of instructions of which `kernels.h` has functions; see CMakeLists.txt.
#include "vectors.h"

namespace kernels {
namespace {

const int window = 400, hop = 160, half_window = window / 2;
// The first and the last sample, and the sums or differences of those between that are as far from the middle.
const int depth = half_window + 1;
const int bins = half_window + 1, padded_bins = (bins + tile_columns - 1) / tile_columns * tile_columns;

// The columns of a product that makes the spectrum of a window, [panel][depth][tile_columns].
struct Waves {
  Buffer<float> cosines, sines;

  Waves() : cosines(depth * padded_bins), sines(depth * padded_bins) {
    for (int bin = 0; bin < padded_bins; ++bin)
      for (int i = 0; i < depth; ++i) {
        const int at = bin / tile_columns * depth * tile_columns + i * tile_columns + bin % tile_columns;
        const double angle = 2 * M_PI * (i * bin % window) / window;
        cosines[at] = bin < bins ? std::cos(angle) : 0;
        sines[at] = bin < bins ? std::sin(angle) : 0;
      }
  }
};

}  // namespace

void spectrum(const float *filters, int bands, const float *samples, int count, int frames, float *mel) {
  static const Waves waves;
  float hann[window];
  for (int i = 0; i < window; ++i) hann[i] = 0.5 - 0.5 * std::cos(2 * M_PI * i / window);
  std::vector<std::pair<int, int>> ranges(bands);
  for (int band = 0; band < bands; ++band) {
    const float *filter = filters + band * bins;
    auto &[start, end] = ranges[band];
    for (end = bins; end > 0 && filter[end - 1] == 0;) --end;
    for (start = 0; start < end && filter[start] == 0;) ++start;
  }
  // A window has its frame in its middle. Before the audio it is mirrored, and behind it there is silence.
  const auto sample = [&](int at) { return at < 0 ? samples[std::min(-at, count - 1)] : at < count ? samples[at] : 0; };
  const float silence = -10;
  float top = silence;
  std::fill_n(mel, (size_t)bands * frames, silence);
  const int heard = std::min(frames, (count + half_window) / hop + 1);
  Buffer<float> sums(tile_rows * depth), differences(tile_rows * depth), powers(tile_rows * padded_bins);
  for (int first = 0; first < heard; first += tile_rows) {
    const int rows = std::min(tile_rows, heard - first);
    for (int i = 0; i < tile_rows; ++i) {
      const int start = (first + std::min(i, rows - 1)) * hop - half_window;
      float *sum = sums + i * depth, *difference = differences + i * depth;
      for (int j = 0; j < depth; ++j) {
        const float one = sample(start + j) * hann[j];
        const float other = j == 0 || j == half_window ? 0 : sample(start + window - j) * hann[window - j];
        sum[j] = one + other;
        difference[j] = one - other;
      }
    }
    for (int panel = 0; panel * tile_columns < padded_bins; ++panel) {
      Floats real[tile_rows][2], imaginary[tile_rows][2];
      tile<depth>(&sums[0], waves.cosines + panel * depth * tile_columns, depth, real);
      tile<depth>(&differences[0], waves.sines + panel * depth * tile_columns, depth, imaginary);
      for (int i = 0; i < tile_rows; ++i)
        for (int side = 0; side < 2; ++side) {
          const Floats re = real[i][side], im = imaginary[i][side];
          store(powers + i * padded_bins + panel * tile_columns + side * lanes, re * re + im * im);
        }
    }
    for (int i = 0; i < rows; ++i)
      for (int band = 0; band < bands; ++band) {
        const float *filter = filters + band * bins, *power = powers + i * padded_bins;
        float sum = 0;
        for (int k = ranges[band].first; k < ranges[band].second; ++k) sum += filter[k] * power[k];
        const float level = std::log10(std::max(sum, 1e-10f));
        mel[(size_t)band * frames + first + i] = level;
        top = std::max(top, level);
      }
  }
#pragma omp simd
  for (int i = 0; i < bands * frames; ++i) mel[i] = (std::max(mel[i], top - 8) + 4) / 4;
}

}  // namespace kernels
