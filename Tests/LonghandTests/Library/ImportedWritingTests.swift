import Foundation
import Longhand
import SentenceFormatting
import Testing

@testable import LonghandArchive
@testable import LonghandTranscripts

/// Transcripts in many writings as they come from archives, made by earlier versions or other programs: through import, formats
/// and search.
@Suite struct ImportedWritingTests {
  /// A line of an archive with one segment.
  private static func line(_ text: String, _ words: [(String, Double, Double)], locale: String, end: Double)
    throws -> Data
  {
    let spoken = words.map {
      ["text": $0.0, "display": $0.0, "start": $0.1, "end": $0.2, "confidence": 0.9] as [String: Any]
    }
    let segment: [String: Any] = [
      "id": 0, "start": words[0].1, "end": end, "text": text, "formatted": text, "confidence": 0.9,
      "words": spoken,
      "alternatives": [["text": text, "confidence": 0.9]], "selection": ["index": 0, "rule": "recognizer"],
      "revision": 0,
    ]
    let document: [String: Any] = [
      "version": 1, "source": "a.wav", "locale": locale, "engine": "analyzer", "duration": end, "text": text,
      "segments": [segment], "coverage": [:] as [String: Any],
    ]
    let line: [String: Any] = [
      "id": "a", "status": "ok", "path": "a.wav", "sha256": String(repeating: "0", count: 64),
      "transcript": document,
      "spans": [["start": 0, "end": end, "kind": "transcribed"]],
      "candidateWords": [[words.map { [$0.0, $0.1, $0.2, 0.9] as [Any] }]],
    ]
    return try JSONSerialization.data(withJSONObject: line)
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let locale: String
    /// What the recognizer reported as words: a whole sentence, or single characters.
    let reported: [String]
    /// A word of the writing, which is found, is a caption of its own, and can be corrected.
    let word: String
    var separator = ""
    var text: String { reported.joined(separator: separator) }
    var testDescription: String { locale }
  }

  static let samples = [
    Sample(
      locale: "th-TH",
      reported: [
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิต่างมีเหตุผลและมโนธรรมและควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ"
      ], word: "มโนธรรม"),
    Sample(
      locale: "th-TH", reported: ["คนทุกคนมีสิทธิในการดำรงชีวิต", "เสรีภาพและความมั่นคงแห่งตัวตน"], word: "เสรีภาพ",
      separator: " "),
    Sample(locale: "lo-LA", reported: ["ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ"], word: "ທຸກຄົນ"),
    Sample(locale: "km-KH", reported: ["មនុស្សទាំងអស់កើតមកមានសេរីភាព"], word: "សេរីភាព"),
    Sample(locale: "my-MM", reported: ["လူတိုင်းသည်", "တူညီလွတ်လပ်သော"], word: "လွတ်လပ်", separator: " "),
    Sample(
      locale: "zh-CN", reported: "人人生而自由，在尊严和权利上一律平等。".map(String.init), word: "尊严"),
    Sample(
      locale: "ja-JP", reported: "すべての人間は自由であり、尊厳と権利とについて平等である。".map(String.init), word: "人間"),
  ]

  private static func transcript(of sample: Sample) throws -> Transcript {
    let length = 12.0 / Double(sample.reported.count)
    let words = sample.reported.enumerated().map {
      ($1, 0.5 + length * Double($0), 0.5 + length * Double($0 + 1))
    }
    return try WorkerTranscript(try line(sample.text, words, locale: sample.locale, end: 12.5)).transcript
  }

  @Test(arguments: samples) func importedTextHasTheWordsOfItsWriting(_ sample: Sample) throws {
    let segment = try Self.transcript(of: sample).segments[0]
    #expect(segment.text == sample.text)
    let words = segment.words
    #expect(words.map(\.text) == sample.text.writtenWords.map { String(sample.text[$0]) })
    #expect(words.map(\.text).contains(sample.word))
    #expect(words.first?.start == 0.5)
    #expect(abs((words.last?.end ?? 0) - 12.5) < 0.001)
    for (one, next) in zip(words, words.dropFirst()) {
      #expect(one.end <= next.start + 1e-9)
      #expect(one.end - one.start >= 0.02)
      #expect(one.confidence == 0.9)
    }
  }

