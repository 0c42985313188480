import Foundation
import Longhand

@testable import LonghandRecording

/// A session of many hours, without sound, and one who goes on writing it: row N says "row N …".
struct LongSession: Sendable {
  private let store: TranscriptStore
  private let session: RecordedSession
  private let hasParagraphs: Bool
  /// Shows that a process works on the session. Unsafe, because a file is for one thread; this one is only kept.
  nonisolated(unsafe) private let hold: any RecordingFile

  var id: String { session.id }

  /// Writes so many rows into a new library.
  /// - Parameters:
  ///   - speakers: how many voices speak by turns, each three rows; 0 if they are not separated.
  ///   - hasParagraphs: whether rows without a long pause are one paragraph.
  init(rows: Int, library: String, speakers: Int = 0, hasParagraphs: Bool = false) throws {
    self.hasParagraphs = hasParagraphs
    let library = try Library(at: URL(fileURLWithPath: library))
    store = library.store
    session = RecordedSession(source: "Eight hours", locale: "en-US", engine: "analyzer", start: .now)
    try store.begin(session)
    let folder = library.recording(of: session.id)
    try SystemDisk().makeFolder(folder.url)
    hold = try SystemDisk().open(folder.audio, isNew: true)
    // Silence of the same length, of which only the header takes room.
    let format = RecordingFormat(sampleRate: 4000, channels: 1)
    let frames = Int64(Self.start(of: rows) * 4000)
    try hold.write(format.header(frames: frames), at: 0)
    guard truncate(folder.audio.path, off_t(format.offset(of: frames))) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    for first in stride(from: 0, to: rows, by: 1000) {
      try add(first..<min(first + 1000, rows))
    }
    guard speakers > 0 else { return }
    let turns = (0..<rows).map { row in
      SpeakerTurn(
        start: Self.start(of: row), end: Self.start(of: row + 1), speaker: "\(row / 3 % speakers)",
        confidence: 0.9)
    }
    try store.changeSpeakers(of: id) { $0.setTurns(turns) }
  }

  /// Writes rows that come after those there are, in one go.
  func add(_ rows: Range<Int>) throws {
    let segments = rows.map(segment)
    let spans = segments.flatMap { segment in
      [
        CoverageSpan(start: Self.start(of: segment.id), end: segment.start, kind: .silent),
        CoverageSpan(start: segment.start, end: segment.end, kind: .transcribed),
      ]
    }
    try store.commit(segments, spans, from: Self.start(of: rows.lowerBound), to: id)
    var longer = session
    longer.duration = Self.start(of: rows.upperBound)
    try store.update(longer)
  }

  /// Where the pause before a row begins, in seconds.
  private static func start(of row: Int) -> TimeInterval { Double(row) * 3 }

  private static let words = """
    the quick river was told by every neighbour that evening about seven letters which nobody had sent yet and so \
    it went on without any pause until somebody opened the heavy door
    """.split(separator: " ").map(String.init)

  /// Rows of one to a few lines, with readings, so that no two places look alike.
  private func segment(_ row: Int) -> Segment {
    let count = 3 + row * 7919 % 23
    let said = ["row", "\(row)"] + (0..<count).map { Self.words[(row * 31 + $0 * 17) % Self.words.count] }
    let start = Self.start(of: row) + (row.isMultiple(of: 10) ? 1.5 : 0.5)
    let end = Self.start(of: row + 1)
    let step = (end - start) / Double(said.count)
    let timed = said.enumerated().map { index, text in
      Word(
        text: text, start: start + Double(index) * step, end: start + Double(index + 1) * step,
        confidence: 0.5 + Double((row + index) % 50) / 100)
    }
    let first = Candidate(text: said.joined(separator: " "), words: timed, confidence: 0.9)
    var other = first
    other.text = (said.dropLast() + ["gate"]).joined(separator: " ")
    other.confidence = 0.4
    var segment = Segment(id: row, start: start, end: end, candidates: [first, other])
    // Each row can be seen.
    if !hasParagraphs { segment.paragraph = .begins }
    return segment
  }
}
