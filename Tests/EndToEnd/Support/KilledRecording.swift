#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import TestSupport

  /// A recording of spoken tones that was killed during speech, and what must be true of it afterwards.
  struct KilledRecording {
    struct Segment: Hashable {
      var start: Double
      var text: String
    }

    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let speech: (samples: [Int16], words: [SpokenTones.Word])
    /// Frames that must be on the disk: all that had been spoken so long before.
    private let due: Int
    /// Seconds that had been spoken and are not on the disk.
    let lost: Double
    /// What had been written down when it was killed.
    let finals: [Segment]

    /// Records, and kills it.
    ///
    /// - Parameters:
    ///   - speech: what is said, at the pace of speech, and its words with their times.
    ///   - seconds: of speech until then.
    ///   - delay: what was spoken so many seconds ago must be on the disk.
    init(
      of speech: (samples: [Int16], words: [SpokenTones.Word]), engine: String, after seconds: Double,
      delay: Double
    ) async throws {
      self.speech = speech
      folder = try TemporaryFolder()
      var environment = try SpeechScript(faults: [:]).environment(in: folder.url)
      environment["LONGHAND_LIBRARY"] = folder.path("library")
      self.environment = environment
      let pipe = Pipe()
      let process = try LonghandProcess(
        ["record", "--from", "-", "--raw", "s16le:16000:1", "--format", "jsonl", "--engine", engine],
        input: .handle(pipe.fileHandleForReading), environment: environment)
      try pipe.fileHandleForReading.close()
      // In real time, once the recorder listens.
      for _ in 0..<6000 where Self.durable(in: folder) <= 0 {
        try pipe.fileHandleForWriting.write(contentsOf: Data(count: 320))
        try await Task.sleep(for: .milliseconds(10))
      }
      // The lead-in is silence.
      let lead = Self.durable(in: folder)
      let start = ContinuousClock.now
      var written: [(time: ContinuousClock.Instant, frames: Int)] = []
      var place = 0
      while place < speech.samples.count, (ContinuousClock.now - start) / .seconds(1) < seconds {
        let part = speech.samples[place..<min(place + 800, speech.samples.count)]
        try pipe.fileHandleForWriting.write(contentsOf: part.withUnsafeBytes { Data($0) })
        place += part.count
        written.append((.now, place))
        try await Task.sleep(until: start + .seconds(Double(place) / 16_000))
      }
      let killed = ContinuousClock.now
      process.send(SIGKILL)
      let result = try await process.result()
      try pipe.fileHandleForWriting.close()
      due = lead + (written.last { killed - $0.time >= .seconds(delay) }?.frames ?? 0)
      lost = Double(max(0, lead + place - Self.durable(in: folder))) / 16_000
      finals = try Self.finals(result.output)
    }

    /// The sound's file.
    var audio: URL? { folder.recordedSound }

    private static func samples(in folder: TemporaryFolder) -> [Int16] {
      let bytes = folder.recordedSamples
      return [Int16](unsafeUninitializedCapacity: bytes.count / 2) { samples, count in
        count = bytes.copyBytes(to: samples) / 2
      }
    }

    /// Frames that are on the disk.
    private static func durable(in folder: TemporaryFolder) -> Int { folder.recordedSamples.count / 2 }

    /// The segments that the session has.
    func segments() async throws -> [Segment] {
      let exported = try await LonghandProcess(["export", "last", "--json"], environment: environment)
        .result()
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(exported.output.utf8))
      return document.segments.map { Segment(start: $0.start, text: $0.text) }
    }

    /// Changes what is in the store, as only something that is broken would.
    func change(_ statement: String) throws {
      let script =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])"
      try Program.output(of: ["python3", "-c", script, folder.path("library/transcripts.sqlite"), statement])
    }

    /// Recovers it, a second time too.
    /// - Parameter between: is done between the two; a test breaks something there.
    /// - Returns: what is not as it must be; empty when all is well.
    func recover(between: () throws -> Void = {}) async throws -> [String] {
      var complaints: [String] = []
      let recorded = Self.samples(in: folder)
      if recorded.count < due { complaints.append("lost: \(due - recorded.count) frames of sound") }
      let first = try await LonghandProcess(["recover"], environment: environment).result()
      if first.status != 0 || !first.errors.isEmpty { complaints.append("recover: \(first.errors)") }
      let after = try await segments()
      if Array(after.prefix(finals.count)) != finals {
        complaints.append("changed: \(after), were \(finals)")
      }
      // Every word of which all is there, and no other. The noise of the speech begins where the digital silence ends.
      let offset = Double(recorded.firstIndex { $0 != 0 } ?? recorded.count) / 16_000
      let kept = Double(recorded.count) / 16_000
      let expected = speech.words.filter { $0.end + offset < kept - 0.05 }.map(\.number)
      let heard = SpokenTones.words(ofText: after.map(\.text).joined(separator: " "))
      if Array(heard.prefix(expected.count)) != expected || heard.count > expected.count + 1 {
        complaints.append("words: \(heard), said were \(expected)")
      }
      try between()
      let second = try await LonghandProcess(["recover"], environment: environment).result()
      let again = try await segments()
      if !second.output.isEmpty || second.status != 0 || again != after {
        complaints.append("second: \(second.output)\(again), was \(after)")
      }
      return complaints
    }

    private static func finals(_ output: String) throws -> [Segment] {
      try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard object?["type"] as? String == "final" else { return nil }
        return Segment(start: object?["start"] as? Double ?? -1, text: object?["text"] as? String ?? "")
      }
    }
  }
#endif
