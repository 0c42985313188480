import Foundation
import Glibc

/// The configuration of the language model in the environment:
///
/// - `FOUNDATION_MODEL_ENDPOINT`: the address of an OpenAI-compatible server, such as `http://127.0.0.1:8080/v1`.
/// - `FOUNDATION_MODEL_NAME`, `FOUNDATION_MODEL_KEY`: the model's name and a key, if the server needs them.
/// - `FOUNDATION_MODEL_CONTEXT_SIZE`: the context size in tokens; 4096 by default.
/// - `FOUNDATION_MODEL_REMOTE=allowed`: allows an address of another machine.
enum ModelConfiguration: Sendable, Equatable {
  case none
  /// The configured server must not be contacted, with the reason.
  case refused(String)
  case endpoint(ModelEndpoint)

  init(environment: [String: String]) {
    guard let address = environment["FOUNDATION_MODEL_ENDPOINT"], !address.isEmpty else {
      self = .none
      return
    }
    guard
      let endpoint = ModelEndpoint(
        address: address, name: environment["FOUNDATION_MODEL_NAME"],
        key: environment["FOUNDATION_MODEL_KEY"],
        contextSize: environment["FOUNDATION_MODEL_CONTEXT_SIZE"].flatMap { Int($0) })
    else {
      self = .refused(
        "FOUNDATION_MODEL_ENDPOINT is not an HTTP address: \(address). Example: http://127.0.0.1:8080/v1")
      return
    }
    if !endpoint.isLoopback, environment["FOUNDATION_MODEL_REMOTE"] != "allowed" {
      self = .refused(
        "\(endpoint.host) is another machine, and only servers on this machine are contacted by default. Set "
          + "FOUNDATION_MODEL_ENDPOINT to a server on 127.0.0.1, or allow it with FOUNDATION_MODEL_REMOTE=allowed."
      )
    } else if let reason = endpoint.proxyProblem(in: environment) {
      self = .refused(reason)
    } else {
      self = .endpoint(endpoint)
    }
  }
}

/// The address of a server, with the model's name and the key that it needs.
struct ModelEndpoint: Sendable, Equatable {
  let scheme: String
  let host: String
  let port: UInt16
  let base: URL
  let name: String?
  let key: String?
  let contextSize: Int

  static let defaultContextSize = 4096

  /// Returns nil unless the address has a simple form that every URL parser reads the same way.
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

  /// Whether the address is on this machine: 127.0.0.0/8, ::1 or localhost.
  var isLoopback: Bool {
    if host == "localhost" { return true }
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
    var address6 = in6_addr()
    guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
    return withUnsafeBytes(of: address6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }

  /// Why a request to this machine would go through a proxy; nil if it would not. `URLSession` on Linux always follows
  /// these environment variables.
  func proxyProblem(in environment: [String: String]) -> String? {
    guard isLoopback else { return nil }
    let names = ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"] + (scheme == "https" ? ["HTTPS_PROXY"] : [])
    guard let name = names.first(where: { !(environment[$0] ?? "").isEmpty }) else { return nil }
    let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
      .split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    guard !exceptions.contains(host), exceptions != ["*"] else { return nil }
    return "\(name) is set, so requests to \(host) would go through that proxy. Add \(host) to no_proxy."
  }

  /// Whether a server accepts connections at the address. Waits at most 200 ms for each address. Host names other than
  /// localhost are not looked up and count as reachable.
  func isReachable() -> Bool {
    if host == "localhost" { return Self.accepts("127.0.0.1", port) || Self.accepts("::1", port) }
    return Self.accepts(host, port)
  }

  private static func accepts(_ host: String, _ port: UInt16) -> Bool {
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
