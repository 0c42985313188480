import Foundation
import Testing

extension RecordingTests {
  /// A disk that is full while a recording is made.
  @Suite struct RecordFullDiskTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    /// Kilobytes that the system lets a file have in these tests.
    private static let room = 400

    /// Records a minute where there is room for less, and gives up when no more fits.
    private func record(within room: String, for seconds: Int = 60) async throws -> LonghandProcess.Result {
      try Recordings.repeated(seconds: 60, to: folder.path("minute.wav"))
      let process = try LonghandProcess(
        [
          "trap '' XFSZ; ulimit -f \(room); exec longhand record --for \(seconds) --from - < \(folder.path("minute.wav"))"
        ],
        environment: environment, shell: true)
      // A pipe is held up until there is room, so that nothing of it is lost; this user gives up.
      for _ in 0..<3000 where process.isRunning && folder.recordedSamples.count < Self.room * 1000 {
        try await Task.sleep(for: .milliseconds(20))
      }
      try await Task.sleep(for: .seconds(2))
      process.send(SIGINT)
      return try await process.result()
    }

    /// Messages that are missing, and what is missing from the recording after there is room again.
    private func complaints(of result: LonghandProcess.Result) async throws -> [String] {
      var complaints: [String] = []
      if result.status != 1 { complaints.append("status \(result.status)") }
      for words in ["File too large", "kept in memory", "longhand recover"]
      where !result.errors.contains(words) {
        complaints.append("not reported: \(words)")
      }
      _ = try await LonghandProcess(["recover"], environment: environment).result()
      let recorded = folder.recordedSamples
      let played = try Data(contentsOf: URL(fileURLWithPath: folder.path("minute.wav"))).dropFirst(44)
      if recorded.count < Self.room * 900 { complaints.append("lost: \(recorded.count) bytes are left") }
      if !played.starts(with: recorded) { complaints.append("changed: it is not what was played") }
      let coverage = try await LonghandProcess(["coverage", "last"], environment: environment).result().output
      if !coverage.contains("pending           0.00") { complaints.append("pending: \(coverage)") }
      return complaints
    }

    @Test func fullDiskIsReportedAtOnceAndDurableAudioStays() async throws {
      #expect(try await complaints(of: try await record(within: "\(Self.room)")) == [])
      let sessions = try await LonghandProcess(["sessions"], environment: environment).result()
      #expect(sessions.output.contains("complete"))
    }

    /// The negative control: a missing message, missing audio and changed audio are detected.
    @Test func silenceAndLossAreSeen() async throws {
      let result = try await record(within: "unlimited", for: 13)
      let file = try FileHandle(forUpdating: try #require(folder.recordedSound))
      try file.seek(toOffset: 40_000)
      try file.write(contentsOf: Data(repeating: 1, count: 100))
      try file.truncate(atOffset: 200_000)
      try file.close()
      let complaints = try await complaints(of: result)
      for expected in ["status", "not reported", "lost", "changed"] {
        #expect(complaints.contains { $0.hasPrefix(expected) }, "\(expected): \(complaints)")
      }
    }
  }
}
