import FileSupport
import Foundation

#if os(Linux)
  import ChildProcesses
#endif

openStandardStreams()
endAtOnceInACrash()
limitFreeMemory()
let status = await Command.run(arguments())
#if os(Linux)
  // What a process that nobody waits for has used is missing in this program's processor time.
  ChildProcess.endAll()
#endif
exit(status)

/// The arguments after the program's name, in which every byte counts: the names of files need not be UTF-8.
func arguments() -> [String] {
  (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
    CommandLine.unsafeArgv[index].map { argument in
      String(systemName: UnsafeRawBufferPointer(start: argument, count: strlen(argument)).map { $0 })
    }
  }
}

/// Opens those of the three standard streams that the caller closed (`>&-`).
///
/// Otherwise the next file that the program opens takes the number of the closed stream, and results or errors are
/// written into that file. The replacement refuses every read and write.
func openStandardStreams() {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
    // `open` takes the lowest free number, which is the closed one.
    _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

/// Makes a crash end the program at once. Swift's report of it takes seconds and writes memory, in which a user's words may
/// be, to standard error: for a server, into the system's journal. With `SWIFT_BACKTRACE` the report is written as it says.
func endAtOnceInACrash() {
  guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
  for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT] { signal(number, SIG_DFL) }
}

/// Makes the C library return free memory to the system, so that a recording of many hours stays small.
func limitFreeMemory() {
  // Only glibc has `mallopt`, and its header is not visible to Swift.
  guard let symbol = dlsym(nil, "mallopt") else { return }
  typealias Function = @convention(c) (Int32, Int32) -> Int32
  let mallopt = unsafeBitCast(symbol, to: Function.self)
  // M_ARENA_MAX: all threads share two arenas. By default each thread gets its own, which keeps the largest amount it
  // ever held; a recording of hours uses many threads in turn and grew by 1 MB a minute.
  _ = mallopt(-8, 2)
  // M_MMAP_THRESHOLD: large blocks, such as the audio of an utterance, are returned to the system when freed. By
  // default the allocator raises this limit and fragments its arenas, which cost 0.5 MB a minute.
  _ = mallopt(-3, 128 << 10)
}
