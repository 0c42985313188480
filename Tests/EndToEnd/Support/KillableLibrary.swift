#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import StoreAuditing

  /// A library whose recognizer is the scripted service, with a recording whose words are known, and what must be true of
  /// it after a process was killed.
  struct KillableLibrary {
    /// A library whose recognizer takes minutes for the last utterance.
    static func slow() throws -> KillableLibrary {
      let words = [[0, 5, 11], [7, 9], [22, 16], [3, 8], [12, 2]]
      let library = try KillableLibrary(saying: words, pause: 5, isPatient: true)
      try library.setSlow(true)
      return library
    }

    /// Makes the recognizer slow, or not. It counts the utterances from 0 again.
    func setSlow(_ isSlow: Bool) throws {
      try? FileManager.default.removeItem(atPath: folder.path("script.json.state"))
      let script = SpeechScript(faults: isSlow ? [4: [.late(seconds: 300)]] : [:], isHopeless: isSlow)
      _ = try script.environment(in: folder.url)
    }

    let folder: TemporaryFolder
    let environment: [String: String]
    /// The words of the recording, as text.
    let text: String
    /// The length of the recording in seconds.
    let seconds: Double

    /// - Parameters:
    ///   - words: the words of each utterance.
    ///   - pause: seconds of silence after each utterance.
    ///   - isPatient: whether the program waits for the recognizer for as long as it takes; it has only one.
    init(
      saying words: [[Int]] = [[0, 5, 11], [7, 9], [22, 16]], pause: Double = 20, isPatient: Bool = false
    ) throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("temporary"), withIntermediateDirectories: true)
      var environment = try SpeechScript().environment(in: folder.url)
      environment["LONGHAND_LIBRARY"] = folder.path("library")
      if isPatient {
        environment["SPEECH_SERVICE_PATIENCE"] = "600"
        // The order of the utterances is always the same.
        environment["SPEECH_SERVICE_COUNT"] = "1"
      }
      environment["TMPDIR"] = folder.path("temporary")
      self.environment = environment
      seconds = Double(try Self.write(words, pause: pause, to: folder.path("talk.wav"))) / 16_000
      text = SpokenTones.text(of: words.flatMap(\.self))
    }

    /// Writes a recording; the number of its samples.
    @discardableResult static func write(_ words: [[Int]], pause: Double, to path: String) throws -> Int {
      var samples = [Int16](repeating: 0, count: 8000)
      for utterance in words {
        samples += SpokenTones.sound(of: utterance) + [Int16](repeating: 0, count: Int(pause * 16_000))
      }
      var state: UInt32 = 7
      for index in samples.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        samples[index] = samples[index] &+ Int16(state >> 29) - 4
      }
      try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: path)
      return samples.count
    }

    var talk: String { folder.path("talk.wav") }

    func start(_ arguments: [String], input: LonghandProcess.Input = .empty) throws -> LonghandProcess {
      try LonghandProcess(arguments, input: input, environment: environment)
    }

    func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await start(arguments).result()
    }

    /// Runs a line of bash.
    func shell(_ line: String) async throws -> LonghandProcess.Result {
      try await LonghandProcess.shell(line, environment: environment)
    }

    func open() throws -> Library { try Library(at: folder.url.appendingPathComponent("library")) }

    /// The names of the recordings' folders.
    var recordings: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path("library/recordings")))?.sorted()
        ?? []
    }

    /// The text of the manifest of the only recording; empty if there is none.
    var manifest: String {
      guard let name = recordings.first else { return "" }
      return (try? folder.read("library/recordings/\(name)/manifest.json")) ?? ""
    }

    /// The words of a session.
    func words(of session: RecordedSession, in library: Library) throws -> String {
      SpokenTones.text(
        of: SpokenTones.words(
          ofText: try library.transcript(of: session).segments.map(\.text).joined(separator: " ")))
    }

    /// Kills a process some milliseconds after a condition holds; false if it had ended before.
    @discardableResult func kill(
      _ arguments: [String], after milliseconds: Int, when condition: () -> Bool = { true }
    ) async throws -> Bool {
      let process = try start(arguments)
      while process.isRunning, !condition() { try await Task.sleep(for: .milliseconds(1)) }
      try await Task.sleep(for: .milliseconds(milliseconds))
      process.send(SIGKILL)
      return try await process.result().status == 128 + SIGKILL
    }

    /// The files of the library and of the folder for temporary files that are not needed.
    func leftovers() throws -> [String] {
      let names =
        FileManager.default.enumerator(atPath: folder.path("library"))?.allObjects as? [String] ?? []
      let store = ["", "-wal", "-shm"].map { TranscriptStore.fileName + $0 }
      let sessions = Set(try open().store.sessions(limit: .max).map(\.id))
      let needed =
        store + ["recordings"]
        + sessions.flatMap { id in
          ["", "/audio.wav", "/manifest.json"].map { "recordings/\(id)\($0)" }
        }
      return names.filter { !needed.contains($0) }
        + (try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")))
    }

    /// Whether the bytes of a text are in any file of the library or of the folder for temporary files.
    func holds(_ text: String) throws -> Bool {
      for place in ["library", "temporary"] {
        let names = FileManager.default.enumerator(atPath: folder.path(place))?.allObjects as? [String] ?? []
        for name in names where !name.hasSuffix("audio.wav") {
          let data = FileManager.default.contents(atPath: folder.path("\(place)/\(name)")) ?? Data()
          if data.range(of: Data(text.utf8)) != nil { return true }
        }
      }
      return false
    }

    /// What is not as it must be of a session that is called complete; empty if all is well.
    func complaints(about session: RecordedSession, in library: Library) throws -> [String] {
      var complaints: [String] = []
      if session.state != .complete { complaints.append("state \(session.state)") }
      if abs(session.duration - seconds) > 0.001 { complaints.append("duration \(session.duration)") }
      let spans = try library.coverageSpans(of: session)
      if spans.contains(where: { $0.kind == .pending || $0.kind == .gap || $0.kind == .failed }) {
        complaints.append("coverage \(spans)")
      }
      if abs((spans.last?.end ?? 0) - seconds) > 0.001 { complaints.append("coverage ends early") }
      let words = try words(of: session, in: library)
      if words != text { complaints.append("words \(words)") }
      let audio = try Data(contentsOf: library.recording(of: session.id).audio).dropFirst(80)
      if try audio != Data(contentsOf: URL(fileURLWithPath: talk)).dropFirst(44) {
        complaints.append("audio")
      }
      complaints += try library.store.audit().problems
      return complaints
    }
  }
#endif
