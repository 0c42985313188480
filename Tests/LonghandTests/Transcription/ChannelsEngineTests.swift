import Foundation
import Testing

@testable import LonghandArchive
@testable import LonghandRecording
@testable import LonghandTranscription
@testable import LonghandTranscripts

@Suite struct ChannelsEngineTests {
  /// Ten seconds of two channels: the first has the value 0.25, the second -0.5.
  private func withAudio(_ body: (RecordingAudio, TranscriptStore) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("channels-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let recording = RecordingFolder(folder.appendingPathComponent("recording"))
    let manifest = RecordingManifest(source: "call", format: RecordingFormat(sampleRate: 16_000, channels: 2))
    let writer = try RecordingWriter(recording, manifest)
    writer.append(
      (0..<160_000).reduce(into: Data()) { data, _ in data.append(contentsOf: [0, 0x20, 0, 0xC0]) })
    try writer.finish()
    try await body(RecordingAudio(recording, writer.manifest), try TranscriptStore(at: folder))
  }

  /// Recognizes on each channel what the test says, and checks its samples.
  private struct ChannelEngine: TranscriptionEngine {
    let selection = EngineSelection.rolling
    let events: [Float: [TranscriptionEvent]]

    func events(
      of audio: any AudioSource, from start: TimeInterval
    ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
      stream { emit in
        var samples: Set<Float> = []
        for try await chunk in audio.chunks(from: 0) { samples.formUnion(chunk.mono) }
        let value = try #require(samples.count == 1 ? samples.first : nil)
        for event in events[value] ?? [] {
          if case .final(_, let end, _, _) = event, end <= start { continue }
          emit(event)
        }
        emit(.processed(audio.duration))
      }
    }
  }

  private static let plan = ChannelPlan(mode: .separate, channels: 2, names: ["Anna", "Ben"])
  private static let engine = ChannelEngine(events: [
    0.25: [ScriptedEngine.final("one two", 1, 3), ScriptedEngine.final("five", 6, 7)],
    -0.5: [
      ScriptedEngine.final("three four", 2, 5), .failed(7...8, "it crashed"),
      .detected(8...9.5, "speech"),
    ],
  ])

  private func transcribe(
    _ audio: RecordingAudio, _ store: TranscriptStore, _ session: RecordedSession,
    by engine: any TranscriptionEngine = Self.engine
  ) async throws {
    try await SessionTranscription(
      store: store, session: session, engine: Self.plan.engine(engine), audio: audio, gaps: { [] },
      report: { _ in }, plan: Self.plan
    ).run()
  }

  @Test func channelsInterleaveAndHaveTheirSpeakers() async throws {
    try await withAudio { audio, store in
      let session = StoreFixture.session()
      try await transcribe(audio, store, session)
      let transcript = try store.transcript(of: session.id)
      #expect(transcript.segments.map(\.text) == ["one two", "three four", "five"])
      #expect(transcript.segments.map(\.channel) == [0, 1, 0])
      #expect(transcript.segments.map(\.id) == [0, 1, 2])
      // What is said at once keeps its times.
      #expect(transcript.segments[1].start == 2)
      #expect(transcript.segments.map(transcript.speakerName) == ["Anna", "Ben", "Anna"])
    }
  }

  /// A failure on one channel is not hidden by another one's text, and the seconds add up.
  @Test func coverageAddsUpOverChannels() async throws {
    try await withAudio { audio, store in
      let session = StoreFixture.session()
      try await transcribe(audio, store, session)
      let spans = try store.coverageSpans(of: session.id)
      #expect(spans.tile(10))
      let coverage = Coverage(spans)
      #expect(coverage.transcribed == 5)
      #expect(coverage.failed == 1)
      #expect(coverage.wordless == 1.5)
      #expect(spans.first { $0.kind == .failed }?.reason == "channel 2: it crashed")
    }
  }

  /// After a crash in the middle, everything is there once.
  @Test func interruptedWorkGoesOnInEachChannel() async throws {
    struct Crash: Error {}
    struct CrashingEngine: TranscriptionEngine {
      let selection = EngineSelection.rolling
      let isProcessed = AsyncStream.makeStream(of: Void.self)
      func events(
        of audio: any AudioSource, from start: TimeInterval
      ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
        stream { emit in
          var samples: Set<Float> = []
          for try await chunk in audio.chunks(from: 0) { samples.formUnion(chunk.mono) }
          guard samples == [0.25] else {
            emit(ScriptedEngine.final("three four", 2, 5))
            emit(.processed(5.5))
            isProcessed.continuation.finish()
            return try await Task.sleep(for: .seconds(60))
          }
          for await _ in isProcessed.stream {}
          emit(ScriptedEngine.final("one two", 1, 3))
          emit(ScriptedEngine.final("five", 6, 7))
          throw Crash()
        }
      }
    }
    try await withAudio { audio, store in
      let session = StoreFixture.session()
      await #expect(throws: Crash.self) {
        try await transcribe(audio, store, session, by: CrashingEngine())
      }
      // How much is committed depends on the moment of the crash. "five" waits for the other channel.
      let committed = try store.transcript(of: session.id).segments.map(\.text)
      #expect(["one two", "three four"].starts(with: committed))
      try await transcribe(audio, store, session)
      #expect(try store.transcript(of: session.id).segments.map(\.text) == ["one two", "three four", "five"])
      #expect(try store.coverageSpans(of: session.id).tile(10))
    }
  }

  /// A new decoding of one channel does not take the place of the other's words.
  @Test func retranscriptionKeepsChannelsAndAssignments() async throws {
    try await withAudio { audio, store in
      let session = StoreFixture.session()
      try await transcribe(audio, store, session)
      let third = try store.segment(2, in: session.id)
      try store.changeSpeakers(of: session.id) {
        try $0.rename("Ben", to: "Benjamin")
        try $0.assign(third, to: "Carl")
      }
      let library = try Library(at: audio.file.deletingLastPathComponent().deletingLastPathComponent())
      var new = try store.transcript(of: session.id).segments.map(\.withoutSpeakers)
      let word = Word(text: "thirty", start: 2.1, end: 3, confidence: 0.5)
      let fourth = Word(text: "four", start: 3.5, end: 5, confidence: 0.5)
      new[1].candidates = [Candidate(text: "thirty four", words: [word, fourth], confidence: 0.5)]
      let added = Word(text: "zero", start: 0.1, end: 0.6, confidence: 0.5)
      new.insert(
        Segment(
          id: 0, start: 0.1, end: 0.6, candidates: [Candidate(text: "zero", words: [added], confidence: 0.5)],
          channel: 1), at: 0)
      _ = try await library.revise(
        session, by: new, [], duration: 10,
        CandidateReranker(policy: .disabled, locale: Locale(identifier: "en-US")))
      let transcript = try library.store.transcript(of: session.id)
      #expect(transcript.segments.map(\.text) == ["zero", "one two", "thirty four", "five"])
      #expect(transcript.segments.map(\.channel) == [1, 0, 1, 0])
      #expect(transcript.segments.map(transcript.speakerName) == ["Benjamin", "Anna", "Benjamin", "Carl"])
      #expect(transcript.segments[3].speaker?.basis == .person)
    }
  }
}
