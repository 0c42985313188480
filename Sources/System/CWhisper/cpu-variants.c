// Chooses the set of instructions at run time, for the processor's part of ggml and for our own kernels; see CMakeLists.txt.
#include <sys/syscall.h>
#include <unistd.h>

#include "ggml-backend.h"

ggml_backend_reg_t ggml_backend_cpu_reg_sse(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx2(void);
ggml_backend_reg_t ggml_backend_cpu_reg_avx512(void);

// Whether the processor has the tile registers (AMX), and Linux lets this process use them (Documentation/arch/x86/xstate.rst).
static int has_tiles(void) {
  const int request_permission = 0x1023, tile_data = 18;
  return __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-int8") && __builtin_cpu_supports("amx-bf16") &&
         syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

static int variant(void) {
  __builtin_cpu_init();
  int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
                 __builtin_cpu_supports("bmi2");
  int has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
                   __builtin_cpu_supports("avx512vnni");
  return has_avx512 ? 2 + has_tiles() : has_avx2;
}

// The last of the sets that the processor has: 0 for SSE 4.2, 1 for AVX2, 2 for AVX-512, 3 for AMX beside it. It is found out
// once: the permission cannot be asked for in a sandbox.
int lh_cpu_variant(void) {
  static int found = -1;
  if (found < 0) found = variant();
  return found;
}

ggml_backend_reg_t ggml_backend_cpu_reg(void) {
  switch (lh_cpu_variant()) {
    case 3:
    case 2: return ggml_backend_cpu_reg_avx512();
    case 1: return ggml_backend_cpu_reg_avx2();
    default: return ggml_backend_cpu_reg_sse();
  }
}
