import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandTranscripts

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Documents for programs that edit film, for linguists, and for transcribing by hand.
@Suite struct EditingFormatTests {
  private func transcript() -> Transcript {
    func segment(_ id: Int, _ start: Double, _ text: String, _ speaker: String?) -> Segment {
      let words = text.split(separator: " ").enumerated().map { index, word in
        Word(
          text: String(word), start: start + Double(index), end: start + Double(index) + 0.5, confidence: 1)
      }
      var segment = Segment(
        id: id, start: start, end: start + Double(words.count),
        candidates: [Candidate(text: text, words: words, confidence: 1)])
      segment.speaker = speaker.map { SpeakerLabel(speaker: $0, basis: .person) }
      return segment
    }
    var transcript = Transcript(
      source: "my talk.mov", locale: "en-US", engine: "e", duration: 130,
      segments: [
        segment(0, 1.5, "Tom & <b> | \"x\"", "a"), segment(1, 59.5, "Yes.", "b"), segment(2, 62, "So.", nil),
      ],
      spans: [])
    transcript.speakers = [
      Speaker(id: "a", name: "Ann & Co", basis: .person, seconds: 1),
      Speaker(id: "b", name: "Ben", basis: .person, seconds: 1),
    ]
    transcript.timecode = Timecode("01:00:00;00", rate: Timecode.Rate(30_000, 1001) ?? .standard)
    return transcript
  }

  private func document(_ format: TranscriptFormat, _ transcript: Transcript) -> String {
    TranscriptFormatter(format: format, style: .words).string(for: transcript)
  }

  @Test func listOfEditsHasMarkersInColoursAtTheFilmsTimecode() {
    #expect(
      document(.edl, transcript()) == """
        TITLE: my talk
        FCM: DROP FRAME

        001  001      V     C        01:00:01;14 01:00:01;15 01:00:01;14 01:00:01;15
         |C:ResolveColorBlue |M:Ann & Co: Tom & <b> ¦ "x" |D:150

        002  001      V     C        01:00:59;13 01:00:59;14 01:00:59;13 01:00:59;14
         |C:ResolveColorGreen |M:Ben: Yes. |D:30

        003  001      V     C        01:01:02;00 01:01:02;01 01:01:02;00 01:01:02;01
         |C:ResolveColorBlue |M:Unknown: So. |D:30

        """)
    var plain = transcript()
    plain.timecode = nil
    #expect(document(.edl, plain).contains("FCM: NON-DROP FRAME\n"))
    #expect(document(.edl, plain).contains(" 00:00:01:12 00:00:01:13\n"))
  }

  /// The elements of a document, with their attributes.
  private final class Elements: NSObject, XMLParserDelegate {
    var all: [(name: String, attributes: [String: String], text: String)] = []
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { all.append((name, attributes, "")) }
    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if !all.isEmpty { all[all.count - 1].text += text }
    }
  }

  private func elements(_ document: String) throws -> Elements {
    let parser = XMLParser(data: Data(document.utf8))
    let elements = Elements()
    parser.delegate = elements
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return elements
  }

  @Test func timelineOfFinalCutHasMarkersInWholeFrames() throws {
    let all = try elements(document(.fcpxml, transcript())).all
    func attributes(_ name: String) -> [[String: String]] { all.filter { $0.name == name }.map(\.attributes) }
    #expect(attributes("format").first?["frameDuration"] == "1001/30000s")
    #expect(attributes("sequence").first?["tcFormat"] == "DF")
    #expect(attributes("sequence").first?["tcStart"] == "107999892/30000s")
    #expect(attributes("gap").first?["offset"] == "107999892/30000s")
    let markers = attributes("marker")
    #expect(markers.map { $0["value"] } == ["Ann & Co: Tom & <b> | \"x\"", "Ben: Yes.", "Unknown: So."])
    #expect(markers.map { $0["start"] } == ["44044/30000s", "1784783/30000s", "1859858/30000s"])
    #expect(markers.map { $0["duration"] } == ["150150/30000s", "30030/30000s", "30030/30000s"])
  }

  @Test func annotationsOfELANReferToTheirTimes() throws {
    let all = try elements(document(.eaf, transcript())).all
    let slots = Dictionary(
      uniqueKeysWithValues: all.filter { $0.name == "TIME_SLOT" }.map {
        ($0.attributes["TIME_SLOT_ID"] ?? "", $0.attributes["TIME_VALUE"].flatMap { Int($0) } ?? -1)
      })
    #expect(
      all.filter { $0.name == "TIER" }.map { $0.attributes["TIER_ID"] } == [
        "Ann & Co", "Ann & Co words", "Ben", "Ben words", "Unknown", "Unknown words",
      ])
    let media = all.first { $0.name == "MEDIA_DESCRIPTOR" }?.attributes
    #expect(media?["RELATIVE_MEDIA_URL"] == "./my%20talk.mov")
    #expect(media?["MIME_TYPE"] == "video/quicktime")
    let annotations = all.filter { $0.name == "ALIGNABLE_ANNOTATION" }.map(\.attributes)
    let texts = all.filter { $0.name == "ANNOTATION_VALUE" }.map(\.text)
    #expect(annotations.count == 10)
    for annotation in annotations {
      let start = try #require(slots[annotation["TIME_SLOT_REF1"] ?? ""])
      #expect(start < slots[annotation["TIME_SLOT_REF2"] ?? ""] ?? -1)
    }
    #expect(texts.first?.trimmingCharacters(in: .whitespacesAndNewlines) == "Tom & <b> | \"x\"")
    #expect(slots[annotations[0]["TIME_SLOT_REF1"] ?? ""] == 1500)
    let last = all.first { $0.attributes["NAME"] == "lastUsedAnnotationId" }
    #expect(last?.text.trimmingCharacters(in: .whitespacesAndNewlines) == "10")
  }

  @Test func tiersOfELANHaveNamesOfTheirOwn() throws {
    var twins = transcript()
    twins.speakers[1].name = "Ann & Co"
    let names = try elements(document(.eaf, twins)).all.compactMap { $0.attributes["TIER_ID"] }
    #expect(Set(names).count == names.count)
  }

  @Test func documentOfOTranscribeHasTimesThatPlay() throws {
    let document = Data(document(.otr, transcript()).utf8)
    let object = try #require(JSONSerialization.jsonObject(with: document) as? [String: Any])
    #expect(object["media"] as? String == "my talk.mov")
    let text = try #require(object["text"] as? String)
    #expect(
      text.hasPrefix(
        "<p><span class=\"timestamp\" contenteditable=\"false\" data-timestamp=\"1.5\">00:01</span> "
          + "<b>Ann &amp; Co:</b> Tom &amp; &lt;b&gt; | &quot;x&quot;</p>"))
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func documentsOfAnyTextAreWellFormed(seed: UInt64) throws {
    let transcript = RandomTranscripts.transcript(seed: seed)
    for format in [TranscriptFormat.fcpxml, .eaf] {
      #expect(try !elements(document(format, transcript)).all.isEmpty)
    }
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(document(.otr, transcript).utf8))
    }
    for line in document(.edl, transcript).split(separator: "\n").dropFirst(2) {
      #expect(line.wholeMatch(of: /\d{3,}  001 .*| \|C:ResolveColor\w+ \|M:[^|]+ \|D:\d+/) != nil, "\(line)")
    }
  }
}
