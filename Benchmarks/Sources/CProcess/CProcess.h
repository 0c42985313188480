#pragma once
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Makes this process the parent of those whose own parent ends before them; 0 if that is possible here.
static inline int benchmarks_adopt_orphans(void) {
#ifdef __linux__
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#else
  return -1;
#endif
}
