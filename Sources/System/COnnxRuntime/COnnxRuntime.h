// The part of ONNX Runtime's C interface that is used. Its library comes with sherpa-onnx, without a header.
//
// Its functions are in a table, whose order is part of the interface: entries are only ever added at the end. Those up to the
// last one here exist since version 1 of the interface.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct OrtEnv OrtEnv;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtStatus OrtStatus;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtValue OrtValue;

// What functions return: null if they succeed.
typedef OrtStatus *_Nullable OrtResult;

struct OrtTable {
  void *unused0[3];
  // 3
  OrtResult (*CreateEnv)(int level, const char *name, OrtEnv *_Nullable *_Nonnull result);
  void *unused4[3];
  // 7
  OrtResult (*CreateSession)(const OrtEnv *, const char *path, const OrtSessionOptions *,
                             OrtSession *_Nullable *_Nonnull result);
  void *unused8;
  // 9
  OrtResult (*Run)(OrtSession *, const OrtRunOptions *_Nullable, const char *_Nullable const *inputNames,
                   const OrtValue *_Nullable const *inputs, size_t inputCount, const char *_Nullable const *outputNames,
                   size_t outputCount, OrtValue *_Nullable *_Nonnull outputs);
  OrtResult (*CreateSessionOptions)(OrtSessionOptions *_Nullable *_Nonnull result);
  void *unused11[6];
  // 17
  OrtResult (*DisableMemPattern)(OrtSessionOptions *);
  void *unused18;
  // 19
  OrtResult (*DisableCpuMemArena)(OrtSessionOptions *);
  void *unused20[4];
  // 24
  OrtResult (*SetIntraOpNumThreads)(OrtSessionOptions *, int count);
  OrtResult (*SetInterOpNumThreads)(OrtSessionOptions *, int count);
  void *unused26[23];
  // 49
  OrtResult (*CreateTensorWithDataAsOrtValue)(const OrtMemoryInfo *, void *data, size_t bytes, const int64_t *shape,
                                              size_t dimensions, int type, OrtValue *_Nullable *_Nonnull result);
  OrtResult (*IsTensor)(const OrtValue *, int *result);
  OrtResult (*GetTensorMutableData)(OrtValue *, void *_Nullable *_Nonnull result);
  void *unused52[8];
  // 60
  OrtResult (*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *, int *result);
  OrtResult (*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *, size_t *result);
  OrtResult (*GetDimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *result, size_t count);
  void *unused63[2];
  // 65
  OrtResult (*GetTensorTypeAndShape)(const OrtValue *, OrtTensorTypeAndShapeInfo *_Nullable *_Nonnull result);
  void *unused66[3];
  // 69
  OrtResult (*CreateCpuMemoryInfo)(int allocator, int kind, OrtMemoryInfo *_Nullable *_Nonnull result);
  void *unused70[22];
  // 92
  void (*ReleaseEnv)(OrtEnv *);
  void (*ReleaseStatus)(OrtStatus *);
  void (*ReleaseMemoryInfo)(OrtMemoryInfo *);
  void (*ReleaseSession)(OrtSession *);
  void (*ReleaseValue)(OrtValue *);
  void *unused97[2];
  // 99
  void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *);
  void (*ReleaseSessionOptions)(OrtSessionOptions *);
};

// What GetApi takes and what other values of the interface are.
enum { OrtVersion = 1, OrtErrors = 3, OrtFloat = 1, OrtArena = 1, OrtDefaultMemory = 0 };

struct OrtBase {
  const struct OrtTable *_Nullable (*GetApi)(uint32_t version);
  const char *(*GetVersionString)(void);
};

const struct OrtBase *OrtGetApiBase(void);

#pragma clang assume_nonnull end
