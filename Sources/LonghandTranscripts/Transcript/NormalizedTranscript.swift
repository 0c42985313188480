/// The text of a transcript in the spelling of its domain: a second, labelled text beside the transcript.
public struct NormalizedTranscript: Sendable, Hashable, Codable {
  /// How the text was made.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// With the corrections and names of a vocabulary.
    case vocabulary
    /// With a vocabulary and a language model.
    case vocabularyAndLanguageModel = "vocabulary+language model"
  }

  /// Why a part of the text differs from the transcript.
  public enum Provenance: String, Sendable, Hashable, Codable, CaseIterable {
    /// A declared correction.
    case declaredCorrection
    /// A name with other capitals or punctuation.
    case exactMatch
    /// A name that sounds and is written much like the words of the transcript.
    case fuzzyMatch
    /// A language model wrote it.
    case languageModel
  }

  /// A part of the text that differs from the transcript.
  public struct Span: Sendable, Hashable, Codable {
    /// Why it differs.
    public var provenance: Provenance
    /// The range in the transcript's text, as offsets into its UTF-8.
    public var source: Range<Int>
    /// The range in `text`, as offsets into its UTF-8.
    public var target: Range<Int>
    /// The words of the transcript.
    public var original: String
    /// The words that replace them.
    public var text: String
    /// How well a name matches, 0 to 1; nil if it is no match.
    public var score: Double?

    package init(
      provenance: Provenance, source: Range<Int>, target: Range<Int>, original: String, text: String,
      score: Double? = nil
    ) {
      self.provenance = provenance
      self.source = source
      self.target = target
      self.original = original
      self.text = text
      self.score = score
    }
  }

  /// The position of a name.
  public struct Occurrence: Sendable, Hashable, Codable {
    /// The name, in its declared spelling.
    public var term: String
    /// The range in the transcript's text, as offsets into its UTF-8.
    public var source: Range<Int>
    /// The name's ID in the reader's database, if that was given.
    public var id: String?

    package init(term: String, source: Range<Int>, id: String? = nil) {
      self.term = term
      self.source = source
      self.id = id
    }
  }

  /// How a name was found: `exactMatch` if the transcript has it, except for capitals and punctuation; `fuzzyMatch` if words
  /// that sound like it were replaced.
  public func provenance(of occurrence: Occurrence) -> Provenance {
    spans.first { $0.source.overlaps(occurrence.source) }?.provenance ?? .exactMatch
  }

  /// The text. Outside of `spans` it is the transcript's, byte for byte.
  public var text: String
  /// The names in the text in their declared spelling, in order of appearance, each once.
  public var extractedTerms: [String] { occurrences.map(\.term).eachOnce }
  /// The names in the text, in order of appearance.
  public var occurrences: [Occurrence]
  /// The differences from the transcript, in order, without overlaps.
  public var spans: [Span]
  /// How the text was made.
  public var by: Method

  package init(
    text: String, occurrences: [Occurrence] = [], spans: [Span] = [], by: Method = .vocabulary
  ) {
    self.text = text
    self.occurrences = occurrences
    self.spans = spans
    self.by = by
  }
}

extension NormalizedTranscript {
  /// A part of the first text that stays where echoes are left out, in offsets into UTF-8.
  private struct Kept {
    var source: Range<Int>
    /// Where it begins in what is left.
    var start: Int
    /// Parts have the same number where nothing between them is left out.
    var run: Int
  }

  /// The second text of segments, whose texts are joined by spaces, without words that are echoes of another channel. Changes and
  /// names that echoes have a part in are left out.
  package func withoutEcho(of segments: [Segment]) -> NormalizedTranscript {
    guard segments.contains(where: { $0.words.contains(where: \.isEcho) }) else { return self }
    var (kept, texts): ([Kept], [String]) = ([], [])
    var (offset, start, run) = (0, 0, 0)
    for segment in segments {
      defer { offset += segment.text.utf8.count + 1 }
      guard let rest = segment.withoutEcho else {
        run += 1
        continue
      }
      if rest == segment {
        kept.append(Kept(source: offset..<offset + segment.text.utf8.count, start: start, run: run))
      } else {
        var left = (rest.text.byteRanges(of: rest.words) ?? [])[...]
        let ranges = segment.text.byteRanges(of: segment.words) ?? []
        for (word, range) in zip(segment.words, ranges) {
          guard !word.isEcho, let place = left.popFirst() else {
            run += 1
            continue
          }
          kept.append(
            Kept(
              source: range.lowerBound + offset..<range.upperBound + offset, start: start + place.lowerBound,
              run: run))
        }
      }
      texts.append(rest.text)
      start += rest.text.utf8.count + 1
    }
    return moved(to: texts.joined(separator: " "), kept)
  }

  private func moved(to first: String, _ kept: [Kept]) -> NormalizedTranscript {
    func place(_ source: Range<Int>) -> Range<Int>? {
      guard let first = kept.first(where: { $0.source.contains(source.lowerBound) }),
        let last = kept.first(where: { $0.source.upperBound >= source.upperBound }),
        last.source.lowerBound <= source.upperBound, first.run == last.run
      else { return nil }
      let start = first.start + source.lowerBound - first.source.lowerBound
      return start..<max(start, last.start + source.upperBound - last.source.lowerBound)
    }
    let bytes = Array(first.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    var (result, position) = (NormalizedTranscript(text: "", by: by), 0)
    for span in spans {
      guard let source = place(span.source), source.lowerBound >= position else { continue }
      result.text += part(position..<source.lowerBound)
      var moved = span
      (moved.source, moved.target) = (
        source, result.text.utf8.count..<result.text.utf8.count + span.text.utf8.count
      )
      result.text += span.text
      result.spans.append(moved)
      position = source.upperBound
    }
    result.text += part(position..<bytes.count)
    result.occurrences = occurrences.compactMap { occurrence in
      place(occurrence.source).map { Occurrence(term: occurrence.term, source: $0, id: occurrence.id) }
    }
    return result
  }
}

extension String {
  /// Where words are in the UTF-8 of the text, in order; nil if one is not there.
  fileprivate func byteRanges(of words: [Word]) -> [Range<Int>]? {
    places(of: words)?.map { place in
      let start = utf8.distance(from: startIndex, to: place.lowerBound)
      return start..<start + self[place].utf8.count
    }
  }
}
