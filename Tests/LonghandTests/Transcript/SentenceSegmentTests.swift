import Foundation
import SentenceFormatting
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// A segment goes on to the end of its sentence.
@Suite struct SentenceSegmentTests {
  private func segment(_ text: String, _ start: Double, others: [String] = [], length: Double = 2) -> Segment
  {
    let candidates = ([text] + others).enumerated().map { index, text in
      let parts = text.split(separator: " ")
      let words = parts.enumerated().map {
        Word(
          text: String($1), start: start + length * Double($0) / Double(parts.count),
          end: start + length * Double($0 + 1) / Double(parts.count), confidence: 0.9)
      }
      return Candidate(
        text: words.map(\.text).joinedWords(), words: words, confidence: 0.9 - 0.1 * Double(index))
    }
    return Segment(id: 0, start: start, end: start + length, candidates: candidates)
  }

  private func committed(_ segments: [Segment], followsSentences: Bool = true) -> [Segment] {
    var builder = TranscriptBuilder(followsSentences: followsSentences)
    var committed = segments.compactMap { segment in
      let final = TranscriptionEvent.final(
        start: segment.start, end: segment.end, candidates: segment.candidates, selection: segment.selection)
      return builder.receive(segment.channel.map { .onChannel($0, final) } ?? final)
    }
    if let last = builder.finish() { committed.append(last) }
    return committed
  }

  @Test(arguments: [
    (
      ["She never could learn", "or understand anything.", "He did."],
      ["She never could learn or understand anything.", "He did."]
    ),
    (["He said \"no.\"", "And left."], ["He said \"no.\"", "And left."]),
    (["I saw Dr.", "Brown there."], ["I saw Dr. Brown there."]),
    (["Она не могла", "ничего понять."], ["Она не могла ничего понять."]),
    (["人人生而自由，", "在权利上平等。", "他们"], ["人人生而自由，在权利上平等。", "他们"]),
    (["وقد وهبوا", "عقلا؟"], ["وقد وهبوا عقلا؟"]),
    // A capital of a common word begins a sentence.
    (["It was late", "The train left."], ["It was late", "The train left."]),
    // A recognizer without marks, or one that has written none here.
    (["so there was", "a time"], ["so there was", "a time"]), (["东京", "下雨"], ["东京", "下雨"]),
  ]) func segmentsFollowSentences(_ said: [String], _ expected: [String]) {
    let segments = said.enumerated().map { segment($1, 2.3 * Double($0)) }
    let found = committed(segments)
    #expect(found.map(\.text) == expected)
    #expect(found.map(\.id) == Array(expected.indices))
    #expect(found.flatMap(\.words).map(\.start) == segments.flatMap(\.words).map(\.start))
    #expect(committed(segments, followsSentences: false).map(\.text) == said)
  }

  private func elected(_ text: String, over other: String, _ start: Double, by lead: Double) -> Segment {
    var segment = segment(text, start, others: [other])
    segment.candidates[0].source = Candidate.electedSource(lead)
    segment.candidates[1].source = "outvoted"
    return segment
  }

  @Test func electionsStayWithTheirWordsWhenSegmentsAreJoined() throws {
    let plain = segment("She never could learn", 0)
    let second = elected("or catch the hare.", over: "or catch the hair.", 2.3, by: 1.25)
    let joined = try #require(plain.joined(with: second))
    #expect(joined.chosen.election == 1.25)
    #expect(
      joined.candidates.filter(\.isOutvoted).map(\.text) == ["She never could learn or catch the hair."])
    let first = elected("She saw a deer", over: "She saw a dear", 0, by: 0.5)
    let both = try #require(first.joined(with: second))
    #expect(both.chosen.election == 1.75)
    #expect(both.candidates.filter { $0.election != nil }.count == 1)
    #expect(both.candidates.filter(\.isOutvoted).count == 2)
  }

  @Test func electionsStayWithTheirWordsWhenASegmentIsDivided() throws {
    let segment = elected("It is late. A hare came by", over: "It is late. A hair came by", 0, by: 1.25)
    let (first, second) = try #require(segment.dividedAfterSentence)
    #expect(first.candidates.map(\.source) == [nil])
    #expect(second.candidates.map(\.source) == ["elected 1.25", "outvoted"])
    #expect(second.text == "A hare came by")
  }

  @Test func pausesAndLengthDivideSentences() {
    #expect(committed([segment("He came,", 0), segment("and left.", 3.7)]).count == 2)
    #expect(
      committed([segment("He came,", 0, length: 12), segment("and left.", 12.3, length: 8)]).count == 2)
    #expect(
      committed([segment("He came,", 0, length: 12), segment("and left.", 12.3, length: 7)]).count == 1)
  }

  /// What is too long together is divided where a sentence ends.
  @Test(arguments: [
    (["He came early. She never", "came at all."], ["He came early.", "She never came at all."]),
    (["他来了。 她从不", "来。"], ["他来了。", "她从不来。"]), (["Он пришёл. Она", "нет."], ["Он пришёл.", "Она нет."]),
  ]) func longSegmentsAreDividedAtSentences(_ said: [String], _ expected: [String]) throws {
    let long = segment(said[0], 0, others: ["We came early. She never"], length: 15)
    let found = committed([long, segment(said[1], 15.3, length: 6)])
    #expect(found.map(\.text) == expected)
    #expect(found.map(\.id) == [0, 1])
    #expect(found[0].end <= found[1].start)
    #expect(found[1].end == 21.3)
    for segment in found { #expect(segment.words.first?.start == segment.start) }
    #expect(found.flatMap(\.words).map(\.text) == said.flatMap { $0.split(separator: " ").map(String.init) })
    #expect(found[0].candidates.count == 2)
  }

  @Test func othersAreNotJoined() {
    var channels = [segment("He came,", 0), segment("and left.", 2.3)]
    channels[0].channel = 0
    channels[1].channel = 1
    #expect(committed(channels).count == 2)
    var languages = [segment("He came,", 0), segment("und ging.", 2.3)]
    languages[1].candidates[0].language = "de"
    #expect(committed(languages).count == 2)
    var second = [segment("He came,", 0), segment("and left.", 2.3)]
    second[1].candidates[0].source = "embedded"
    #expect(committed(second).count == 2)
  }

  /// Each candidate has words of candidates of the recognizer, and what was chosen stays chosen.
  @Test func candidatesAreJoined() throws {
    var first = segment("He came,", 0, others: ["He game,", "We came,"])
    first.selection = Segment.Selection(index: 1, rule: "phrase")
    let joined = try #require(committed([first, segment("and left.", 2.3, others: ["and let."])]).first)
    #expect(joined.text == "He game, and left.")
    #expect(joined.selection.rule == "phrase")
    #expect(
      joined.candidates.map(\.text) == [
        "He came, and left.", "He game, and left.", "He game, and let.", "We came, and left.",
      ])
    let confidences = joined.candidates.compactMap(\.confidence)
    #expect(confidences == confidences.sorted(by: >))
    #expect(joined.candidates[0].words.map(\.text) == ["He", "came,", "and", "left."])
  }

  /// After a crash the work continues before what was not committed.
  @Test func whatIsNotCommittedIsNotReported() {
    var builder = TranscriptBuilder(followsSentences: true)
    let first = segment("He came,", 1)
    #expect(builder.receive(.final(start: 1, end: 3, candidates: first.candidates)) == nil)
    #expect(builder.committed(through: 3) == 1)
    #expect(builder.finish()?.text == "He came,")
    #expect(builder.committed(through: 3) == 3)
  }
}
