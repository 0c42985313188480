import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct WyomingClientsTests {
  /// Connections that say nothing make room for others, and those that are being served do not.
  @Test func silentClientsMakeRoomForOthers() {
    var clients = WyomingClients()
    for socket in 0..<16 { #expect(clients.add(Int32(socket), now: Double(socket)) == (true, nil)) }
    #expect(clients.add(16, now: 16) == (true, 0))
    clients.note(.transcribing, of: 1, now: 17)
    clients.note(.sending, of: 2, now: 17)
    clients.note(.idle, of: 3, now: 18)
    #expect(clients.add(17, now: 19) == (true, 4))
    for socket in clients.sockets where socket > 2 { clients.note(.transcribing, of: socket, now: 20) }
    #expect(clients.add(18, now: 21) == (false, nil))
    #expect(clients.add(18, now: 27) == (true, 2), "it stopped in the middle of an utterance")
    clients.remove(1)
    #expect(clients.add(19, now: 28) == (true, nil))
    #expect(clients.sockets.count == 16)
  }

  /// Sends messages to a connection, and returns what it answers until it is closed.
  private func answers(_ messages: [(type: String, audio: Int)], free: Int64?) throws -> [WyomingEvent] {
    var sockets: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    defer { for socket in sockets { close(socket) } }
    let (mine, other) = (sockets[0], sockets[1])
    let connection = WyomingConnection(
      other, TranscriptionQueue(URL(fileURLWithPath: "/nowhere"), arguments: []),
      .init(model: "m", languages: [], locale: "en-US", version: "1"), freeBytes: { free })
    for message in messages {
      let head = #"{"type": "\#(message.type)", "payload_length": \#(message.audio)}"# + "\n"
      let bytes = Array(head.utf8) + [UInt8](repeating: 0, count: message.audio)
      #expect(send(mine, bytes, bytes.count, 0) == bytes.count)
    }
    shutdown(mine, Int32(SHUT_WR))
    connection.run()
    shutdown(other, Int32(SHUT_WR))
    let data = FileHandle(fileDescriptor: mine, closeOnDealloc: false).readDataToEndOfFile()
    var parser = WyomingParser()
    parser.add(data)
    var events: [WyomingEvent] = []
    while let event = try parser.next() { events.append(event) }
    return events
  }

  @Test func stopWithoutAStartIsAnswered() throws {
    let found = try answers([("audio-stop", 0), ("ping", 0)], free: nil)
    #expect(found.map(\.type) == ["transcript", "pong"])
    #expect(found.first?.data["text"] as? String == "")
  }

  /// The rest of a refused utterance is not taken for another one.
  @Test func utteranceWithoutRoomIsRefusedAsAWhole() throws {
    let messages: [(type: String, audio: Int)] = [
      ("audio-start", 0), ("audio-chunk", 3200), ("audio-chunk", 3200), ("audio-stop", 0), ("ping", 0),
    ]
    let found = try answers(messages, free: FormReceiver.reservedBytes - 1)
    #expect(found.map(\.type) == ["error", "error", "pong"])
    #expect(found.allSatisfy { $0.type == "pong" || $0.data["code"] as? String == "disk_full" })
  }
}
