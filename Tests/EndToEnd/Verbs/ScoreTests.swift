import Foundation
import Longhand
import TestSupport
import Testing

@Suite(.tagged(.childProcess)) struct ScoreTests {
  private let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Hello, world of tests.\n", to: "reference.txt")
    try folder.write("hello word tests\n", to: "talk.txt")
  }

  @Test func errorsAreCounted() async throws {
    let result = try await LonghandProcess.run(
      "score", "--json", "--reference", "reference.txt", "talk.txt", in: folder.url)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let report = try JSONDecoder().decode(EvaluationReport.self, from: Data(result.output.utf8))
    #expect(report.total.wordErrorRate == WordErrorRate(substitutions: 1, deletions: 1, referenceWords: 4))
  }

  @Test func theTableIsForPeople() async throws {
    let result = try await LonghandProcess.run(
      "score", "--reference", "reference.txt", "talk.txt", in: folder.url)
    #expect(result.output.contains("50.0"))
  }

  @Test func textComesFromAPipeToo() async throws {
    let result = try await LonghandProcess.shell(
      "longhand score --reference reference.txt - < talk.txt", in: folder.url)
    #expect(result.status == 0)
    #expect(result.output.contains("50.0"))
  }

  @Test func otherSpellingsAreErrorsOnlyWithExact() async throws {
    try folder.write("Mr. Gray paid 5 dollars.\n", to: "reference.txt")
    try folder.write("mister grey paid $5\n", to: "talk.txt")
    let plain = try await LonghandProcess.run(
      "score", "--reference", "reference.txt", "talk.txt", in: folder.url)
    #expect(plain.output.contains("0.0"))
    let exact = try await LonghandProcess.run(
      "score", "--exact", "--reference", "reference.txt", "talk.txt", in: folder.url)
    #expect(exact.output.contains("60.0"))
  }

  @Test func rulesOfEnglishAreForEnglishOnly() async throws {
    try folder.write("die 5 farben", to: "r.txt")
    try folder.write("die five farben", to: "h.txt")
    for (locale, errors) in [("en-US", "0.0"), ("de-DE", "33.3")] {
      let result = try await LonghandProcess.run(
        "score", "--reference", folder.path("r.txt"), folder.path("h.txt"), "--locale", locale)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains(errors), "\(result.output)")
    }
  }

  @Test func termsAreLookedFor() async throws {
    try folder.write("world\ntests\n", to: "terms.txt")
    let result = try await LonghandProcess.run(
      "score", "--json", "--terms", "terms.txt", "--reference", "reference.txt", "talk.txt", in: folder.url)
    let report = try JSONDecoder().decode(EvaluationReport.self, from: Data(result.output.utf8))
    #expect(report.total.terms == TermScore(expected: 2, found: 1, correct: 1))
  }

  @Test func unreadableFileIsReportedWithItsLine() async throws {
    try folder.write("a line that is none\n", to: "bad.ctm")
    for (arguments, place) in [
      (["--reference", "none.txt", "talk.txt"], "none.txt: "),
      (["--reference", "reference.txt", "bad.ctm"], "bad.ctm:1: "),
      (["--reference", "reference.txt", "talk.wav"], "talk.wav: "),
    ] {
      let result = try await LonghandProcess(["score"] + arguments, in: folder.url).result()
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains(place))
    }
  }
}
