import Foundation

/// Why the server cannot start.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let problem: String
  /// What to do.
  public let remedy: String

  init(_ problem: String, remedy: String) {
    self.problem = problem
    self.remedy = remedy
  }

  /// What is wrong, and what to do.
  public var description: String { "\(problem); \(remedy)" }
}

/// A socket that accepts connections.
struct ListeningSocket {
  let descriptor: Int32
  /// An IP address, without brackets.
  let address: String
  /// The port, also if any free one was requested.
  let port: Int

  /// - Parameters:
  ///   - address: an IP address, without brackets.
  ///   - port: 0 for any free port.
  ///   - option: the option that sets the port, for messages.
  /// - Throws: `ServerError`.
  init(address: String, port: Int, option: String = "--port") throws {
    self.address = address
    guard let number = IPAddress(address) else {
      throw ServerError(
        "'\(address)' is not an IP address",
        remedy: "use one such as 127.0.0.1, or 0.0.0.0 for every address of this machine")
    }
    guard (0...65_535).contains(port) else {
      throw ServerError("there is no port \(port)", remedy: "use a number from 0 to 65535")
    }
    descriptor = socket(
      number.isVersion6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error(address, port, option) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    do {
      if number.isVersion6 {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = UInt16(port).bigEndian
        withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: number.bytes) }
        self.port = try Self.listen(descriptor, &name, address, port, option) {
          Int(UInt16(bigEndian: $0.sin6_port))
        }
      } else {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: number.bytes) }
        self.port = try Self.listen(descriptor, &name, address, port, option) {
          Int(UInt16(bigEndian: $0.sin_port))
        }
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Takes over a socket that the program which started this one opened.
  /// - Throws: `ServerError` if it is not a socket of the Internet that accepts connections.
  init(inherited descriptor: Int32) throws {
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let address = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        getsockname(descriptor, name, &length) == 0 ? IPAddress.name(of: name) : nil
      }
    }
    guard let address, IPAddress(address) != nil,
      getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1
    else {
      throw ServerError(
        "the socket in LISTEN_FDS does not accept connections at an IP address",
        remedy: "pass one such as 'ListenStream=127.0.0.1:8765' of systemd, without Accept=")
    }
    self.descriptor = descriptor
    self.address = address
    // Version 4 and version 6 have the port in the same bytes.
    port = withUnsafeBytes(of: &name) { Int($0[2]) << 8 | Int($0[3]) }
  }

  private static func listen<Name>(
    _ descriptor: Int32, _ name: inout Name, _ address: String, _ port: Int, _ option: String,
    given: (Name) -> Int
  ) throws -> Int {
    var length = socklen_t(MemoryLayout<Name>.size)
    let isListening = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, length) == 0 && Foundation.listen(descriptor, 256) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard isListening else { throw error(address, port, option) }
    return given(name)
  }

  private static func error(_ address: String, _ port: Int, _ option: String) -> ServerError {
    let otherPort = "choose another with \(option), or \(option) 0 for a free one"
    return switch errno {
    case EADDRINUSE:
      ServerError("port \(port) of \(address) is in use", remedy: otherPort)
    case EACCES:
      ServerError("you have no permission to use port \(port)", remedy: otherPort)
    case EADDRNOTAVAIL:
      ServerError(
        "\(address) is not an address of this machine", remedy: "use 0.0.0.0 for every address that it has")
    default:
      ServerError(
        "cannot listen on port \(port) of \(address): \(String(cString: strerror(errno)))",
        remedy: otherPort)
    }
  }
}

/// A socket that a service manager opened, such as systemd for a `.socket` unit.
public enum SocketActivation {
  /// The first descriptor that a service manager passes.
  private static let first: Int32 = 3

  /// The socket's descriptor, which this process now owns; nil if none was passed. Only the first call returns it, and
  /// children do not inherit it.
  /// - Throws: `ServerError` if several were passed.
  public static func take() throws -> Int32? {
    let environment = ProcessInfo.processInfo.environment
    guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(), let count = environment["LISTEN_FDS"]
    else {
      return nil
    }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    guard count == "1" else {
      throw ServerError("LISTEN_FDS is '\(count)', not 1", remedy: "pass one socket")
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    return first
  }
}
