import Foundation
import Longhand
import Synchronization

/// The transcript store, filled with hours of talk: the time of a durable append, of the last page of a session, of a search,
/// and of a division in a long session.
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
    try addDivisions(cold, &talk, &report)
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

  /// The segments of the session that is divided: 50 hours.
  private static let dividedSegments = 30_000

  /// What a division costs at the beginning, in the middle and at the end, and how long another program waits to write.
  private func addDivisions(
    _ store: TranscriptStore, _ talk: inout TalkGenerator, _ report: inout Report
  ) throws {
    let session = RecordedSession(
      source: "long", locale: "en-US", engine: "analyzer", start: .now, state: .complete)
    try store.begin(session)
    let segments = (0..<Self.dividedSegments).map { talk.segment($0) }
    try store.append(segments, to: session.id)
    try store.setCoverage(
      segments.map { CoverageSpan(start: $0.start, end: $0.end, kind: .transcribed) }, of: session.id)
    // Another connection, as that of another program.
    let other = try TranscriptStore(at: store.file.deletingLastPathComponent())
    let live = RecordedSession(source: "live", locale: "en-US", engine: "analyzer", start: .now)
    try other.begin(live)
    let isDone = Atomic(false)
    let waits = Mutex<[Double]>([])
    let segment = talk.segment(0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var segment = segment
      while !isDone.load(ordering: .relaxed) {
        guard let wait = try? Self.measure({ try other.append(segment, to: live.id) }) else { break }
        waits.withLock { $0.append(wait) }
        segment.id += 1
      }
      ended.signal()
    }
    for (name, key) in [("first", 0), ("middle", segments.count / 2), ("last", segments.count - 1)] {
      let words = segments[key].text.split(separator: " ").map(String.init)
      let parts = [words.prefix(1), words.dropFirst()].map { $0.joined(separator: " ") }
      let before = Self.processorMilliseconds
      try store.edit([key], to: parts, in: session.id)
      let divided = Self.processorMilliseconds
      try store.undo(in: session.id)
      report.add(
        "store, dividing the \(name) of 30,000 segments, processor", divided - before,
        unit: .fineMilliseconds, goal: .atMost(50))
      report.add(
        "store, taking it back, processor", Self.processorMilliseconds - divided, unit: .fineMilliseconds,
        goal: .atMost(50))
    }
    isDone.store(true, ordering: .relaxed)
    ended.wait()
    report.add(
      "store, longest append of another program meanwhile", waits.withLock { $0.max() ?? 0 },
      unit: .fineMilliseconds, goal: .atMost(200))
  }

  /// The processor time of this thread.
  private static var processorMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
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
