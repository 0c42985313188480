import Foundation
import Longhand
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The page of `longhand serve` in Chromium, with a library of 2,000 sessions and a session of ten hours to which segments are
/// added: the first paint, the search, scrolling, memory, and the time from a commit to the text on the page.
struct PageBenchmark {
  private static let sessions = 2000
  /// The segments of each.
  private static let length = 100
  private static let rows = 30_000
  /// Seconds of each row: ten hours in all.
  private static let seconds = 1.2
  private static let more = 300

  /// The figures of `Tests/EndToEnd/Page/figures.py` that have a goal.
  private static let goals: [String: Double] = [
    "first paint of the library": 500, "first paint, first visit": 500, "first paint, second visit": 500,
    "from a letter in the search to its results, 95th percentile": 100,
    "from a typed word to its results, 95th percentile": 100, "longest frame while scrolling": 50,
    "memory of the page": 150e6, "from commit to the page's text, 95th percentile": 150,
  ]

  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    var talk = TalkGenerator(wordCount: 20_000)
    let location = folder.appendingPathComponent("library")
    let store = try Library(at: location).store
    let session = try fill(store, &talk)
    // Shows the server that a program is recording the session.
    let recording = location.appendingPathComponent("recordings/\(session)")
    try FileManager.default.createDirectory(at: recording, withIntermediateDirectories: true)
    let audio = recording.appendingPathComponent("audio.wav")
    let hold = open(audio.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard hold >= 0, flock(hold, LOCK_EX | LOCK_NB) == 0 else {
      throw Program.Failure(description: "\(audio.path) cannot be locked")
    }
    defer { close(hold) }
    let queries = (0..<20).map { _ in talk.query() }
    let server = try Server(options.longhand, library: location, folder: folder)
    defer { server.stop() }
    let signal = folder.appendingPathComponent("more")
    let writer = Writer(store, session, talk: talk, signal: signal)
    Thread.detachNewThread { writer.run(from: Self.rows, count: Self.more) }
    defer { writer.stop() }
    let python = try Program.run(["Scripts/test-python"], in: folder).output
    let run = try Program.run(
      [
        String(decoding: python, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines), "-B",
        "Tests/EndToEnd/Page/figures.py", server.address, session, "\(Self.rows)", "\(Self.more)",
        signal.path,
        folder.appendingPathComponent("screenshots").path,
      ] + queries, in: folder, name: "page")
    for line in String(decoding: run.output, as: UTF8.self).split(separator: "\n") {
      let parts = line.components(separatedBy: ": ")
      guard parts.count == 3, parts[0] == "figure", let value = Double(parts[2].prefix { $0 != " " }) else {
        continue
      }
      let unit: Figure.Unit =
        parts[2].hasSuffix("ms") ? .milliseconds : parts[2].hasSuffix("bytes") ? .bytes : .count
      report.add("page, \(parts[1])", value, unit: unit, goal: Self.goals[parts[1]].map(Goal.atMost))
    }
  }

  /// - Returns: the ID of the long session.
  private func fill(_ store: TranscriptStore, _ talk: inout TalkGenerator) throws -> String {
    for number in 0..<Self.sessions {
      let session = RecordedSession(
        source: "talk \(number)", locale: "en-US", engine: "analyzer",
        start: Date(timeIntervalSinceNow: -3600 * Double(Self.sessions - number)), state: .complete)
      try store.begin(session)
      try store.append((0..<Self.length).map { talk.segment($0) }, to: session.id)
    }
    Log.say("page: \(Self.sessions) sessions")
    var long = RecordedSession(
      source: "ten hours", locale: "en-US", engine: "analyzer", start: .now, state: .recording)
    try store.begin(long)
    long.duration = Double(Self.rows) * Self.seconds
    try store.update(long)
    for first in stride(from: 0, to: Self.rows, by: 1000) {
      try store.append((first..<first + 1000).map { talk.segment($0, length: Self.seconds) }, to: long.id)
    }
    Log.say("page: \(Self.rows) rows")
    return long.id
  }
}

extension PageBenchmark {
  /// A running `longhand serve`.
  private final class Server {
    let address: String
    private let process = Process()

    init(_ program: String, library: URL, folder: URL) throws {
      let output = folder.appendingPathComponent("serve-output")
      try Data().write(to: output)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [program, "serve", "--port", "0", "--library", library.path]
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = FileHandle.nullDevice
      try process.run()
      let deadline = Date(timeIntervalSinceNow: 60)
      while true {
        if let line = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").first {
          address = String(line)
          return
        }
        guard Date() < deadline, process.isRunning else {
          throw Program.Failure(description: "longhand serve did not start")
        }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }

    func stop() {
      process.interrupt()
      process.waitUntilExit()
    }
  }

  /// Adds segments to a session, one by one, and notes when.
  private final class Writer: Sendable {
    private let store: TranscriptStore
    private let session: String
    private let talk: TalkGenerator
    private let signal: URL
    private let isStopped = Mutex(false)

    init(_ store: TranscriptStore, _ session: String, talk: TalkGenerator, signal: URL) {
      self.store = store
      self.session = session
      self.talk = talk
      self.signal = signal
    }

    func stop() { isStopped.withLock { $0 = true } }

    func run(from first: Int, count: Int) {
      var talk = talk
      var commits: [String] = []
      while !FileManager.default.fileExists(atPath: signal.path) {
        if isStopped.withLock({ $0 }) { return }
        Thread.sleep(forTimeInterval: 0.02)
      }
      for row in first..<first + count where !isStopped.withLock({ $0 }) {
        do {
          try store.append(talk.segment(row, length: PageBenchmark.seconds), to: session)
          commits.append("\(Date.now.timeIntervalSince1970)")
          try commits.joined(separator: "\n")
            .write(to: signal.appendingPathExtension("commits"), atomically: true, encoding: .utf8)
        } catch {
          Log.say("page: \(error)")
          return
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }
}
