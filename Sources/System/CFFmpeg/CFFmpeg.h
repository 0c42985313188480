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
