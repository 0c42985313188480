import Foundation

/// Reads transcripts of other programs.
package struct ClaimedTextReader {
  /// The kinds of files.
  package enum Format: String, CaseIterable, Sendable {
    case txt, srt, vtt, html, docx, json, jsonl, otr

    /// The format of a file with this name; nil if there is none.
    package init?(fileName: String) {
      let name = (fileName as NSString).pathExtension.lowercased()
      let others = ["htm": Format.html, "md": .txt, "text": .txt]
      guard let format = Format(rawValue: name) ?? others[name] else { return nil }
      self = format
    }

    /// Whether words have places in the contents, so that a changed copy can be written.
    package var hasPlaces: Bool { [.txt, .srt, .vtt].contains(self) }
  }

  /// Bytes of a text at most.
  package static let maxLength = 64 << 20

  /// The name of the file in errors.
  private let file: String

  package init(file: String) { self.file = file }

  /// - Throws: `EvaluationInputError`.
  package func read(_ data: Data, _ format: Format) throws -> ClaimedText {
    guard data.count <= Self.maxLength else {
      throw error(.malformed("is longer than \(Self.maxLength >> 20) MB"))
    }
    let text = ClaimedText(parts: try parts(of: data, format).filter { !$0.words.isEmpty }.withSpeakers)
    guard !text.parts.isEmpty else { throw error(.malformed("has no words")) }
    return text
  }

  private func parts(of data: Data, _ format: Format) throws -> [ClaimedText.Part] {
    switch format {
    case .txt: return PlainLines(try string(data)).paragraphs
    case .srt, .vtt: return PlainLines(try string(data)).cues
    case .html: return paragraphs(MarkupReader.html.paragraphs(in: try string(data)))
    case .docx:
      guard let document = try ZipMember.read("word/document.xml", of: data, limit: Self.maxLength) else {
        throw error(.malformed("is not a Word document: it has no word/document.xml"))
      }
      return paragraphs(MarkupReader.word.paragraphs(in: try string(document)))
    case .json, .otr: return try parts(ofJSON: value(data))
    case .jsonl:
      return try InputLines.lines(of: data, file: file).filter { !$0.isEmpty }
        .flatMap { try parts(ofJSON: value(Data($0.utf8))) }
    }
  }

  private func string(_ data: Data) throws -> String {
    guard let text = String(validating: data, as: UTF8.self) else { throw error(.invalidUTF8) }
    return text
  }

  private func value(_ data: Data) throws -> Any {
    do {
      return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch {
      throw self.error(.malformed("is not valid JSON"))
    }
  }

  private func error(_ reason: EvaluationInputError.Reason) -> EvaluationInputError {
    EvaluationInputError(file: file, reason: reason)
  }

  private func paragraphs(_ texts: [String]) -> [ClaimedText.Part] {
    texts.map { text in
      let words = Self.words(text)
      let hasTime = words.first?.wholeMatch(of: /\d{1,2}:\d{2}:\d{2}/) != nil
      return ClaimedText.Part(words: words.dropFirst(hasTime ? 1 : 0).map { ClaimedText.Word(text: $0) })
    }
  }

  /// The words of a text, with their marks, without times in brackets.
  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init).filter { !$0.isTimeOfText }
  }

  // MARK: JSON

  /// JSON of whisper, faster-whisper, WhisperX and OpenAI (`segments` with `start`, `end`, `text`, perhaps `speaker`), of
  /// whisper.cpp (`transcription` with `offsets` in milliseconds), of oTranscribe (`text` in HTML), of Longhand, or a list of
  /// segments.
  private func parts(ofJSON value: Any) throws -> [ClaimedText.Part] {
    if let list = value as? [Any] { return list.compactMap(Self.segment) }
    guard let object = value as? [String: Any] else {
      throw error(.malformed("has no segments and no text"))
    }
    for key in ["segments", "transcription", "chunks"] {
      if let list = object[key] as? [Any] { return list.compactMap(Self.segment) }
    }
    // A line of Longhand's JSON lines that is no segment.
    if let type = object["type"] as? String, type != "final" { return [] }
    if object["start"] != nil { return [Self.segment(object)].compactMap(\.self) }
    guard let text = object["text"] as? String else {
      throw error(.malformed("has no segments and no text"))
    }
    return text.contains("<p") || text.contains("<br")
      ? paragraphs(MarkupReader.html.paragraphs(in: text)) : PlainLines(text).paragraphs.map(\.withoutPlaces)
  }

  private static func segment(_ value: Any) -> ClaimedText.Part? {
    guard let object = value as? [String: Any], let text = object["text"] as? String else { return nil }
    let milliseconds = object["offsets"] as? [String: Any]
    let pair = object["timestamp"] as? [Any]
    func seconds(_ value: Any?) -> TimeInterval? {
      let number = (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
      return number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    return ClaimedText.Part(
      words: words(text).map { ClaimedText.Word(text: $0) },
      start: seconds(object["start"] ?? pair?.first) ?? seconds(milliseconds?["from"]).map { $0 / 1000 },
      end: seconds(object["end"] ?? pair?.last) ?? seconds(milliseconds?["to"]).map { $0 / 1000 },
      speaker: object["speaker"] as? String)
  }
}

extension ClaimedText.Part {
  fileprivate var withoutPlaces: Self {
    var part = self
    for index in part.words.indices { part.words[index].place = nil }
    return part
  }
}

extension [ClaimedText.Part] {
  /// The parts with the speakers that stand before their words, as in "Anna: Hello", if a name does so at least twice. "Speaker 3"
  /// is a name where "Speaker 1" is one.
  fileprivate var withSpeakers: Self {
    func label(_ part: ClaimedText.Part) -> (name: String, count: Int)? {
      guard part.speaker == nil,
        let end = part.words.prefix(3).firstIndex(where: { $0.text.hasSuffix(":") && $0.text.count > 1 }),
        part.words.count > end + 1, part.words[0].text.first?.isUppercase == true
      else { return nil }
      return (String(part.words[...end].map(\.text).joined(separator: " ").dropLast()), end + 1)
    }
    func kind(_ name: String) -> String { name.last?.isNumber == true ? name.filter { !$0.isNumber } : name }
    let counts = Dictionary(grouping: compactMap { label($0)?.name }, by: \.self).mapValues(\.count)
    let kinds = Set(counts.filter { $0.value > 1 }.keys.map(kind))
    return map { part in
      guard let label = label(part), kinds.contains(kind(label.name)) else { return part }
      var part = part
      part.speaker = label.name
      part.words.removeFirst(label.count)
      return part
    }
  }
}

extension StringProtocol {
  /// Whether it is a time that stands in a text, such as `[00:01:02.500`, `(1:02)` or `-->`.
  fileprivate var isTimeOfText: Bool {
    if self == "-->" { return true }
    let bare = drop { "[(".contains($0) }
    return String(bare).wholeMatch(of: /(\d{1,2}:)?\d{1,2}:\d{2}([.,]\d{1,3})?[\])]*/) != nil
      && (bare.startIndex != startIndex || "])".contains(last ?? " "))
  }
}

