#pragma once
// What Swift cannot call: functions with variable arguments (`prctl`, `syscall`), `fork`, and macros of the kernel's
// and the C library's headers. Every function returns a negative `errno` if it fails.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The header files of older systems lack these.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

// O_LARGEFILE as the kernel has it; the C library defines it as 0.
#if defined(__x86_64__)
#define LONGHAND_ARCHITECTURE AUDIT_ARCH_X86_64
#define LONGHAND_LARGE_FILE 0100000
#elif defined(__aarch64__)
#define LONGHAND_ARCHITECTURE AUDIT_ARCH_AARCH64
#define LONGHAND_LARGE_FILE 0400000
#endif

static inline long longhand_result(long result) { return result < 0 ? -errno : result; }

/// Closes all descriptors from `first` on.
static inline void longhand_close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  for (int descriptor = first; descriptor < 1024; descriptor++) close(descriptor);
}

static inline int longhand_fork(void) { return (int)longhand_result(fork()); }

/// A pipe, with the end for reading first. A program inherits neither end unless it is given one.
static inline int longhand_pipe(int ends[2]) { return (int)longhand_result(syscall(SYS_pipe2, ends, O_CLOEXEC)); }

/// A file without a name, in memory.
static inline int longhand_memory_file(void) {
  return (int)longhand_result(syscall(SYS_memfd_create, "longhand", 1 /* MFD_CLOEXEC */));
}

/// The process gets SIGKILL when the thread that forked it ends.
static inline int longhand_die_with_parent(void) {
  return (int)longhand_result(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
}

/// Processes that lose their parent become children of this one, if they are its descendants.
static inline int longhand_adopt_orphans(void) { return (int)longhand_result(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)); }

