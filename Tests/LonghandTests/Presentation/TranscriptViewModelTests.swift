import Foundation
import Longhand
import Observation
import Speech
import Synchronization
import Testing

@Suite struct TranscriptViewModelTests {
  private static func segment(_ id: Int, _ texts: String..., revision: Int = 0, chosen: Int = 0) -> Segment {
    let start = Double(id) * 10
    let candidates = texts.map { text in
      let words = text.split(separator: " ").enumerated().map { index, word in
        Word(
          text: String(word), start: start + Double(index), end: start + Double(index) + 0.5, confidence: 0.5)
      }
      return Candidate(text: text, words: words, confidence: 0.5)
    }
    return Segment(
      id: id, start: start, end: start + 4, candidates: candidates,
      selection: .init(index: chosen, rule: "test"), revision: revision)
  }

  /// Whether observers of what `look` reads are notified by `change`.
  private static func isNotified(_ change: () -> Void, to look: () -> Void) -> Bool {
    let notified = Mutex(false)
    withObservationTracking(look) { notified.withLock { $0 = true } }
    change()
    return notified.withLock { $0 }
  }

  /// What the example of a SwiftUI view uses, which is compiled on Apple platforms only.
  private static func use(_ model: TranscriptViewModel, _ row: TranscriptRow) -> [String: Any] {
    [
      "model.rows": model.rows, "model.active": model.active as Any, "model.activeText": model.activeText,
      "model.isFollowing": model.isFollowing, "model.unseenRows": model.unseenRows,
      "model.level": model.level,
      "model.follow": model.follow, "model.scrolled": model.scrolled(isAtEnd:),
      "model.take": model.take as (SessionEvent) -> Void, "row.text": row.text, "row.segment": row.segment,
    ]
  }

