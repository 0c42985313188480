import Foundation
import LonghandTranscripts

extension AuditReport {
  /// What the report says of a place, as a sentence.
  package static func sentence(_ finding: Finding) -> String {
    let confidence = finding.confidence.map { String(format: " (confidence %.2f)", $0) } ?? ""
    return switch finding.kind {
    case .notSaid:
      "\"\(finding.claimed)\" is not said: \(finding.reason)"
        + (finding.heard.isEmpty ? "." : ", \"\(finding.heard)\"\(confidence).")
    case .notInText: "The text leaves out \"\(finding.heard)\"\(confidence)."
    case .heardOtherwise:
      "The text says \"\(bare(finding.claimed))\", "
        + "but \"\(bare(finding.heard))\" is heard\(confidence)."
    case .time: "\"\(shortened(finding.claimed))\": \(finding.reason)."
    case .speaker: "\"\(finding.claimed)\": \(finding.reason)."
    case .unclear:
      finding.claimed.isEmpty
        ? "Perhaps the text leaves out \"\(finding.heard)\"\(confidence): \(finding.reason)."
        : "Perhaps not \"\(bare(finding.claimed))\""
          + (finding.heard.isEmpty ? "" : " but \"\(bare(finding.heard))\"\(confidence)")
          + ": \(finding.reason)."
    }
  }

  /// The places in their order, each with its sentence.
  package var listed: [(finding: Finding, sentence: String)] {
    let ordered = ordered
    return ordered.enumerated().map { index, finding in
      var place = finding
      // The next sentence says what is said there.
      if finding.kind == .notSaid, let next = ordered.dropFirst(index + 1).first, next.kind == .notInText,
        next.heardWords == finding.heardWords
      {
        place.heard = ""
      }
      return (finding, Self.sentence(place))
    }
  }

  /// The words without the marks after the last one.
  private static func bare(_ text: String) -> String {
    let marks = text.reversed().prefix { $0.isPunctuation }.count
    return marks < text.count ? String(text.dropLast(marks)) : text
  }

  private static func shortened(_ text: String) -> String {
    text.count <= 60 ? text : String(text.prefix(59)) + "…"
  }

  private static let kinds: [(kind: Kind, one: String, many: String)] = [
    (.notSaid, "passage that is not said", "passages that are not said"),
    (.notInText, "passage of speech that is not in the text", "passages of speech that are not in the text"),
    (.heardOtherwise, "place that is heard otherwise", "places that are heard otherwise"),
    (.time, "wrong time", "wrong times"),
    (.speaker, "change of speakers inside a sentence", "changes of speakers inside sentences"),
  ]

