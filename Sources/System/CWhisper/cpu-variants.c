// Chooses the set of instructions at run time, for the processor's part of ggml and for our own kernels; see CMakeLists.txt.
#include "ggml-backend.h"

ggml_backend_reg_t ggml_backend_cpu_reg_sse(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx2(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx512(void);

// The last of the sets that the processor has: 0 for SSE 4.2, 1 for AVX2, 2 for AVX-512.
int lh_cpu_variant(void) {
  __builtin_cpu_init();
  int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
                 __builtin_cpu_supports("bmi2");
  int has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
                   __builtin_cpu_supports("avx512vnni");
  return has_avx512 ? 2 : has_avx2;
}

ggml_backend_reg_t ggml_backend_cpu_reg(void) {
  switch (lh_cpu_variant()) {
    case 2: return ggml_backend_cpu_reg_avx512();
    case 1: return ggml_backend_cpu_reg_avx2();
    default: return ggml_backend_cpu_reg_sse();
  }
}
