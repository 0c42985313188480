import Foundation
import Longhand
import TestSupport
import Testing

/// Documents that are read line by line keep their shape whatever the texts hold.
@Suite struct DocumentShapeTests {
  private func lines(_ format: TranscriptFormat, _ transcript: Transcript, words: Bool = false) -> [Substring]
  {
    let text = TranscriptFormatter(format: format, wordTimestamps: words, style: .words)
      .string(for: transcript)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: 0..<(isSoak ? 100 : 25) as Range<UInt64>) func documentsHaveNoOtherControlCharacters(
    seed: UInt64
  ) {
    let transcript = RandomTranscripts.transcript(seed: seed)
    for format in TranscriptFormat.allCases {
      for words in [false, true] {
        let text = TranscriptFormatter(format: format, wordTimestamps: words).string(for: transcript)
        let controls = Set(text.unicodeScalars.filter { $0.properties.generalCategory == .control })
        #expect(controls.subtracting(["\n", "\t"]).isEmpty, "\(format)")
        #expect(!text.unicodeScalars.contains("\u{2028}"), "\(format)")
      }
    }
  }

  private func transcript(_ segment: Segment) -> Transcript {
    Transcript(
      source: "a.wav", locale: "en-US", engine: "analyzer", duration: segment.end, segments: [segment],
      spans: [])
  }

  /// What a person wrote, or pasted, is shown in players and tables by others.
  @Test(
    arguments: [
      TranscriptFormat.txt, .srt, .vtt, .tsv, .ctm, .textgrid, .md, .html, .docx, .edl, .fcpxml, .eaf, .otr,
    ],
    [false, true])
  func textsNeitherTurnNorCoverTheirSurroundings(format: TranscriptFormat, words: Bool) {
    let texts = [
      "a\u{202E}b", "a\u{2066}b\u{2069}", "a" + String(repeating: "\u{301}", count: 120), "שָׁלוֹם", "ཧྐྵྨླྺྼྻྂ", "กี่",
    ]
    let said = texts.enumerated().map { index, text in
      Word(text: text, start: Double(index), end: Double(index) + 0.5, confidence: 1)
    }
    let segment = Segment(
      id: 0, start: 0, end: 6,
      candidates: [.init(text: texts.joined(separator: " "), words: said, confidence: 1)])
    let transcript = transcript(segment)
    let text = TranscriptFormatter(format: format, wordTimestamps: words, style: .words).string(
      for: transcript)
    let turning = text.unicodeScalars.filter {
      (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
    }
    #expect(turning.isEmpty)
    #expect(
      text.unicodeScalars.filter { $0 == "\u{301}" }.count <= 10
        * ([.textgrid, .eaf].contains(format) ? 2 : 1))
    for whole in texts.suffix(3) { #expect(text.contains(whole), "\(whole)") }
  }

  @Test(arguments: ["=1+2", "+1", "-1", "@a"]) func aTableCalculatesNoText(text: String) {
    let word = Word(text: text, start: 0, end: 1, confidence: 1)
    let segment = Segment(
      id: 0, start: 0, end: 1, candidates: [.init(text: text, words: [word], confidence: 1)])
    let transcript = transcript(segment)
    #expect(lines(.tsv, transcript).last == "0\t1000\t \(text)")
    #expect(lines(.tsv, transcript, words: true).last == "0\t1000\t \(text)")
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func columns(seed: UInt64) {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let said = transcript.segments.filter { !LineText.of($0.text).isEmpty }
    #expect(lines(.txt, transcript).count == said.count)
    #expect(lines(.tsv, transcript).count == said.count + 1)
    for line in lines(.tsv, transcript, words: true).dropFirst() {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      #expect(columns.count == 3)
      #expect((Int(columns[0]) ?? -1) <= (Int(columns[1]) ?? -2))
    }
    for line in lines(.ctm, transcript) {
      let columns = line.split(whereSeparator: \.isWhitespace)
      #expect(columns.count == 6)
      #expect([2, 3, 5].allSatisfy { (Double(columns[$0]) ?? -1) >= 0 })
      #expect(!line.hasPrefix(";;"))
    }
    for line in lines(.md, transcript) where !line.isEmpty {
      #expect(line.wholeMatch(of: /\[\d\d:\d\d:\d\d\] .+/) != nil)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func tiersCoverTheWholeTime(seed: UInt64) throws {
    let transcript = RandomTranscripts.transcript(seed: seed)
    let lines = lines(.textgrid, transcript).map { $0.trimmingCharacters(in: .whitespaces) }
    let end = try #require(Double(lines[4].dropFirst("xmax = ".count)))
    #expect(end >= 0.001)
    var tiers: [[(start: Double, end: Double)]] = []
    var start = 0.0
    for line in lines {
      if line.hasPrefix("item [") { tiers.append([]) }
      if line.hasPrefix("intervals [") { tiers[tiers.count - 1].append((-1, -1)) }
      if line.hasPrefix("xmin = ") { start = try #require(Double(line.dropFirst(7))) }
      if line.hasPrefix("xmax = "), let last = tiers.last, !last.isEmpty {
        tiers[tiers.count - 1][last.count - 1] = (start, try #require(Double(line.dropFirst(7))))
      }
      if line.hasPrefix("text = ") {
        let text = line.dropFirst("text = ".count)
        #expect(text.hasPrefix("\""))
        #expect(text.hasSuffix("\""))
        #expect(text.count > 1)
        #expect(!text.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "").contains("\""))
      }
    }
    tiers.removeAll(where: \.isEmpty)
    #expect(tiers.count == 2)
    for tier in tiers {
      #expect(tier.first?.start == 0)
      #expect(tier.last?.end == end)
      for interval in tier { #expect(interval.start < interval.end) }
      for (first, second) in zip(tier, tier.dropFirst()) { #expect(first.end == second.start) }
    }
  }
}
