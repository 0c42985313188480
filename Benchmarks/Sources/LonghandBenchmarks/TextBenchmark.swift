import Foundation
import Longhand

/// The time to find names in the transcript of an hour.
///
/// The words are random, with the frequencies of natural words (Zipf); names have one to three rarer words. It also counts
/// how many names of a domain are found in ordinary sentences, which have none.
struct TextBenchmark {
  private static let names = 10_000
  private static let segmentsPerHour = 600
  private static let rounds = 15

  var options: Options

  func run(_ report: inout Report) throws {
    speed(&report)
    try ordinaryText(&report)
  }

  private func speed(_ report: inout Report) {
    var talk = TalkGenerator(wordCount: 20_000)
    var seeded = SeededGenerator(seed: 3)
    let segments = (0..<Self.segmentsPerHour).map { talk.segment($0) }
    let names = (0..<Self.names).map { _ in
      (0..<Int.random(in: 1...3, using: &seeded)).map { _ in talk.word() + talk.word() }.joined(
        separator: " ")
    }
    let text = segments.map(\.text).joined(separator: "\n")
    let normalizer = TranscriptNormalizer(entities: names)
    _ = normalizer.normalizeLocally(text)
    let searches = (0..<Self.rounds).map { _ in
      Self.milliseconds { _ = normalizer.normalizeLocally(text) }
    }
    report.add(
      "names, 10,000 in an hour", Distribution(searches), unit: .fineMilliseconds, goal: .atMost(150))
  }

  private func ordinaryText(_ report: inout Report) throws {
    var sentences: [String] = []
    for (name, column) in [("orders/sentences.txt", 0), ("chapters.tsv", 2)] {
      guard let file = options.audioFile(name) else { continue }
      sentences += try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap {
        let fields = $0.split(separator: "\t")
        return fields.count > column ? String(fields[column]) : nil
      }
    }
    guard !sentences.isEmpty else {
      return Log.say("skipped ordinary text: \(options.audio)/orders does not exist")
    }
    var (found, looked) = (0, 0)
    for domain in DomainBenchmark.names {
      let vocabulary = try Vocabulary(
        contentsOf: URL(fileURLWithPath: options.domains).appendingPathComponent("\(domain).json5"))
      let normalizer = TranscriptNormalizer(vocabulary)
      for sentence in sentences {
        let terms = normalizer.normalizeLocally(sentence).extractedTerms
        if !terms.isEmpty { Log.say("\(domain): \(terms) in '\(sentence)'") }
        found += terms.count
        looked += 1
      }
    }
    report.add("ordinary sentences, each with a domain's names", Double(looked), unit: .count)
    report.add(
      "false names in 1,000 of them", Double(found) * 1000 / Double(looked), unit: .count, goal: .atMost(2))
  }

  private static func milliseconds(_ work: () -> Void) -> Double {
    let start = ContinuousClock.now
    work()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }
}