  @Test(arguments: samples) func importedTextHasCaptions(_ sample: Sample) throws {
    let captions = CaptionWriter().captions(of: try Self.transcript(of: sample))
    for caption in captions {
      #expect(caption.end.count - caption.start.count <= 7000)
      #expect(caption.lines.count <= 2)
      for line in caption.texts { #expect(line.columns <= 42) }
    }
    #expect(captions.count > 1)
  }

  @Test(arguments: samples) func aWordOfImportedTextIsFoundAndCorrected(_ sample: Sample) throws {
    let segment = try Self.transcript(of: sample).segments[0]
    let index = try #require(segment.words.firstIndex { $0.text == sample.word })
    let corrected = try #require(segment.replacing(index..<index + 1, with: ["OK"]))
    #expect(corrected.text == segment.text.replacing(sample.word, with: "OK"))
    #expect(corrected.words.count == segment.words.count)
    #expect(corrected.words[index].start == segment.words[index].start)
    try StoreFixture.temporary { store in
      let session = try store.add([], StoreFixture.session())
      try store.append([segment], to: session)
      let hits = try store.search(sample.word)
      #expect(hits.count == 1)
      #expect(hits.first?.fragments.filter(\.isMatch).map(\.text) == [sample.word])
    }
  }

  /// A person changes a word in the text of the page: the others keep their times, and spaces between phrases stay.
  @Test(arguments: samples) func aPersonChangesOneWordOfTheText(_ sample: Sample) throws {
    let segment = try Self.transcript(of: sample).segments[0]
    let parts = EditedText([sample.text.replacing(sample.word, with: "OK")], in: [segment])
      .parts
    #expect(parts.map(\.text) == [sample.text.replacing(sample.word, with: "OK")])
    let kept = Set(parts[0].words.map { "\($0.text) \($0.start)" })
    #expect(segment.words.filter { !kept.contains("\($0.text) \($0.start)") }.count <= 3)
  }

  /// Words of 0 s, as attention gives them.
  @Test(
    arguments: [
      (
        "en-US",
        [
          ("We", 41.0, 41.2), ("got", 41.2, 41.556), ("him", 41.556, 41.556), ("in", 41.556, 41.7),
          ("the", 41.7, 41.7), ("bag.", 41.7, 43),
        ]
      ),
      ("de-DE", [("Das", 1, 1), ("ist", 1, 1.4), ("gut.", 1.4, 1.4)]),
      ("ru-RU", [("Это", 1, 1.5), ("хорошо", 1.5, 1.5), ("и", 1.5, 1.5), ("вот.", 1.5, 2.5)]),
      ("he-IL", [("כל", 0.5, 0.5), ("בני", 0.5, 0.5), ("האדם", 0.5, 3)]),
      ("zh-CN", [("在", 0, 0), ("尊严", 0, 0), ("和", 0, 1.5), ("权利", 1.5, 1.5)]),
      ("th-TH", [("ต่าง", 2, 2), ("มี", 2, 2), ("เหตุผล", 2, 4)]),
    ] as [(String, [(String, Double, Double)])])
  func everyWordHasALengthInEveryFormat(_ locale: String, _ words: [(String, Double, Double)]) throws {
    let isUnspaced = words[0].0.isPartlyUnspaced
    let text = words.map(\.0).joined(separator: isUnspaced ? "" : " ")
    let end = words[words.count - 1].2 + 1
    let line = try Self.line(text, words, locale: locale, end: end)
    let transcript = try WorkerTranscript(line).transcript
    let captions = CaptionWriter(isByWord: true).captions(of: transcript)
    for caption in captions { #expect(caption.end.count - caption.start.count >= 100, "\(caption)") }
    let rows = TranscriptFormatter(format: .ctm).string(for: transcript).split(separator: "\n").map {
      $0.split(separator: " ")
    }
    #expect(rows.count == words.count)
    var position = 0.0
    for row in rows {
      let (start, length) = (try #require(Double(row[2])), try #require(Double(row[3])))
      #expect(length >= 0.02)
      #expect(start >= position - 0.0011)
      position = start + length
    }
    #expect(position <= end + 0.001)
    let table = TranscriptFormatter(format: .tsv, wordTimestamps: true).string(for: transcript)
    for row in table.split(separator: "\n").dropFirst().map({ $0.split(separator: "\t") }) {
      #expect(try #require(Int(row[1])) - #require(Int(row[0])) >= 20)
    }
  }
}
