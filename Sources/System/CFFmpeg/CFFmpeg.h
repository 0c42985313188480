#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/opt.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>

// Swift does not import these macros.
static const int longhand_averror_eof = AVERROR_EOF;
static const int longhand_averror_again = AVERROR(EAGAIN);
static const int64_t longhand_av_nopts_value = AV_NOPTS_VALUE;
static const int longhand_averror_invalid_data = AVERROR_INVALIDDATA;

// Declarations that differ between the versions of FFmpeg.
static inline int64_t longhand_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef int (*longhand_write_packet)(void *opaque, const uint8_t *buffer, int size);
#else
typedef int (*longhand_write_packet)(void *opaque, uint8_t *buffer, int size);
#endif

// The largest finite absolute sample of a buffer; full scale is 1. In C, because a debug build of Swift is 50 times slower.
#define LONGHAND_PEAK(type, full, bias)                           \
  for (size_t i = 0; i < count; i++) {                            \
    double value = ((double)((const type *)samples)[i] - bias) / full; \
    if (value < 0) value = -value;                                \
    if (value > peak && value <= 1e9) peak = value;               \
  }
static inline double longhand_peak(const void *samples, size_t count, enum AVSampleFormat type) {
  double peak = 0;
  switch (av_get_packed_sample_fmt(type)) {
  case AV_SAMPLE_FMT_U8: LONGHAND_PEAK(uint8_t, 128.0, 128.0) break;
  case AV_SAMPLE_FMT_S16: LONGHAND_PEAK(int16_t, 32768.0, 0) break;
  case AV_SAMPLE_FMT_S32: LONGHAND_PEAK(int32_t, 2147483648.0, 0) break;
  case AV_SAMPLE_FMT_S64: LONGHAND_PEAK(int64_t, 9223372036854775808.0, 0) break;
  case AV_SAMPLE_FMT_FLT: LONGHAND_PEAK(float, 1.0, 0) break;
  case AV_SAMPLE_FMT_DBL: LONGHAND_PEAK(double, 1.0, 0) break;
  default: break;
  }
  return peak;
}
#undef LONGHAND_PEAK
