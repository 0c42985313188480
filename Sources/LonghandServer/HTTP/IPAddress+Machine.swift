import Foundation

extension IPAddress {
  /// An address under which others reach this machine; its name where it has none.
  static var ofThisMachine: String {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return hostName }
    defer { freeifaddrs(list) }
    let addresses = sequence(first: list) { $0?.pointee.ifa_next }.compactMap { $0?.pointee.ifa_addr }
    // Of both families the shorter ones come first: people type them.
    for family in [AF_INET, AF_INET6] {
      for address in addresses where Int32(address.pointee.sa_family) == family {
        if let name = name(of: address), let number = IPAddress(name), !number.isLoopback { return name }
      }
    }
    return hostName
  }

  /// What this machine is called in its network, in lower case.
  static var namesOfThisMachine: Set<String> {
    let name = hostName.lowercased()
    return name.contains(".") ? [name] : [name, "\(name).local"]
  }

  /// What the machine calls itself. `ProcessInfo.hostName` would ask the network.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return text(name)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Nil for one that is of use on one link alone.
  private static func name(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let isLong = Int32(address.pointee.sa_family) == AF_INET6
    let length = isLong ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let address = text(name)
    return address.contains("%") ? nil : address
  }
}
