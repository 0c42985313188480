import Foundation
import Longhand
import Testing

@testable import LonghandArchive
@testable import LonghandRecording

/// The recovery of a library in which one session is damaged.
@Suite struct LibraryRecoveryTests {
  /// Adds an interrupted session with a second of silence or, if it is empty, without audio.
  private func add(_ id: String, to library: Library, isEmpty: Bool) throws {
    let writer = try RecordingWriter(
      library.recording(of: id),
      RecordingManifest(id: id, source: "talk.wav", format: NumberedRecording.format))
    if !isEmpty { writer.append(Data(count: 32_000)) }
    try writer.finish()
    _ = try library.store.add(["one"], StoreFixture.session(id))
  }

  @Test func aDamagedSessionDoesNotKeepTheOthersFromRecovery() async throws {
    let changes: [StaticString] = [
      #"UPDATE revision SET "end" = start - 1 WHERE session = 1"#,
      #"UPDATE coverage_span SET "end" = start - 1 WHERE session = 1"#,
      #"UPDATE session SET duration = 9e999 WHERE number = 1"#,
    ]
    for change in changes {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID())")
      defer { try? FileManager.default.removeItem(at: folder) }
      let library = try Library(at: folder)
      // They are recovered in the order of their IDs.
      let damaged = "00000000-0000-0000-0000-000000000001"
      let other = "00000000-0000-0000-0000-000000000002"
      try add(damaged, to: library, isEmpty: false)
      try add(other, to: library, isEmpty: true)
      try library.store.setCoverage([CoverageSpan(start: 0.5, end: 0.6, kind: .failed)], of: damaged)
      try library.store.write { try $0.execute(change) }
      let outcomes = try await library.recover()
      #expect(outcomes.count == 2, "\(change)")
      guard case .failed(damaged, let why)? = outcomes.first else {
        Issue.record("\(outcomes)")
        continue
      }
      #expect(why.contains("damaged"), "\(change)")
      #expect(try library.store.session(matching: other).state == .complete)
    }
  }

  @Test(arguments: [
    #""gaps" : [], "frames" : 9223372036854775807"#, #""gaps" : [], "frames" : -1"#,
    #""frames" : 5, "gaps" : [{"start" : 9223372036854775807, "frames" : 9, "reason" : "disk"}]"#,
    #""frames" : 5, "gaps" : [{"start" : 9, "frames" : -9, "reason" : "disk"}]"#,
  ])
  func aManifestWithImpossibleLengthsIsRefused(_ lengths: String) throws {
    let manifest = """
      {"version" : 1, "id" : "i", "start" : "2026-01-01T00:00:00Z", "source" : "s", "state" : "complete",
       "format" : {"sampleRate" : 16000, "channels" : 1}, \(lengths)}
      """
    #expect(throws: RecordingError.manifest("it has an impossible length or gap")) {
      try RecordingManifest(Data(manifest.utf8))
    }
  }
}
