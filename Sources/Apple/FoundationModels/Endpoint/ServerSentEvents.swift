import Foundation

/// Takes the data of server-sent events out of bytes as they come, however they are cut.
struct ServerSentEvents {
  private var line: [UInt8] = []
  private var data: [String] = []
  private var endedWithReturn = false

  /// - Returns: the data of the events that are whole now.
  mutating func take(_ bytes: Data) -> [String] {
    var events: [String] = []
    for byte in bytes {
      let isSecondHalf = byte == 0x0A && endedWithReturn
      endedWithReturn = byte == 0x0D
      if isSecondHalf { continue }
      if byte == 0x0A || byte == 0x0D {
        endLine(&events)
      } else {
        line.append(byte)
      }
    }
    return events
  }

  /// - Returns: the data of an event that is not followed by an empty line.
  mutating func finish() -> [String] {
    var events: [String] = []
    endLine(&events)
    endLine(&events)
    return events
  }

  private mutating func endLine(_ events: inout [String]) {
    defer { line = [] }
    guard line.isEmpty else {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("data:") { data.append(String(text.dropFirst(text.hasPrefix("data: ") ? 6 : 5))) }
      return
    }
    if !data.isEmpty { events.append(data.joined(separator: "\n")) }
    data = []
  }
}