/// Neither this thread nor what it starts can gain privileges.
static inline int longhand_forbid_privileges(void) {
  return (int)longhand_result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

/// The version of Landlock's interface, at least 1.
static inline int longhand_landlock_version(void) {
  return (int)longhand_result(syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

/// Forbids this thread every use of a path, and the network and other processes where the kernel knows how. What is
/// open stays open.
static inline int longhand_forbid_paths(void) {
  int version = longhand_landlock_version();
  if (version < 0) return version;
  // As `struct landlock_ruleset_attr` is today. Older kernels take a shorter one.
  struct {
    uint64_t files, network, scopes;
  } all = {0, 0, 0};
  const int kinds[] = {13, 14, 15, 15, 16};  // the kinds of access of versions 1 to 5
  all.files = (1ULL << kinds[version > 5 ? 4 : version - 1]) - 1;
  if (version >= 4) all.network = 3;  // to bind and to connect
  if (version >= 6) all.scopes = 3;  // abstract sockets and signals
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long rules = syscall(SYS_landlock_create_ruleset, &all, size, 0);
  if (rules < 0) return -errno;
  long result = longhand_result(syscall(SYS_landlock_restrict_self, (int)rules, 0));
  close((int)rules);
  return (int)result;
}

/// Limits the process to so many bytes of address space and of a written file, and to descriptors below `files`. It
/// leaves no core dump.
static inline int longhand_limit(uint64_t memory, uint64_t file_size, uint64_t files) {
  struct rlimit limits[] = {{memory, memory}, {file_size, file_size}, {files, files}, {0, 0}};
  int failed = 0;
  if (setrlimit(RLIMIT_AS, &limits[0]) != 0) failed = errno;
  if (setrlimit(RLIMIT_FSIZE, &limits[1]) != 0) failed = errno;
  if (setrlimit(RLIMIT_NOFILE, &limits[2]) != 0) failed = errno;
  if (setrlimit(RLIMIT_CORE, &limits[3]) != 0) failed = errno;
  return -failed;
}

/// Memory of so many bytes and more that is freed goes back to the system at once.
static inline void longhand_return_memory(int size) { mallopt(M_MMAP_THRESHOLD, size); }

/// Ends the process after so many seconds of processor time.
static inline int longhand_limit_processor(uint64_t seconds) {
  struct rlimit limit = {seconds, seconds};
  return setrlimit(RLIMIT_CPU, &limit) != 0 ? -errno : 0;
}

// A closed recognizer opens nothing any more, not even files in memory. A loader opens nothing either, but starts threads
// and can enter the sandbox of a recognizer.
enum {
  longhand_decoder_calls = 0,
  longhand_recognizer_calls = 1,
  longhand_closed_recognizer_calls = 2,
  longhand_loader_calls = 3
};

/// Lets all threads of the process make the system calls of the list alone, for ever. All others fail with EPERM.
static inline int longhand_filter_calls(int list) {
#ifdef LONGHAND_ARCHITECTURE
  // Memory, locks, clocks, and what is open. No process, signal, path or socket can be made.
  static const int always[] = {
    SYS_read, SYS_write, SYS_pread64, SYS_lseek, SYS_close, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex,
    SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_clock_gettime,
    SYS_gettimeofday, SYS_clock_nanosleep, SYS_nanosleep, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_sched_yield,
    SYS_restart_syscall,
    // A thread that has just been created may make these after the filter is in force; the C library ends the process
    // when they fail.
    SYS_set_robust_list, SYS_rseq,
  };
  // The socket to the client.
  static const int recognizer[] = {
    SYS_recvfrom, SYS_ppoll, SYS_fstat, SYS_writev,
#ifdef SYS_poll
    SYS_poll,
#endif
  };
  enum { CALL = offsetof(struct seccomp_data, nr), ARCHITECTURE = offsetof(struct seccomp_data, arch) };
  // The lower half of an argument; both architectures are little-endian.
#define LONGHAND_ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define LONGHAND_LOAD(place) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (place))
#define LONGHAND_ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LONGHAND_REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define LONGHAND_ADD(...)                                                \
  do {                                                                   \
    const struct sock_filter added[] = {__VA_ARGS__};                    \
    memcpy(code + count, added, sizeof added);                           \
    count += (unsigned short)(sizeof added / sizeof added[0]);           \
  } while (0)
  // What a thread asks when it starts, and what makes the sandbox narrower.
  static const int loader[] = {
    SYS_sched_getaffinity, SYS_rt_sigaction, SYS_seccomp, SYS_landlock_create_ruleset, SYS_landlock_restrict_self,
  };
  struct sock_filter code[160];
  unsigned short count = 0;
  LONGHAND_ADD(
    LONGHAND_LOAD(ARCHITECTURE), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LONGHAND_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), LONGHAND_LOAD(CALL));
  for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
    LONGHAND_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)always[i], 0, 1), LONGHAND_ALLOW);
  // Memory, but none that can be executed, or that other processes share.
  LONGHAND_ADD(
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(2)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), LONGHAND_ALLOW, LONGHAND_REFUSE);
  LONGHAND_ADD(
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 6), LONGHAND_LOAD(LONGHAND_ARGUMENT(2)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 3, 0), LONGHAND_LOAD(LONGHAND_ARGUMENT(3)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 1, 0), LONGHAND_ALLOW, LONGHAND_REFUSE);
  // Whether a file is open.
  LONGHAND_ADD(
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(1)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 0, 1), LONGHAND_ALLOW, LONGHAND_REFUSE);
  if (list != longhand_decoder_calls) {
    for (size_t i = 0; i < sizeof recognizer / sizeof recognizer[0]; i++)
      LONGHAND_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)recognizer[i], 0, 1), LONGHAND_ALLOW);
    // Sending, but not to an address.
    LONGHAND_ADD(
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 6), LONGHAND_LOAD(LONGHAND_ARGUMENT(4)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3), LONGHAND_LOAD(LONGHAND_ARGUMENT(4) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), LONGHAND_ALLOW, LONGHAND_REFUSE);
  }
  if (list == longhand_recognizer_calls) {
    // Files in memory, and opening to read. With Landlock this opens files in memory alone.
    LONGHAND_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1), LONGHAND_ALLOW);
    LONGHAND_ADD(
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(2)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~(uint32_t)(O_CLOEXEC | LONGHAND_LARGE_FILE), 1, 0), LONGHAND_ALLOW,
      LONGHAND_REFUSE);
  }
  if (list == longhand_loader_calls) {
    for (size_t i = 0; i < sizeof loader / sizeof loader[0]; i++)
      LONGHAND_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)loader[i], 0, 1), LONGHAND_ALLOW);
    LONGHAND_ADD(
      // Threads, but no processes. The C library asks for them in the old way where it believes that the new one is missing.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(0)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), LONGHAND_ALLOW, LONGHAND_REFUSE,
      // Limits of this process, and no privileges.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(0)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), LONGHAND_ALLOW, LONGHAND_REFUSE,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4), LONGHAND_LOAD(LONGHAND_ARGUMENT(0)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NO_NEW_PRIVS, 0, 1), LONGHAND_ALLOW, LONGHAND_REFUSE);
  }
  LONGHAND_ADD(LONGHAND_REFUSE);
