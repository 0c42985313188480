import Foundation
import TestSupport
import Testing

extension RecognizerTests {
  /// `Examples/PhraseDictation`, run on real recordings.
  @Suite struct PhraseDictationTests {
    @Test func phraseDictationPrintsConfidenceAndAlternatives() async throws {
      let result = try await LonghandProcess.shell("PhraseDictation '\(Recordings.long)'")
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let lines = result.outputLines
      let text = try #require(lines.first)
      #expect(try Recordings.errorRate(text, of: Recordings.long) < 0.6)
      let words = lines.compactMap { $0.wholeMatch(of: /\s+([0-9.]+)  (\S.*)/) }
      #expect(words.map { String($0.2) } == text.split(separator: " ").map(String.init))
      #expect(words.allSatisfy { Double($0.1).map((0...1).contains) == true })
      #expect(Set(words.map { String($0.1) }).count > 1)
      let others = lines.filter { $0.hasPrefix("  or: ") }.map { String($0.dropFirst(6)) }
      #expect(others.count > 1)
      #expect(Set(others + [text]).count == others.count + 1)
      #expect(lines.count == 1 + words.count + others.count)
    }

    /// PocketSphinx's general model does not have the name.
    @Test(.recognizer(.pocketSphinx)) func phraseDictationHearsWhatIsExpected() async throws {
      let plain = try await LonghandProcess.shell("PhraseDictation '\(Recordings.long)'")
      let expecting = try await LonghandProcess.shell(
        "PhraseDictation --expect 'Mister John Dashwood' --expect zugzwang '\(Recordings.long)'")
      #expect(expecting.status == 0)
      #expect(plain.outputLines.first?.contains("dashwood") == false)
      #expect(expecting.outputLines.first?.contains("john dashwood") == true)
      #expect(!expecting.output.contains("zugzwang"))
    }
  }
}
