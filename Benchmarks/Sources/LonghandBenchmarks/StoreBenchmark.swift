import Foundation
import Longhand

/// The transcript store, filled with hours of talk: the time of a durable append, of the last page of a session, and of a
/// search.
///
/// The words are random, with the frequencies of natural words (Zipf). Searches have the same frequencies, and the last
/// word is often incomplete, as during typing. The time of a durable write to the disk is measured too: no append
/// can be faster.
struct StoreBenchmark {
  /// A segment every six seconds.
  private static let segmentsPerHour = 600
  private static let hoursPerSession = 10.0
  private static let wordCount = 20_000

  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    var talk = TalkGenerator(wordCount: Self.wordCount)
    let location = folder.appendingPathComponent("store")
    let store = try TranscriptStore(at: location)
    let started = ContinuousClock.now
    let sessions = try fill(store, &talk)
    let size = try FileManager.default.attributesOfItem(atPath: store.file.path)[.size] as? Int ?? 0
    report.add("store, audio", options.storeHours * 3600, unit: .seconds)
    report.add("store, filling it", Self.seconds(since: started), unit: .seconds)
    report.add("store, size", Double(size), unit: .bytes)

    // A newly opened store has no prepared statements and an empty cache.
    let opened = ContinuousClock.now
    let cold = try TranscriptStore(at: location)
    report.add("store, opening it", Self.seconds(since: opened) * 1000, unit: .fineMilliseconds)
    try addPages(cold, sessions, &report)
    try addSearches(cold, &talk, &report)
    try addAppends(cold, &talk, &report)
    let erased = ContinuousClock.now
    try cold.erase(sessions[0])
    report.add("store, erasing a session", Self.seconds(since: erased), unit: .seconds)
  }

  private func fill(_ store: TranscriptStore, _ talk: inout TalkGenerator) throws -> [String] {
    var sessions: [String] = []
    var left = options.storeHours
    while left > 0 {
      let session = RecordedSession(
        source: "talk", locale: "en-US", engine: "analyzer",
        start: Date(timeIntervalSinceReferenceDate: Double(sessions.count) * 86_400), state: .complete)
      try store.begin(session)
      let count = Int(min(left, Self.hoursPerSession) * Double(Self.segmentsPerHour))
      try store.append((0..<count).map { talk.segment($0) }, to: session.id)
      sessions.append(session.id)
      left -= Self.hoursPerSession
      Log.say("store: \(sessions.count) sessions")
    }
    return sessions
  }

  private func addPages(_ store: TranscriptStore, _ sessions: [String], _ report: inout Report) throws {
    let times = try sessions.map { session in
      try Self.measure { _ = try store.page(of: session, limit: 50) }
    }
    report.add("store, last page", Distribution(times), unit: .fineMilliseconds, goal: .atMost(20))
  }

  private func addSearches(
    _ store: TranscriptStore, _ talk: inout TalkGenerator, _ report: inout Report
  ) throws {
    var times: [Double] = []
    var hits = 0
    for _ in 0..<500 {
      let query = talk.query()
      times.append(try Self.measure { hits += try store.search(query).count })
    }
    report.add("store, hits of a search", Double(hits) / 500, unit: .count)
    report.add(
      "store, search", Distribution(times), unit: .fineMilliseconds, goal: .atMost(30))
  }

  private func addAppends(
    _ store: TranscriptStore, _ talk: inout TalkGenerator, _ report: inout Report
  ) throws {
    let session = RecordedSession(source: "live", locale: "en-US", engine: "analyzer", start: .now)
    try store.begin(session)
    let file = folder.appendingPathComponent("durable")
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else { return }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var appends: [Double] = []
    var writes: [Double] = []
    for id in 0..<1000 {
      let segment = talk.segment(id)
      appends.append(try Self.measure { try store.append(segment, to: session.id) })
      writes.append(
        try Self.measure {
          try handle.write(contentsOf: Data(count: 4096))
          try handle.synchronize()
        })
    }
    report.add(
      "store, durable append", Distribution(appends), unit: .fineMilliseconds, goal: .atMost(2))
    report.add("store, durable write of a page by the disk", Distribution(writes), unit: .fineMilliseconds)
    let added = zip(appends, writes).map { $0 - $1 }
    report.add("store, append less the disk's write", Distribution(added), unit: .fineMilliseconds)
  }

  /// The time of `body` in milliseconds.
  private static func measure(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return seconds(since: start) * 1000
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }
}
