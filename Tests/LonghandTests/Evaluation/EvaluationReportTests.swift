import Foundation
import Longhand
import Testing

@testable import LonghandVocabulary

@Suite struct EvaluationReportTests {
  private let report = EvaluationReport(clips: [
    EvaluationReport.Clip(
      name: "a.wav", wordErrorRate: WordErrorRate(substitutions: 1, referenceWords: 4),
      firstChoice: WordErrorRate(substitutions: 2, referenceWords: 4),
      oracle: WordErrorRate(referenceWords: 4),
      terms: TermScore(expected: 2, found: 1, correct: 1), audioSeconds: 10, processingSeconds: 1),
    EvaluationReport.Clip(
      name: "silence.wav", wordErrorRate: WordErrorRate(insertions: 1),
      firstChoice: WordErrorRate(insertions: 1), oracle: WordErrorRate(insertions: 1), terms: TermScore(),
      audioSeconds: 30, processingSeconds: 3),
  ])

  @Test func totalIsTheSumOfAllClips() {
    #expect(report.total.wordErrorRate == WordErrorRate(substitutions: 1, insertions: 1, referenceWords: 4))
    #expect(report.total.realTimeFactor == 0.1)
    #expect(report.total.terms?.recall == 0.5)
    var partial = report
    partial.clips[1].oracle = nil
    #expect(partial.total.oracle == nil)
    #expect(EvaluationReport(clips: []).total.wordErrorRate.rate == 0)
  }

  @Test func jsonRoundTrips() throws {
    var report = report
    report.compare(with: report)
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("report.json")
      try report.json().write(to: file, atomically: true, encoding: .utf8)
      #expect(try EvaluationReport.read(contentsOf: file) == report)
    }
    #expect(try report.json().contains("\"rate\" : 0.5"))
    #expect(try report.json().contains("\"realTimeFactor\" : 0.1"))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(EvaluationReport.self, from: Data(#"{"version": 2, "clips": []}"#.utf8))
    }
  }

  @Test func clipsWithMoreErrorsThanBaselineAreListed() {
    var worse = report
    worse.clips[0].wordErrorRate.deletions = 1
    worse.clips.append(EvaluationReport.Clip(name: "new.wav", wordErrorRate: WordErrorRate(insertions: 9)))
    worse.compare(with: report)
    #expect(worse.madeWorse == ["a.wav"])
    var same = report
    same.compare(with: worse)
    #expect(same.madeWorse == [])
  }

  @Test func tableShowsAllFigures() {
    var report = report
    report.madeWorse = []
    #expect(
      report.table == """
        clip         words  WER %  sub  del  ins  first %  oracle %  recall %  prec. %    RTF
        a.wav            4   25.0    1    0    0     50.0       0.0      50.0    100.0  0.100
        silence.wav      0    inf    0    0    1      inf       inf         -        -  0.100
        total            4   50.0    1    0    1     75.0      25.0      50.0    100.0  0.100
        made worse: none
        made worse by reranking: none

        """)
    // A second text has columns of its own.
    report.clips[0].normalized = WordErrorRate(substitutions: 3, referenceWords: 4)
    #expect(report.madeWorseByNormalization == ["a.wav"])
    #expect(report.madeWorseByReranking == [])
    #expect(report.table.contains("norm. %"))
    #expect(report.table.contains("made worse by normalization: a.wav\n"))
    report.clips[0].firstChoice = WordErrorRate(referenceWords: 4)
    #expect(report.madeWorseByReranking == ["a.wav"])
  }
}
