import Foundation
import Speech
import Testing

@testable import FileCaptions

/// What the recordings do not show of the captions in `Examples/FileCaptions`.
@Suite struct CaptionCueTests {
  /// A run of a result.
  private func run(_ text: String, _ start: Double? = nil, _ end: Double = 0) -> AttributedString {
    var run = AttributedString(text)
    if let start {
      run.audioTimeRange = CMTimeRange(
        start: CMTime(seconds: start, preferredTimescale: 16_000),
        end: CMTime(seconds: end, preferredTimescale: 16_000))
    }
    return run
  }

  @Test func specialCharactersAreEscaped() throws {
    let cue = try #require(CaptionCue(run("R&D", 1, 1.5) + run(" <b>", 1.5, 2) + run(" -->", 2, 2.5)))
    #expect(
      cue.block == """
        00:00:01.000 --> 00:00:02.500
        R&amp;D <00:00:01.500>&lt;b&gt; <00:00:02.000>--&gt;

        """)
    #expect(try Captions("WEBVTT\n\n" + cue.block).cues[0].times == [1.5, 2])
  }

  @Test("Spaces and marks may be runs of their own, with times or without")
  func partsOfWords() throws {
    let text = run(" “") + run("Well", 3599, 3599.5) + run(", ") + run("then", 3600.5, 3601) + run(".”\n")
    let cue = try #require(CaptionCue(text))
    #expect(cue.block == "00:59:59.000 --> 01:00:01.000\n“Well, <01:00:00.500>then.”\n")
  }

  @Test("Times that do not go on are left out")
  func times() throws {
    let begin = run("a", 1, 1.2) + run(" b", 1.0001, 1.3)
    let text = begin + run(" c", 1.4, 2) + run(" d", 1.4, 2) + run(" e", 2, 2)
    #expect(
      try #require(CaptionCue(text)).block
        == "00:00:01.000 --> 00:00:02.000\na b <00:00:01.400>c d e\n")
    #expect(try #require(CaptionCue(run("a", 1, 1))).end.milliseconds == 1001)
  }

  @Test func linesAreBrokenBetweenWords() throws {
    let words = (0..<30).map { run(" word\($0)", Double($0), Double($0) + 0.5) }
    let long = run(" " + String(repeating: "x", count: 60), 30, 31)
    let block = try #require(CaptionCue((words + [long]).reduce(AttributedString(), +))).block
    let lines = try Captions("WEBVTT\n\n" + block).cues[0].lines
    #expect(lines.dropLast().allSatisfy { (36...42).contains($0.count) || $0 == lines[lines.count - 2] })
    #expect(lines.last?.count == 60)
    #expect(lines.joined(separator: " ").split(separator: " ").count == 31)
  }

  @Test func wordsWithoutTimeHaveNoCaption() {
    #expect(CaptionCue(AttributedString()) == nil)
    #expect(CaptionCue(run(" ", 1, 2)) == nil)
    #expect(CaptionCue(run("when")) == nil)
  }
}
