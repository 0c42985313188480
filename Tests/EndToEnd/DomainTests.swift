import Foundation
import Longhand
import TestSupport
import Testing

extension LongRecognizerTests {
  /// What a vocabulary is worth: sentences of three domains, none of them a phrase of its vocabulary, spoken by flite's
  /// voices. The recognizer understands next to nothing of espeak-ng's, whatever the words.
  @Suite struct DomainTests {
    /// One voice and every tenth sentence in every run of the tests, all of them in `make soak`.
    private static let voices = isSoak ? ["slt", "rms", "awb", "kal16"] : ["rms"]
    private static let step = isSoak ? 1 : 10

    private static let domains = ["chess", "jiujitsu", "medicine"]
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Domains")

    /// Words, times and confidence of readings of a novel, which is about none of the domains.
    @Test func ordinarySpeechStaysAsItIs() async throws {
      let folder = try TemporaryFolder()
      let recordings = isSoak ? Recordings.paths : [Recordings.paths[2]]
      func transcripts(
        _ options: [String], by recognizer: TestedRecognizer = .whisper
      ) async throws -> String {
        let result = try await LonghandProcess(
          ["transcribe", "--format", "ctm"] + options + recordings,
          environment: recognizer.variables.merging(["XDG_CACHE_HOME": folder.path("cache")]) { $1 }
        ).result(within: .seconds(600))
        #expect(result.status == 0)
        return result.output
      }
      let plain = try await transcripts([])
      var forced: Set<String> = []
      for domain in Self.domains {
        let vocabulary = ["--vocabulary", Self.source.appendingPathComponent("\(domain).json5").path]
        #expect(try await transcripts(vocabulary) == plain, "\(domain)")
        if isSoak || domain == "chess" {
          forced.insert(
            try await transcripts(vocabulary + ["--language-model-weight", "0.6"], by: .pocketSphinx))
        }
      }
      // A domain that need not show itself puts its words where others were said.
      #expect(forced.contains { $0.contains(" pawn ") })
    }

    /// One domain, or all in `make soak`.
    @Test(arguments: isSoak ? domains : [domains[0]])
    func aVocabularyFindsTheTermsAndHalvesTheErrors(_ domain: String) async throws {
      let folder = try TemporaryFolder()
      let sentences = try String(
        contentsOf: Self.source.appendingPathComponent("\(domain).txt"), encoding: .utf8
      )
      .split(separator: "\n").map(String.init)
      #expect(sentences.count == 40)
      var manifest = ""
      for (number, sentence) in sentences.enumerated() where number % Self.step == 0 {
        for voice in Self.voices {
          let name = "\(number)-\(voice).wav"
          let line = "flite -voice \(voice) -t '\(sentence)' '\(folder.path(name))'"
          try #require(try await LonghandProcess.shell(line).status == 0)
          manifest += "\(name)\t\(sentence)\n"
        }
      }
      try folder.write(manifest, to: "manifest.tsv")
      func evaluate(_ arguments: [String]) async throws -> EvaluationReport {
        let result = try await LonghandProcess(
          [
            "evaluate", "--json", "--terms", Self.source.appendingPathComponent("\(domain).terms").path,
          ]
            + arguments + [folder.path("manifest.tsv")],
          environment: ["XDG_CACHE_HOME": folder.path("cache")]
        ).result(within: .seconds(1800))
        #expect(result.status == 0)
        return try JSONDecoder().decode(EvaluationReport.self, from: Data(result.output.utf8))
      }
      let general = try await evaluate(["--alternatives", "1"]).total
      let report = try await evaluate([
        "--vocabulary", Self.source.appendingPathComponent("\(domain).json5").path, "--normalize",
      ])
      let special = report.total
      let recall = [general, special].map { $0.terms?.recall ?? 0 }
      print(
        "\(domain): word error rate \(general.wordErrorRate.rate) to \(special.wordErrorRate.rate), "
          + "terms found \(recall[0]) to \(recall[1])",
        "first choice \(special.firstChoice?.rate ?? 1), oracle \(special.oracle?.rate ?? 1)",
        "normalized: precision \(special.normalizedTerms?.precision ?? 0),",
        "recall \(special.normalizedTerms?.recall ?? 0), worse \(report.madeWorseByNormalization ?? [])")
      #expect(recall[1] >= 0.9)
      #expect(recall[1] > recall[0])
      #expect(special.wordErrorRate.rate <= general.wordErrorRate.rate / 2)
      // The choice among readings harms none, and names are written as they were said.
      #expect(report.madeWorseByReranking == [])
      #expect(special.normalizedTerms?.recall ?? 0 >= recall[1])
      #expect(special.normalizedTerms?.precision ?? 0 >= 0.98)
    }
  }
}