  /// How many places there are of each kind, in words.
  package var summary: String {
    let found = Self.kinds.compactMap { kind, one, many in
      let count = count(kind)
      return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
    let unclear = count(.unclear)
    let rest = unclear == 0 ? "" : " Not heard clearly: \(unclear) \(unclear == 1 ? "place" : "places")."
    return
      (found.isEmpty
      ? "Nothing is wrong as far as it is heard clearly." : found.joined(separator: ", ") + ".")
      + rest
  }

  /// How many seconds are of each state, in words.
  package var coverage: String {
    let names: [(State, String)] = [
      (.supported, "supported"), (.contradicted, "contradicted"), (.notInText, "not in the text"),
      (.unclear, "not heard clearly"), (.noSpeech, "without speech"),
    ]
    return "Of \(Milliseconds(seconds: duration).clock): "
      + names.map { "\($1) \(Milliseconds(seconds: seconds($0)).clock)" }.joined(separator: ", ") + "."
  }

  /// The report for a terminal.
  /// - Parameter listsUnclear: whether places that were not heard clearly are listed.
  package func text(listsUnclear: Bool) -> String {
    let lines = listed.filter { listsUnclear || $0.finding.kind.isFinding }.map { finding, sentence in
      "\(Milliseconds(seconds: finding.start).clock)  \(LineText.of(sentence))\n"
    }
    return lines.joined() + (lines.isEmpty ? "" : "\n") + "\(summary)\n\(coverage)\n"
  }

  /// The report as JSON: see `Schemas/audit.schema.json`.
  package var json: JSONValue {
    .object([
      ("version", .integer(1)), ("source", .string(source)), ("locale", .string(locale)),
      ("model", model.map(JSONValue.string) ?? .null), ("duration", .seconds(duration)),
      ("counts", .object(Kind.allCases.map { ($0.rawValue, .integer(count($0))) })),
      ("seconds", .object(State.allCases.map { ($0.rawValue, .seconds(seconds($0))) })),
      ("findings", .array(ordered.map(Self.json))),
      (
        "states",
        .array(
          spans.map {
            .object([
              ("start", .seconds($0.start)), ("end", .seconds($0.end)), ("state", .string($0.state.rawValue)),
            ])
          })
      ),
    ])
  }

  private static func json(_ finding: Finding) -> JSONValue {
    .object([
      ("kind", .string(finding.kind.rawValue)), ("start", .seconds(finding.start)),
      ("end", .seconds(finding.end)), ("text", .string(finding.claimed)), ("heard", .string(finding.heard)),
      ("confidence", .confidence(finding.confidence)), ("reason", .string(finding.reason)),
      ("isNumberOrName", .boolean(finding.isNumberOrName)), ("firstWord", .integer(finding.words.lowerBound)),
      ("wordCount", .integer(finding.words.count)),
    ])
  }

  /// A copy of the text in which each place that is wrong is corrected and labelled; nil if its words have no places.
  /// Times and speakers stay as they are, also between the words of a place: its label is before them.
  package func corrected(_ contents: Data) -> Data? {
    guard words.allSatisfy({ $0.place != nil }) else { return nil }
    var copy = Data()
    var reached = 0
    for finding in findings {
      let label: String
      switch finding.kind {
      case .notSaid: label = "[not said: \(finding.claimed)]"
      case .heardOtherwise: label = "\(finding.heard) [was: \(finding.claimed)]"
      case .notInText: label = " [also said: \(finding.heard)]"
      case .time, .speaker, .unclear: continue
      }
      var pieces = self.pieces(of: finding.words, in: contents)
      if finding.kind == .notInText {
        // After the words of the place, or those before it; at the beginning before all words.
        let before =
          finding.words.upperBound > 0 ? words[finding.words.upperBound - 1].place?.upperBound : nil
        let edge = before ?? words.first?.place?.lowerBound ?? 0
        pieces = [edge..<edge]
      }
      guard let first = pieces.first, first.lowerBound >= reached else { continue }
      for piece in pieces {
        copy += contents[contents.startIndex + reached..<contents.startIndex + piece.lowerBound]
        if piece == first {
          copy += Data(
            (first.isEmpty && finding.words.upperBound == 0 ? label.dropFirst() + " " : label[...]).utf8)
        }
        reached = piece.upperBound
      }
    }
    return copy + contents[(contents.startIndex + reached)...]
  }

  /// Where words are in the contents. They are parted where a caption or a paragraph begins, and where more than white space
  /// is between them, such as a speaker or a tag.
  private func pieces(of range: Range<Int>, in contents: Data) -> [Range<Int>] {
    range.reduce(into: []) { pieces, index in
      guard let place = words[index].place else { return }
      guard let last = pieces.last, last.upperBound <= place.lowerBound, !starts.contains(index) else {
        return pieces.append(place)
      }
      let between = contents[
        contents.startIndex + last.upperBound..<contents.startIndex + place.lowerBound]
      if String(decoding: between, as: UTF8.self).allSatisfy(\.isWhitespace) {
        pieces[pieces.count - 1] = last.lowerBound..<place.upperBound
      } else {
        pieces.append(place)
      }
    }
  }
}
