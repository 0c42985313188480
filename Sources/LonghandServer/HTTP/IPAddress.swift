import Foundation

/// A numeric address, of version 4 or 6, in a form that can be compared.
struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  let bytes: [UInt8]

  /// Returns nil if the text is not an address in the form that `inet_pton` reads. An address with a zone is not one.
  init?(_ text: String) {
    var version4 = in_addr()
    var version6 = in6_addr()
    if inet_pton(AF_INET, text, &version4) == 1 {
      bytes = withUnsafeBytes(of: version4) { Array($0) }
    } else if inet_pton(AF_INET6, text, &version6) == 1 {
      bytes = withUnsafeBytes(of: version6) { Array($0) }
    } else {
      return nil
    }
  }

  /// Whether only this machine can reach it.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it means every address of the machine: `0.0.0.0` or `::`.
  var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  var isVersion6: Bool { bytes.count == 16 }

  /// An address at which other machines reach this one; its host name if it has none.
  static var ofThisMachine: String {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return hostName }
    defer { freeifaddrs(list) }
    let addresses = sequence(first: list) { $0?.pointee.ifa_next }.compactMap { $0?.pointee.ifa_addr }
    // Version 4 first, because people type these addresses.
    for family in [AF_INET, AF_INET6] {
      for address in addresses where Int32(address.pointee.sa_family) == family {
        if let name = name(of: address), let number = IPAddress(name), !number.isLoopback { return name }
      }
    }
    return hostName
  }

  /// The names of this machine in its network, in lower case.
  static var namesOfThisMachine: Set<String> {
    let name = hostName.lowercased()
    return name.contains(".") ? [name] : [name, "\(name).local"]
  }

  /// The machine's own name for itself. `ProcessInfo.hostName` would send a request to the network.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return text(name)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The text of an address; nil for one with a zone, which works on one network link only.
  static func name(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let isVersion6 = Int32(address.pointee.sa_family) == AF_INET6
    let length = isVersion6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let address = text(name)
    return address.contains("%") ? nil : address
  }
}
