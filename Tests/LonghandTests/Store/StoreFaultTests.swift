import Foundation
import Longhand
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

@Suite struct StoreFaultTests {
  @Test func filesAreReadableOnlyByTheirOwner() throws {
    try StoreFixture.temporary { store in
      _ = try store.add(["one"])
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      #expect(try mode(store.folder.path) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
      #expect(names == ["", "-shm", "-wal"].map { TranscriptStore.fileName + $0 })
      for name in names { #expect(try mode(store.folder.appendingPathComponent(name).path) == 0o600) }
    }
  }

  @Test func fullDiskIsReportedAndLosesNothing() throws {
    try StoreFixture.temporary(pragmas: ["PRAGMA max_page_count = 60"]) { store in
      let session = try store.add([])
      let text = String(repeating: "word ", count: 60)
      expect(.diskFull) {
        for id in 0..<1000 { try store.append(StoreFixture.segment(id, text), to: session) }
      }
      let count = try store.page(of: session, limit: 1000).count
      #expect(count > 2)
      #expect(count < 1000)
      // Here too, and where there is room the next one follows.
      let roomy = try TranscriptStore(at: store.folder)
      #expect(try roomy.search("word", limit: 1000).count == count)
      try roomy.append(StoreFixture.segment(count, "and on"), to: session)
    }
  }

  /// The log has what a killed process wrote, and there is no room for its index.
  @Test func logIsReadOnFullDisk() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one", "two"])
      try Folder.temporary { folder in
        for name in ["", "-wal"].map({ TranscriptStore.fileName + $0 }) {
          try FileManager.default.copyItem(
            at: store.folder.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
        let file = folder.appendingPathComponent(TranscriptStore.fileName)
        let database = try StoreDatabase.openOnFullDisk(file, role: .reader)
        #expect(try database.rows("SELECT text FROM revision") { $0.text(0) } == ["one", "two"])
        #expect(try database.rows("SELECT id FROM session") { $0.text(0) } == [session])
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.hasSuffix("-shm") } == 0
        )
      }
    }
  }

  @Test func errorNamesFolderThatCannotBeCreated() throws {
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("file")
      try Data().write(to: file)
      #expect {
        try TranscriptStore(at: file.appendingPathComponent("store"))
      } throws: {
        guard let error = $0 as? StoreError, case .unreachable = error.problem else { return false }
        return error.file == file.appendingPathComponent("store").path
      }
    }
  }

  @Test(.enabled(if: NSUserName() != "root", "nothing is forbidden to root"))
  func errorNamesReadOnlyFolder() throws {
    try Folder.temporary { folder in
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
      expect(.readOnly) { _ = try TranscriptStore(at: folder) }
    }
  }

  @Test func errorNamesReadOnlyFile() throws {
    try StoreFixture.temporary { store in
      expect(.readOnly) {
        _ = try TranscriptStore(at: store.folder, pragmas: ["PRAGMA query_only = ON"]).add([])
      }
    }
  }

  @Test func damageIsReportedWithoutACrash() throws {
    try StoreFixture.temporary { store in
      let session = try store.add(["one"])
      let changes: [StaticString] = [
        "UPDATE revision SET selection = 7", "UPDATE revision SET candidates = x'00'",
        "UPDATE revision SET candidates = '[]', selection = 0",
      ]
      for change in changes {
        try store.write { try $0.execute(change) }
        expect(.damaged("segment 0 cannot be read")) { _ = try store.page(of: session, limit: 1) }
      }
    }
  }

  /// Segments that cannot be, each with what is wrong with it.
  private static let impossible: [(Segment, String)] = {
    func segment(_ start: Double, _ end: Double, _ words: [(Double, Double)] = []) -> Segment {
      let words = words.map { Word(text: "w", start: $0.0, end: $0.1, confidence: 1) }
      let good = Candidate(text: "good", words: [], confidence: 1)
      return Segment(
        id: 0, start: start, end: end, candidates: [good, Candidate(text: "w", words: words, confidence: 1)])
    }
    let times = "segment 0 has impossible times"
    let word = "segment 0 has a word with impossible times"
    return [
      (segment(5, 4), times), (segment(-1, 4), times), (segment(0, .infinity), times),
      (segment(.nan, 1), times),
      (segment(0, .nan), times), (segment(0, 1e300), times), (segment(0, 5, [(2, 1)]), word),
      (segment(0, 5, [(0, .infinity)]), word), (segment(0, 5, [(.nan, 1)]), word),
      (segment(0, 5, [(3, 4), (1, 2)]), "segment 0 has words that are not in order"),
    ]
  }()

  @Test func impossibleSegmentsAreRefused() throws {
    for (segment, problem) in Self.impossible {
      try StoreFixture.temporary { store in
        let session = StoreFixture.session()
        try store.begin(session)
        expect(.invalid(problem)) { try store.append(segment, to: session.id) }
        try store.append(StoreFixture.segment(0, "one"), to: session.id)
        // A revision has the times of its segment.
        guard segment.candidates.contains(where: { $0.defect != nil }) else { return }
        expect(.invalid(problem)) {
          try store.revise(
            0, in: session.id, candidates: segment.candidates, selection: .recognizer, reason: "r")
        }
      }
    }
  }

  @Test func impossibleStoredSegmentsAreReportedWithoutACrash() throws {
    let changes: [StaticString] = [
      #"UPDATE revision SET "end" = start - 1"#, #"UPDATE revision SET "end" = 9e999"#,
      "UPDATE revision SET start = -9e999", #"UPDATE revision SET "end" = 1e300"#,
      "UPDATE revision SET revision = 9223372036854775807",
      "UPDATE revision SET channel = 9223372036854775807", "UPDATE revision SET channel = -1",
    ]
    for change in changes {
      try StoreFixture.temporary { store in
        let session = try store.add(["one"])
        try store.write { try $0.execute(change) }
        let error = #expect(throws: StoreError.self) { try store.page(of: session, limit: 1) }
        #expect(error?.isOfDamage == true, "\(change)")
      }
    }
  }

  @Test func impossibleStoredTimesAreReportedWithoutACrash() throws {
    let changes: [StaticString] = [
      #"UPDATE coverage_span SET "end" = start - 1"#, #"UPDATE coverage_span SET "end" = 9e999"#,
      #"UPDATE coverage_span SET "end" = 1e300"#, "UPDATE session SET duration = 9e999",
      "UPDATE session SET duration = -1", "UPDATE session SET start = 1e300",
    ]
    for change in changes {
      try StoreFixture.temporary { store in
        let session = try store.add(["one"])
        try store.setCoverage([CoverageSpan(start: 2, end: 5, kind: .failed)], of: session)
        try store.write { try $0.execute(change) }
        let error = #expect(throws: StoreError.self) { try store.transcript(of: session) }
        #expect(error?.isOfDamage == true, "\(change)")
      }
    }
  }
}

extension StoreError {
  fileprivate var isOfDamage: Bool { if case .damaged = problem { true } else { false } }
}
