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
  /// The port, also if any free one was requested.
  let port: Int

  /// - Parameters:
  ///   - address: an IP address, without brackets.
  ///   - port: 0 for any free port.
  ///   - option: the option that sets the port, for messages.
  /// - Throws: `ServerError`.
  init(address: String, port: Int, option: String = "--port") throws {
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
