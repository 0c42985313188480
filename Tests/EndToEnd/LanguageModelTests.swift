import Foundation
import TestSupport
import Testing

extension LongRecognizerTests {
  /// What a language model may change, measured by `Benchmarks/LanguageModel/measure.py`: no choice of any model adds an error.
  @Suite(.tagged(.soak)) struct LanguageModelTests {
    private static let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..")
      .standardized

    /// Fails for each model whose choices have more errors.
    private func expectNoHarm(by models: String, in work: String, _ options: String) async throws {
      let folder = try TemporaryFolder()
      let lines = try Recordings.paths.map { "\($0)\t\(try Recordings.reference(of: $0))" }
      let manifest = try folder.write(lines.joined(separator: "\n") + "\n", to: "manifest.tsv")
      let measured = try await LonghandProcess(
        [
          "python3 -B Benchmarks/LanguageModel/measure.py", LonghandProcess.executable.path, manifest, work,
          "--recognizers pocketsphinx --models", models, options,
        ], in: Self.package, shell: true
      ).result(within: .seconds(7200))
      #expect(measured.status == 0, "\(measured.errors)")
      let rows = measured.outputLines.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
      let counts = rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      var lost: Int?
      for row in counts {
        if row[0] == "model" {
          lost = row.firstIndex(of: "words lost")
        } else {
          #expect(row[try #require(lost)] == "0", "\(row)")
        }
      }
      #expect(counts.count > models.split(separator: " ").count)
    }

    @Test func badModelHarmsNoWord() async throws {
      let folder = try TemporaryFolder()
      try await expectNoHarm(by: "last random nonsense late", in: folder.path("work"), "")
    }

    /// A real model; installed first where it is missing, which takes a quarter of an hour.
    @Test func smallModelHarmsNoWord() async throws {
      let work = Self.package.appendingPathComponent(".build/language-model").path
      let prepared = try await LonghandProcess(
        ["Benchmarks/LanguageModel/prepare", work], in: Self.package, shell: true
      ).result(within: .seconds(7200))
      try #require(prepared.status == 0, "\(prepared.errors)")
      try await expectNoHarm(by: "smollm2", in: work, "--only choice")
      try await expectNoHarm(by: "smollm2", in: work, "--only text --every 20")
    }
  }
}
