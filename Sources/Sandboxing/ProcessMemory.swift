import CSandbox
import Glibc

/// The memory of this process. It can be asked in a sandbox, too, if it was opened before.
package enum ProcessMemory {
  private static let descriptor = Glibc.open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

  /// Opens what the kernel says of this process.
  static func open() { _ = descriptor }

  /// From now on, freed memory of 128 kB and more goes back to the system at once. Otherwise what is small and stays may come to
  /// lie in the holes that large arrays leave, and the next of these do not fit there.
  package static func returnsLargeParts() { longhand_return_memory(1 << 17) }

  /// The bytes of memory in use; nil if they are not known.
  package static var resident: Int? { bytes(1) }

  /// The bytes of address space in use; nil if they are not known.
  static var addressSpace: Int? { bytes(0) }

  private static func bytes(_ field: Int) -> Int? {
    var text = [UInt8](repeating: 0, count: 128)
    let count = descriptor < 0 ? 0 : pread(descriptor, &text, text.count, 0)
    let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    guard fields.count > field, let pages = Int(String(decoding: fields[field], as: UTF8.self)) else {
      return nil
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
