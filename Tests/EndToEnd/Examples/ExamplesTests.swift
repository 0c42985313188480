import Foundation
import Testing

extension RecognizerTests {
  /// The programs in `Examples`, run on real recordings.
  @Suite struct ExamplesTests {
    @Test func liveRecognitionShowsPartialResultsAndThenTheFinalOne() async throws {
      let result = try await LonghandProcess.shell("LiveRecognition --fast '\(Recordings.long)'")
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let lines = result.output.split(separator: "\n").map(String.init)
      let partials = lines.filter { $0.hasPrefix("... ") }
      // Many of them, growing, and one text at the end that stays.
      #expect(partials.count >= 3)
      #expect((partials.first?.count ?? 0) < (partials.last?.count ?? 0))
      #expect(lines.count == partials.count + 1)
      let final = try #require(lines.last)
      #expect(!final.hasPrefix("... "))
      #expect(try Recordings.errorRate(final, of: Recordings.long) < 0.6)
    }

    @Test func liveRecognitionKeepsThePaceOfSpeech() async throws {
      let start = ContinuousClock.now
      let result = try await LonghandProcess.shell("LiveRecognition '\(Recordings.short)'")
      #expect(result.status == 0)
      #expect(ContinuousClock.now - start > .seconds(2.9))
      #expect(result.output.contains("... "))
    }

    @Test func fileRecognitionPrintsEveryWord() async throws {
      let result = try await LonghandProcess.shell("FileRecognition '\(Recordings.long)'")
      #expect(result.status == 0)
      let lines = result.output.split(separator: "\n").map(String.init)
      let text = try #require(lines.first)
      #expect(try Recordings.errorRate(text, of: Recordings.long) < 0.6)

      let words = lines.compactMap { line in
        line.firstMatch(of: /^ +([0-9.]+) s +([0-9.]+) s +([0-9.]+)  (\S+)(  \(or: .+\))?$/)
      }
      #expect(words.map { String($0.4) } == text.split(separator: " ").map(String.init))
      var end = 0.0
      for word in words {
        let (start, duration) = (try #require(Double(word.1)), try #require(Double(word.2)))
        let confidence = try #require(Double(word.3))
        #expect(start >= end - 0.011)
        #expect(duration > 0)
        #expect((0...1).contains(confidence))
        end = start + duration
      }
      #expect(end <= 7.11)
      #expect(words.contains { $0.5 != nil })
      #expect(lines.contains { $0.hasPrefix("  or: ") })
      #expect(lines.contains { $0.contains("words a minute") })
      #expect(lines.contains { $0.contains("voiced frames") })
    }
  }
}
