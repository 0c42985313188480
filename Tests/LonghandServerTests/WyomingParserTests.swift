import Foundation
import Longhand
import Testing

@testable import LonghandServer

@Suite struct WyomingParserTests {
  @Test func messagesAreReadHoweverTheyAreDivided() throws {
    let chunk =
      Data(#"{"type": "audio-chunk", "data": {"rate": 8000}, "data_length": 14, "payload_length": 3}"#.utf8)
      + Data("\n".utf8) + Data(#"{"channels":1}"#.utf8) + Data([1, 10, 3])
    let bytes =
      WyomingEvent.bytes("describe", .object([])) + chunk + Data("{\"type\": \"audio-stop\"}\n".utf8)
    for size in [1, 2, 7, bytes.count] {
      var parser = WyomingParser()
      var events: [WyomingEvent] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.add(bytes[start..<min(bytes.count, start + size)])
        while let event = try parser.next() { events.append(event) }
      }
      #expect(events.map(\.type) == ["describe", "audio-chunk", "audio-stop"])
      #expect(events[1].payload == Data([1, 10, 3]))
      #expect(events[1].data["rate"] as? Int == 8000)
      #expect(events[1].data["channels"] as? Int == 1)
    }
  }

  @Test(
    arguments: [
      "GET / HTTP/1.1\n", "{}\n", "[]\n", #"{"type": "a", "payload_length": -1}"# + "\n",
      #"{"type": "a", "payload_length": 99999999}"# + "\n", #"{"type": "a", "data_length": 2}"# + "\n[]",
      String(repeating: "x", count: WyomingEvent.maxHead + 1),
    ])
  func invalidMessagesAreRejected(_ text: String) {
    var parser = WyomingParser()
    parser.add(Data(text.utf8))
    #expect(throws: WyomingParser.Malformed.self) { try parser.next() }
  }
}
