import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct AudioTests {
  @Test func rangeOfTheAudioIsSent() async throws {
    try await TestServer.run { server in
      let id = try server.begin()
      #expect(try server.ask("/api/sessions/\(id)/audio").status == 404)
      _ = try server.record(id, seconds: 2, isComplete: true)
      let file = try Data(contentsOf: server.library.recording(of: id).audio)
      let target = "/api/sessions/\(id)/audio"
      let whole = try server.ask(target)
      #expect(whole.status == 200)
      #expect(whole.body == file)
      #expect(whole.headers["accept-ranges"] == "bytes")
      for (header, range) in [
        ("bytes=0-79", 0..<80), ("bytes=40-20000", 40..<20_001), ("bytes=32000-", 32_000..<32_080),
        ("bytes=-80", 32_000..<32_080), ("bytes=100-999999", 100..<32_080),
      ] {
        let part = try server.ask(target, ["Range": header])
        #expect(part.status == 206)
        #expect(part.body == file[range])
        #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/32080")
      }
      let beyond = try server.ask(target, ["Range": "bytes=32080-"])
      #expect(beyond.status == 416)
      #expect(beyond.headers["content-range"] == "bytes */32080")
      #expect(try server.ask(target, ["Range": "bytes=0-1,5-6"]).body == file)
      #expect(try server.ask("HEAD", target).headers["content-length"] == "32080")
    }
  }

  /// Audio that is not flushed is not sent, and a file with `until` keeps its length.
  @Test func audioGrowsDuringTheRecording() async throws {
    try await TestServer.run { server in
      let id = try server.begin()
      let writer = try server.record(id, seconds: 1, isComplete: false)
      let target = "/api/sessions/\(id)/audio"
      writer.append(TestServer.samples(seconds: 1))
      #expect(try server.ask(target).body.count == 80 + 16_000)
      // A writer that was killed has left bytes after the end.
      let file = try FileHandle(forWritingTo: server.library.recording(of: id).audio)
      try file.seekToEnd()
      try file.write(contentsOf: Data(count: 333))
      #expect(try server.ask(target).body.count == 80 + 16_000)
      #expect(try server.ask("/api/sessions/\(id)").json["duration"] as? Double == 1)
      try writer.flush()
      let grown = try server.ask(target)
      #expect(grown.body.count == 80 + 32_000)
      #expect(grown.body.dropFirst(80) == TestServer.samples(seconds: 1) + TestServer.samples(seconds: 1))
      let first = try server.ask(target + "?until=0.5")
      #expect(first.body.count == 80 + 8000)
      #expect(first.body[76..<80].elementsEqual([0x40, 0x1F, 0, 0]))
      let part = try server.ask(target + "?until=0.5", ["Range": "bytes=8000-"])
      #expect(part.headers["content-range"] == "bytes 8000-8079/8080")
    }
  }

  @Test func waveformFollowsTheAudio() async throws {
    try await TestServer.run { server in
      let id = try server.begin()
      _ = try server.record(id, seconds: 3, isComplete: true)
      let peaks = try server.ask("/api/sessions/\(id)/waveform?points=10").json
      let values = try #require(peaks["peaks"] as? [Double])
      #expect(values.count == 10)
      #expect(values == values.sorted())
      #expect(peaks["to"] as? Double == 3)
      #expect(abs(values[9] - 23_999.0 / 32_768) < 0.001)
      let part = try server.ask("/api/sessions/\(id)/waveform?from=1&to=2&points=4000").json
      #expect((part["peaks"] as? [Double])?.count == 4000)
      #expect(part["from"] as? Double == 1)
      #expect(
        (try server.ask("/api/sessions/\(id)/waveform?from=5&to=1&points=2").json["peaks"] as? [Double])?
          .count == 2)
      for query in ["points=0", "points=4001", "from=-1", "to=nan"] {
        #expect(try server.ask("/api/sessions/\(id)/waveform?\(query)").status == 400)
      }
    }
  }
}
