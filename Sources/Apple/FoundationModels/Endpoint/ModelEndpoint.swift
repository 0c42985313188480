import Foundation
import Glibc

/// The address of a server and what it is told.
struct ModelEndpoint: Sendable, Equatable {
  let scheme: String
  let host: String
  let port: UInt16
  let base: URL
  let name: String?
  let key: String?
  let contextSize: Int

  static let defaultContextSize = 4096

  /// nil if the address is not one that is surely understood alike by whoever reads it.
  init?(address: String, name: String? = nil, key: String? = nil, contextSize: Int? = nil) {
    let pattern = #/(http|https)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([0-9]{1,5}))?(/[A-Za-z0-9._~/-]*)?/#
    guard let match = address.wholeMatch(of: pattern.ignoresCase()) else { return nil }
    let (_, scheme, host, digits, path) = match.output
    self.scheme = scheme.lowercased()
    self.host = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    guard let port = digits.map({ UInt16($0) }) ?? (self.scheme == "https" ? 443 : 80), port > 0 else {
      return nil
    }
    self.port = port
    let rest = (path ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "/"))
    let name = name.flatMap { $0.isEmpty ? nil : $0 }
    let authority = self.host.contains(":") ? "[\(self.host)]" : self.host
    guard let base = URL(string: "\(self.scheme)://\(authority):\(port)/\(rest)") else { return nil }
    self.base = base
    self.name = name
    self.key = key.flatMap { $0.isEmpty ? nil : $0 }
    self.contextSize = contextSize.flatMap { $0 > 0 ? $0 : nil } ?? Self.defaultContextSize
  }

  /// Whether what is sent there stays on this machine: 127.0.0.0/8, ::1 and localhost.
  var isLoopback: Bool {
    if host == "localhost" { return true }
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
    var address6 = in6_addr()
    guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
    return withUnsafeBytes(of: address6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }

  /// Why what is for this machine would be sent to a proxy; nil if it would not. The transport beneath `URLSession`
  /// keeps to these variables whatever it is told.
  func proxyProblem(in environment: [String: String]) -> String? {
    guard isLoopback else { return nil }
    let names = ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"] + (scheme == "https" ? ["HTTPS_PROXY"] : [])
    guard let name = names.first(where: { !(environment[$0] ?? "").isEmpty }) else { return nil }
    let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
      .split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    guard !exceptions.contains(host), exceptions != ["*"] else { return nil }
    return "\(name) is set, and what is for \(host) would go through that proxy. Add \(host) to no_proxy."
  }

  /// Whether somebody listens there. Waits no longer than a fifth of a second, and looks up no name: a name is taken
  /// to be listened to.
  func isListening() -> Bool {
    if host == "localhost" { return Self.listens("127.0.0.1", port) || Self.listens("::1", port) }
    return Self.listens(host, port)
  }

  private static func listens(_ host: String, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    if inet_pton(AF_INET, host, &address.sin_addr) == 1 { return connects(address, AF_INET) }
    var address6 = sockaddr_in6()
    address6.sin6_family = sa_family_t(AF_INET6)
    address6.sin6_port = port.bigEndian
    guard inet_pton(AF_INET6, host, &address6.sin6_addr) == 1 else { return true }
    return connects(address6, AF_INET6)
  }

  private static func connects<Address>(_ address: Address, _ family: Int32) -> Bool {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let result = withUnsafeBytes(of: address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<Address>.size))
      }
    }
    if result == 0 { return true }
    guard errno == EINPROGRESS else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, 200) == 1 else { return false }
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0
  }
}
