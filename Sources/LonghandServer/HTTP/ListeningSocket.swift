import Foundation

/// A socket that clients can connect to.
struct ListeningSocket {
  let descriptor: Int32
  /// The port, also where any free one was asked for.
  let port: Int

  /// - Parameters:
  ///   - address: an IP address, without brackets.
  ///   - port: 0 for any that is free.
  /// - Throws: `ServerError`, with what to do.
  init(address: String, port: Int) throws {
    guard let place = IPAddress(address) else {
      throw ServerError(
        "'\(address)' is no IP address", remedy: "such as 127.0.0.1, or 0.0.0.0 for every one of this machine"
      )
    }
    guard (0...65_535).contains(port) else {
      throw ServerError("there is no port \(port)", remedy: "one from 0 to 65535")
    }
    descriptor = socket(
      place.isLong ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error(address, port) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    do {
      if place.isLong {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = UInt16(port).bigEndian
        withUnsafeMutableBytes(of: &name.sin6_addr) { $0.copyBytes(from: place.bytes) }
        self.port = try Self.listen(descriptor, &name, address, port) { Int(UInt16(bigEndian: $0.sin6_port)) }
      } else {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        withUnsafeMutableBytes(of: &name.sin_addr) { $0.copyBytes(from: place.bytes) }
        self.port = try Self.listen(descriptor, &name, address, port) { Int(UInt16(bigEndian: $0.sin_port)) }
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func listen<Name>(
    _ descriptor: Int32, _ name: inout Name, _ address: String, _ port: Int, given: (Name) -> Int
  ) throws -> Int {
    var length = socklen_t(MemoryLayout<Name>.size)
    let done = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, length) == 0 && Foundation.listen(descriptor, 256) == 0
          && getsockname(descriptor, name, &length) == 0
      }
    }
    guard done else { throw error(address, port) }
    return given(name)
  }

  private static let free = "choose another with --port, or --port 0 for a free one"

  private static func error(_ address: String, _ port: Int) -> ServerError {
    switch errno {
    case EADDRINUSE:
      ServerError("port \(port) of \(address) is taken", remedy: free)
    case EACCES:
      ServerError("port \(port) may not be used by you", remedy: free)
    case EADDRNOTAVAIL:
      ServerError(
        "\(address) is not an address of this machine", remedy: "0.0.0.0 stands for every one it has")
    default:
      ServerError(
        "port \(port) of \(address) cannot be listened to: \(String(cString: strerror(errno)))", remedy: free)
    }
  }
}