  @Test func exampleOfAViewUsesWhatThereIs() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Examples/TranscriptApp").standardized
    let model = TranscriptViewModel([Self.segment(0, "hello there")])
    let known = Self.use(model, try #require(model.rows.first))
    var used: Set<String> = []
    for name in ["TranscriptView.swift", "TranscriptApp.swift"] {
      let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      used.formUnion(source.matches(of: /\b(?:model|row)\.\w+/).map { String($0.output) })
    }
    #expect(used.subtracting(known.keys) == [])
    #expect(used.count >= 8)
    for (file, keys) in [
      ("Info.plist", ["NSMicrophoneUsageDescription", "NSSpeechRecognitionUsageDescription"]),
      ("TranscriptApp.entitlements", ["com.apple.security.device.audio-input"]),
    ] {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      for key in keys { #expect(list?[key] != nil, "\(file) has no \(key)") }
    }
  }

  @Test func onlyCommittedSegmentsAreRows() {
    let model = TranscriptViewModel()
    model.take(.partial(.init(start: 0, end: 1, text: "hel")))
    #expect(model.rows.isEmpty)
    #expect(String(model.activeText.characters) == "hel")
    #expect(model.activeText[PartialTextAttribute.self] != nil)
    model.take(.committed(Self.segment(0, "hello there")))
    #expect(model.rows.map(\.segment.text) == ["hello there"])
    #expect(model.active == nil)
    #expect(model.rows[0].text[PartialTextAttribute.self] == nil)
    // What was said after it is still being said.
    model.take(.partial(.init(start: 11, end: 15, text: "and")))
    model.take(.committed(Self.segment(1, "now")))
    #expect(model.active?.text == "and")
    model.take(.partial(nil))
    #expect(model.active == nil)
    #expect(model.activeText.characters.isEmpty)
  }

  /// Speech without a pause has no final text for a long time, but it is processed.
  @Test func partialTextCountsAsProcessed() {
    let model = TranscriptViewModel()
    model.take(.progress(3))
    model.take(.partial(.init(start: 3, end: 41.5, text: "and so on")))
    #expect(model.processed == 41.5)
    #expect(model.transcribed == 3)
    model.take(.partial(nil))
    #expect(model.processed == 41.5)
    model.take(.progress(42))
    #expect(model.processed == 42)
    #expect(model.transcribed == 42)
  }

  @Test func changeNotifiesOnlyItsRow() {
    let model = TranscriptViewModel((0..<3).map { Self.segment($0, "one", "two") })
    let revised = Self.segment(1, "one", "two", revision: 1, chosen: 1)
    for index in [0, 2] {
      let isNotified = Self.isNotified {
        model.update(Self.segment(1, "one", "two", revision: 1, chosen: 1))
      } to: {
        _ = model.rows
        _ = model.rows[index].segment
        _ = model.rows[index].pauseBefore
      }
      #expect(!isNotified, "row \(index)")
    }
    #expect(model.rows[1].segment == revised)
    // The negative control: its own row is reported as changed, and the list when a row is added.
    #expect(
      Self.isNotified {
        model.update(Self.segment(1, "one", "two", revision: 2))
      } to: {
        _ = model.rows[1].segment
      })
    #expect(
      Self.isNotified {
        model.update(Self.segment(3, "more"))
      } to: {
        _ = model.rows
      })
    #expect(
      !Self.isNotified {
        model.take(.progress(5))
      } to: {
        _ = model.rows
      })
    #expect(
      !Self.isNotified {
        model.take(.partial(nil))
      } to: {
        _ = model.active
      })
  }

  @Test func olderRevisionsAreIgnored() {
    let model = TranscriptViewModel([Self.segment(5, "five", "six", revision: 2, chosen: 1)])
    model.update(Self.segment(5, "five", "six", revision: 1))
    model.update(Self.segment(4, "four"))
    #expect(model.rows.map(\.segment.text) == ["six"])
    model.prepend([Self.segment(4, "four"), Self.segment(5, "five")])
    #expect(model.rows.map(\.id) == [4, 5])
    #expect(model.rows[1].segment.text == "six")
    #expect(model.rows.map(\.pauseBefore) == [0, 6])
  }

  @Test func viewFollowsUntilTheUserScrollsBack() {
    let model = TranscriptViewModel((0..<5).map { Self.segment($0, "a") }, keeping: 5)
    model.update(Self.segment(5, "b"))
    #expect(model.isFollowing)
    #expect(model.rows.map(\.id) == [1, 2, 3, 4, 5])
    #expect(model.unseenRows == 0)
    model.scrolled(isAtEnd: false)
    model.update(Self.segment(6, "c"))
    model.update(Self.segment(7, "d"))
    model.update(Self.segment(6, "c", "e", revision: 1, chosen: 1))
    // A reader keeps the text.
    #expect(!model.isFollowing)
    #expect(model.unseenRows == 2)
    #expect(model.rows.map(\.id) == Array(1...7))
    model.follow()
    #expect(model.isFollowing)
    #expect(model.unseenRows == 0)
    #expect(model.rows.map(\.id) == Array(3...7))
  }

  @Test func rowTextHasWordTimes() throws {
    let model = TranscriptViewModel([Self.segment(0, "say it and it"), Self.segment(1, "again")])
    let row = try #require(model.row(at: 3.2))
    #expect(row.id == 0)
    #expect(row.word(at: 3.2) == 3)
    #expect(row.word(at: 3.7) == nil)
    #expect(model.row(at: 5) == nil)
    #expect(model.row(at: 10)?.id == 1)
    #expect(model.row(at: 99) == nil)
    let runs = row.text.runs.filter { $0.audioTimeRange != nil }
    #expect(runs.map { String(row.text[$0.range].characters) } == ["say", "it", "and", "it"])
    #expect(runs.map { $0.audioTimeRange?.start.seconds } == [0, 1, 2, 3])
    #expect(runs.allSatisfy { $0.transcriptionConfidence == 0.5 })
  }
}
