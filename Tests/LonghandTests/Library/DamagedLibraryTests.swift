import Foundation
import Longhand
import ScriptedSpeech
import StoreAuditing
import TestSupport
import Testing

@testable import LonghandArchive

/// Documents of a library with random changes: nothing crashes or hangs, and other sessions stay readable.
@Suite struct DamagedLibraryTests {
  /// 500 in `make soak`.
  private static let rounds = isSoak ? 500 : 30

  /// Documents of one session, or the store's file as a whole.
  private enum Document: CaseIterable { case manifest, header, row, candidates, file, log }

  /// Two complete sessions with audio and text, and one that was interrupted.
  private func fill(_ library: Library) throws -> [String] {
    try (0..<3).map { index in
      var session = StoreFixture.session(start: Double(index))
      let id = try library.store.add(["one two three", "ordinary words \(index)"], session)
      try library.store.setCoverage([CoverageSpan(start: 0, end: 2, kind: .transcribed)], of: id)
      var manifest = NumberedRecording.manifest()
      if index == 2 { manifest.origin = ImportedFile(library.url, duration: 5) }
      let writer = try RecordingWriter(library.recording(of: id), manifest)
      writer.append(NumberedRecording.samples(0..<32_000))
      try index == 2 ? writer.flush() : writer.finish()
      (session.state, session.duration) = (index == 2 ? .importing : .complete, 2)
      try library.store.update(session)
      return id
    }
  }

  private static func mutate(_ data: inout Data, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...8, using: &random) where !data.isEmpty {
      let index = data.indices.randomElement(using: &random) ?? data.startIndex
      switch Int.random(in: 0..<5, using: &random) {
      case 0: data[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: data[index] = UInt8.random(in: 0...255, using: &random)
      case 2: data.insert(contentsOf: "99999999999999999999".utf8, at: index)
      case 3: data.removeSubrange(index..<min(data.endIndex, index + Int.random(in: 1...40, using: &random)))
      default:
        let end = min(data.endIndex, index + Int.random(in: 1...400, using: &random))
        data.replaceSubrange(index..<end, with: Data(repeating: 0xFF, count: end - index))
      }
    }
  }

  private static func mutate(_ file: URL, _ random: inout SeededGenerator) throws {
    guard var data = FileManager.default.contents(atPath: file.path) else { return }
    mutate(&data, &random)
    try data.write(to: file)
  }

  /// Values that a column must not have.
  private static let values: [StaticString] = [
    "-1", "9e999", "-9e999", "NULL", "''", "x'00ff'", "9223372036854775807", "'\u{1F600}'", "1e300", "0",
  ]

  private static func change(_ store: TranscriptStore, _ session: String, _ random: inout SeededGenerator)
    throws
  {
    let columns: [(table: String, key: String, names: [String])] = [
      ("session", "number", ["start", "state", "source", "locale", "engine", "duration", "folder"]),
      (
        "revision", "session",
        ["segment", "revision", "start", "\"end\"", "selection", "rule", "date", "text"]
      ),
      ("coverage_span", "session", ["start", "\"end\"", "kind", "reason"]),
    ]
    let (table, key, names) = columns[Int.random(in: 0..<3, using: &random)]
    let name = names.randomElement(using: &random) ?? ""
    let value = values.randomElement(using: &random) ?? "0"
    let change = """
      UPDATE OR IGNORE \(table) SET \(name) = \(value) WHERE \(key) = \
      (SELECT number FROM session WHERE id = '\(session)')
      """
    try store.write { try $0.execute(text: change) }
  }

  /// Reads everything, and recovers without a recognizer.
  private func use(_ library: Library) async {
    let sessions = (try? library.store.sessions(limit: .max)) ?? []
    for session in sessions {
      _ = library.activity(of: session)
      _ = library.duration(of: session)
      _ = try? library.coverageSpans(of: session)
      if let transcript = try? library.transcript(of: session) {
        for format in TranscriptFormat.allCases {
          _ = TranscriptFormatter(format: format).string(for: transcript)
        }
      }
      _ = try? library.store.status(of: session.id)
      _ = try? library.store.revisions(of: 0, in: session.id)
      _ = try? StoredAudio(of: library.recording(of: session.id)).peaks(from: 0, to: 2, points: 10)
    }
    _ = try? library.store.search("ordinary")
    _ = try? library.store.audit()
    _ = try? library.interruptedSessions()
    for session in sessions where !session.state.isFinal {
      _ = try? RecordingRecovery().recover(library.recording(of: session.id))
    }
  }

  @Test(.timeLimit(.minutes(60))) func damageIsAnErrorOfOneSession() async throws {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("damaged-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let whole = base.appendingPathComponent("whole")
    var ids: [String] = []
    do {
      let library = try Library(at: whole)
      ids = try fill(library)
    }
    var random = SeededGenerator(seed: 16)
    for round in 0..<Self.rounds {
      let copy = base.appendingPathComponent("copy")
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: whole, to: copy)
      let document = Document.allCases[round % Document.allCases.count]
      let session = ids[Int.random(in: 1...2, using: &random)]
      let folder = RecordingFolder(copy.appendingPathComponent("recordings/\(session)"))
      switch document {
      case .manifest: try Self.mutate(folder.manifest, &random)
      case .header:
        var data = try Data(contentsOf: folder.audio)
        var header = data.prefix(80)
        Self.mutate(&header, &random)
        data = header.prefix(80) + data.dropFirst(80)
        try data.write(to: folder.audio)
      case .row: try Self.change(try TranscriptStore(at: copy), session, &random)
      case .candidates:
        let store = try TranscriptStore(at: copy)
        var data = CandidateCoding.data(StoreFixture.segment(0, "one two three").candidates)
        Self.mutate(&data, &random)
        let blob = data
        try store.write { database in
          let number = try database.row("SELECT number FROM session WHERE id = ?", .text(session)) {
            $0.integer(0)
          }
          try database.run(
            "UPDATE revision SET candidates = ? WHERE session = ?", .data(blob), .integer(number ?? 0))
        }
      case .file: try Self.mutate(copy.appendingPathComponent(TranscriptStore.fileName), &random)
      case .log:
        try Data((0..<9000).map { _ in UInt8.random(in: 0...255, using: &random) }).write(
          to: copy.appendingPathComponent(TranscriptStore.fileName + "-wal"))
      }
      guard let library = try? Library(at: copy) else {
        #expect(document == .file || document == .log, "round \(round)")
        continue
      }
      await use(library)
      guard document != .file, document != .log else { continue }
      // The first session is not damaged.
      let kept = try library.store.session(matching: ids[0])
      #expect(try library.store.sessions().contains { $0.id == kept.id }, "round \(round)")
      #expect(try library.transcript(of: kept).segments.count == 2, "round \(round)")
    }
    #if os(Linux)
      let peak = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("VmHWM") }?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
      #expect(try #require(peak) < 1_000_000, "kilobytes")
    #endif
  }
}