/// A text of lines, whose words keep their places.
private struct PlainLines {
  private let lines: [Substring]
  private let text: String

  init(_ text: String) {
    self.text = text
    lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// Paragraphs, which blank lines part. Of a document of Longhand's own it is what was said, without the heading, remarks and
  /// second texts.
  var paragraphs: [ClaimedText.Part] {
    var parts = [ClaimedText.Part(words: [])]
    for line in hasOwnHeading ? lines.dropFirst(3) : lines[...] {
      if Self.secondTexts.contains(where: { line.hasPrefix($0) }) { break }
      let found = words(of: line)
      if found.isEmpty, line.allSatisfy(\.isWhitespace) { parts.append(.init(words: [])) }
      parts[parts.count - 1].words += found
    }
    return parts
  }

  /// The lines after which `txt` and `md` have a second text.
  private static let secondTexts = [
    "[normalized by ", "## Normalized by ", "[Translated into English by ", "## Translated into English by ",
  ]

  /// Whether the title and the facts of `md` come first.
  private var hasOwnHeading: Bool {
    lines.count > 3 && lines[0].hasPrefix("# ") && lines[1].isEmpty && lines[2].contains(" · ")
  }

  /// The captions of SubRip and WebVTT. Before each stands a line with its times.
  var cues: [ClaimedText.Part] {
    var parts: [ClaimedText.Part] = []
    var isText = false
    for (index, line) in lines.enumerated() {
      if let times = Self.times(line) {
        parts.append(.init(words: [], start: times.start, end: times.end))
        isText = true
      } else if line.allSatisfy(\.isWhitespace) {
        isText = false
      } else if isText,
        !(line.allSatisfy(\.isNumber) && lines.dropFirst(index + 1).first.flatMap(Self.times) != nil)
      {
        let name = /<v(?:\.[^ >]*)? ([^>]+)>/
        if let found = line.firstMatch(of: name) {
          parts[parts.count - 1].speaker = String(found.1)
        }
        parts[parts.count - 1].words += words(of: line, hasTags: true)
      }
    }
    return parts
  }

  private func words(of line: Substring, hasTags: Bool = false) -> [ClaimedText.Word] {
    // Longhand's own remark.
    guard !line.hasPrefix("[no words recognized ") else { return [] }
    var pieces = [line]
    if hasTags {
      pieces = []
      var rest = line
      while let tag = rest.firstMatch(of: /<[^>]*>|\{[^}]*\}/) {
        pieces.append(rest[..<tag.range.lowerBound])
        rest = rest[tag.range.upperBound...]
      }
      pieces.append(rest)
    }
    let utf8 = text.utf8
    return pieces.flatMap { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isTimeOfText }.map {
      word in
      let start = utf8.distance(from: utf8.startIndex, to: word.startIndex)
      return ClaimedText.Word(
        text: MarkupReader.unescaped(String(word)), place: start..<start + word.utf8.count)
    }
  }

  /// The times of a line such as `00:01:02,500 --> 00:01:04,000`.
  private static func times(_ line: Substring) -> (start: TimeInterval, end: TimeInterval)? {
    guard line.contains("-->") else { return nil }
    let times = line.components(separatedBy: "-->").compactMap { part in
      part.split(whereSeparator: \.isWhitespace).first.flatMap(seconds)
    }
    guard times.count == 2, times[0] <= times[1] else { return nil }
    return (times[0], times[1])
  }

  private static func seconds(_ text: Substring) -> TimeInterval? {
    let parts = text.replacing(",", with: ".").split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    return parts.reduce(0) { total, part in
      total.flatMap { total in Double(part).flatMap { $0.isFinite && $0 >= 0 ? total * 60 + $0 : nil } }
    }
  }
}
