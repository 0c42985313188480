import Foundation

/// How the C library's allocator keeps memory that is free again.
enum MemoryLimits {
  /// Keeps a program small that runs for hours.
  static func set() {
    // Only glibc has it; its header is not among those that the importer knows.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    let set = unsafeBitCast(symbol, to: Function.self)
    // M_ARENA_MAX: all threads share two arenas. Else each gets one of its own, which keeps the most that was ever in
    // it, and a recording of hours has many threads, one after the other: it grew by a megabyte a minute.
    _ = set(-8, 2)
    // M_MMAP_THRESHOLD: what is large, such as the sound of a piece, goes back to the system when it is freed. Else the
    // allocator learns to keep it, in arenas that it tears: that was half a megabyte a minute.
    _ = set(-3, 128 << 10)
  }
}
