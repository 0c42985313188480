import Foundation
import Longhand

/// What the layers after the recognizer take: names looked for in an hour's transcript, and an election among the readings
/// of a segment without a language model.
///
/// The words are made up and as frequent as words are (Zipf); names are of one to three rarer words.
struct TextBenchmark {
  private static let names = 10_000
  private static let segmentsPerHour = 600
  private static let rounds = 15

  func run(_ report: inout Report) {
    var talk = TalkGenerator(wordCount: 20_000)
    var seeded = SeededGenerator(seed: 3)
    let segments = (0..<Self.segmentsPerHour).map { talk.segment($0) }
    let names = (0..<Self.names).map { _ in
      (0..<Int.random(in: 1...3, using: &seeded)).map { _ in talk.word() + talk.word() }.joined(
        separator: " ")
    }
    let text = segments.map(\.text).joined(separator: "\n")
    let matcher = EntityMatcher(names)
    _ = matcher.matches(in: text)
    let searches = (0..<Self.rounds).map { _ in Self.milliseconds { _ = matcher.matches(in: text) } }
    report.add(
      "names, 10,000 in an hour", Distribution(searches), unit: .fineMilliseconds, goal: .atMost(150))

    let reranker = CandidateReranker(policy: .conservative)
    let elections = segments.map { segment in
      Self.milliseconds { _ = reranker.electLocally(segment.candidates) }
    }
    report.add(
      "readings, an election among five", Distribution(elections), unit: .fineMilliseconds,
      goal: .atMost(0.05))
  }

  private static func milliseconds(_ work: () -> Void) -> Double {
    let start = ContinuousClock.now
    work()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }
}
