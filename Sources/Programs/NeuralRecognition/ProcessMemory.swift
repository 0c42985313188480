import Foundation

/// The memory of this process, which can be asked in the sandbox, too: the file is opened before.
final class ProcessMemory {
  /// Bytes above which the process is replaced by another. The library keeps the memory of its longest utterance.
  private static let limit = 2 << 30
  /// Bytes that decoding may take above the model, however large it is.
  private static let growth = 1 << 30

  private let descriptor: Int32
  private let limit: Int

  /// - Parameter environment: `SPEECH_SERVICE_MEMORY` sets the limit in megabytes, for tests.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    let resident = Self.resident(descriptor)
    let wanted = environment["SPEECH_SERVICE_MEMORY"].flatMap(Int.init)
    limit = wanted.map { $0 << 20 } ?? max(Self.limit, resident + Self.growth)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the process has more memory than it should.
  var isExceeded: Bool { resident > limit }

  /// The bytes of memory in use.
  var resident: Int { Self.resident(descriptor) }

  private static func resident(_ descriptor: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = descriptor < 0 ? 0 : pread(descriptor, &bytes, bytes.count, 0)
    let fields = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