#undef LONGHAND_ADD
#undef LONGHAND_REFUSE
#undef LONGHAND_ALLOW
#undef LONGHAND_LOAD
#undef LONGHAND_ARGUMENT
  struct sock_fprog program = {count, code};
  long result = longhand_result(
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program));
  // More than 0 is the thread that could not be included.
  return result > 0 ? -EAGAIN : (int)result;
#else
  (void)list;
  return -ENOSYS;
#endif
}

/// Tries what a sandbox must refuse, by number.
/// Returns the `errno`; 0 if it was allowed; -1 if there is no attempt of this number.
static inline int longhand_attempt(int number, const char **name) {
  char *const none[] = {NULL};
  long result;
  errno = 0;
  switch (number) {
  case 0: *name = "open"; result = open("/etc/hostname", O_RDONLY | O_CLOEXEC); break;
  case 1: *name = "create"; result = open("/tmp/longhand-sandbox", O_WRONLY | O_CREAT | O_CLOEXEC, 0600); break;
  case 2: *name = "folder"; result = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC); break;
  case 3: *name = "unlink"; result = unlink("/tmp/longhand-sandbox"); break;
  case 4: *name = "internet socket"; result = socket(AF_INET, SOCK_STREAM, 0); break;
  case 5: *name = "local socket"; result = socket(AF_UNIX, SOCK_STREAM, 0); break;
  case 6: *name = "exec"; result = execve("/bin/true", none, none); break;
  case 7:
    *name = "fork";
    result = fork();
    if (result == 0) _exit(0);
    break;
  case 8: *name = "ptrace"; result = syscall(SYS_ptrace, 0, 0, 0, 0); break;
  case 9: *name = "kill"; result = kill(getppid(), 0); break;
  case 10: *name = "process_vm_readv"; result = syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0); break;
  case 11: *name = "io_uring"; result = syscall(SYS_io_uring_setup, 1, NULL); break;
  case 12: *name = "bpf"; result = syscall(SYS_bpf, 0, NULL, 0); break;
  case 13: *name = "keyctl"; result = syscall(SYS_keyctl, 0, -3, 0); break;
  case 14: *name = "mount"; result = syscall(SYS_mount, NULL, "/", NULL, 0, NULL); break;
  case 15: *name = "unshare"; result = syscall(SYS_unshare, 0); break;
  case 16: *name = "userfaultfd"; result = syscall(SYS_userfaultfd, 0); break;
  case 17: *name = "open_by_handle_at"; result = syscall(SYS_open_by_handle_at, 0, NULL, 0); break;
  case 18: *name = "ioctl"; result = syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, ""); break;
  case 19: *name = "prctl"; result = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); break;
  case 20:
    *name = "executable memory";
    result = (long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    break;
  case 21: *name = "file in memory"; result = syscall(SYS_memfd_create, "longhand", 0); break;
  case 22:
    *name = "shared memory";
    result = (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    break;
  default: return -1;
  }
  return result == -1 ? errno : 0;
}

/// Sends a message with open files over a local socket. A signal does not interrupt that.
static inline long longhand_send_files(int socket, const void *bytes, size_t size, const int *files, size_t number) {
  union {
    char space[CMSG_SPACE(4 * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (number > 4) return -EINVAL;
  if (number > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(number * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(number * sizeof(int));
    memcpy(CMSG_DATA(header), files, number * sizeof(int));
  }
  long result;
  do result = longhand_result(sendmsg(socket, &message, MSG_NOSIGNAL));
  while (result == -EINTR);
  return result;
}

/// Receives a message and the open files that come with it, at most 4; the others of `files` become -1.
static inline long longhand_receive_files(int socket, void *bytes, size_t size, int files[4]) {
  union {
    char space[CMSG_SPACE(4 * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct iovec part = {bytes, size};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  for (int i = 0; i < 4; i++) files[i] = -1;
  long result = longhand_result(recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
  if (result < 0) return result;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
      memcpy(files, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  return result;
}
