// Chooses the processor's part of ggml at run time; see CMakeLists.txt.
#include "ggml-backend.h"

ggml_backend_reg_t ggml_backend_cpu_reg_sse(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx2(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx512(void);

ggml_backend_reg_t ggml_backend_cpu_reg(void) {
  __builtin_cpu_init();
  int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
                 __builtin_cpu_supports("bmi2");
  int has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
                   __builtin_cpu_supports("avx512vnni");
  if (has_avx512) return ggml_backend_cpu_reg_avx512();
  return has_avx2 ? ggml_backend_cpu_reg_avx2() : ggml_backend_cpu_reg_sse();
}
