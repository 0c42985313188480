import Foundation
import Longhand
import Testing

extension RecognizerTests {
  /// `evaluate` with the real recognizer and real recordings.
  @Suite struct EvaluateTests {
    private let folder: TemporaryFolder
    init() throws {
      folder = try TemporaryFolder()
      let rows = try Recordings.sample.map { "\($0)\t\(try Recordings.reference(of: $0))\n" }
      try folder.write(rows.joined(), to: "recordings.tsv")
    }

    private func evaluate(_ arguments: String...) async throws -> EvaluationReport {
      let result = try await LonghandProcess(
        ["evaluate", "--json", "recordings.tsv"] + arguments, in: folder.url
      ).result()
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      return try JSONDecoder().decode(EvaluationReport.self, from: Data(result.output.utf8))
    }

    @Test func everyRecordingHasItsFigures() async throws {
      let report = try await evaluate("--alternatives", "10")
      #expect(report.clips.map(\.name) == Recordings.sample)
      #expect(report.total.wordErrorRate.rate < 0.5)
      #expect(report.total.realTimeFactor ?? 0 > 0)
      for clip in report.clips {
        #expect(try #require(clip.oracle).errors <= (try #require(clip.firstChoice).errors))
      }
    }

    @Test func theFiguresDoNotDependOnTheJobs() async throws {
      let one = try await evaluate("--jobs", "1")
      let four = try await evaluate("--jobs", "4")
      #expect(one.clips.map(\.wordErrorRate) == four.clips.map(\.wordErrorRate))
    }

    @Test func recordingsThatBecameWorseAreNamed() async throws {
      var before = try await evaluate()
      before.clips[1].wordErrorRate = WordErrorRate(referenceWords: 1)
      try folder.write(before.json(), to: "before.json")
      let report = try await evaluate("--baseline", "before.json")
      #expect(report.madeWorse == (report.clips[1].wordErrorRate.errors > 0 ? [report.clips[1].name] : []))
    }

    @Test func aFailureIsNotHidden() async throws {
      try folder.write("none.wav\tx\n\(Recordings.short)\tx\n", to: "recordings.tsv")
      let result = try await LonghandProcess.run("evaluate", "recordings.tsv", in: folder.url)
      #expect(result.status == 1)
      #expect(result.output.contains("total"))
      #expect(result.errors.contains("1 of 2 recordings failed"))
    }
  }
}
