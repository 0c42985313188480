import Foundation

/// A numeric address of either family, in its one form.
struct IPAddress: Hashable, Sendable {
  /// 4 or 16, in network order.
  let bytes: [UInt8]

  /// Nil if the text is not an address as the system writes it; a zone is none.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  /// Whether nobody but this machine can reach it.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it stands for every address of the machine.
  var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether it is of version 6.
  var isLong: Bool { bytes.count == 16 }
}
