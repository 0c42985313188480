import Foundation
import LonghandTranscripts
import SentenceFormatting

/// The words of a segment's candidates in a line of `longhand worker`, to the bit: what `transcript` does not have.
package enum TranscribedWords {
  /// A list for each candidate. A word is `[text, start, end, confidence]`, with the voiced frames of its end if these were
  /// measured, and with the marks of a punctuation model as text, see `WordMarks.code`, if there was one. In candidates that
  /// were not selected, a number stands for that word of the selected one.
  package static func value(of segment: Segment) -> JSONValue {
    let selected = segment.words.map(\.unlabelled)
    return .array(
      segment.candidates.enumerated().map { index, candidate in
        .array(
          candidate.words.map { word in
            let same = index == segment.selection.index ? nil : selected.firstIndex(of: word.unlabelled)
            return same.map(JSONValue.integer) ?? value(of: word)
          })
      })
  }

  private static func value(of word: Word) -> JSONValue {
    let voice = word.voice.map { [JSONValue.integer(Int($0.voicedFrames))] } ?? []
    let rest = voice + (word.marks.map { [JSONValue.string(String($0.code))] } ?? [])
    return .array(
      [.string(word.text), .exact(word.start), .exact(word.end), .exact(word.confidence)] + rest)
  }

  /// A word as it is read.
  enum Item: Decodable {
    case word(Word)
    /// The index of a word of the selected candidate.
    case same(Int)

    init(from decoder: any Decoder) throws {
      if let index = try? decoder.singleValueContainer().decode(Int.self) {
        self = .same(index)
        return
      }
      var fields = try decoder.unkeyedContainer()
      var word = Word(
        text: try fields.decode(String.self), start: try fields.decode(Double.self),
        end: try fields.decode(Double.self), confidence: try fields.decodeIfPresent(Double.self))
      if var frames = try? fields.decode(Double.self) {
        // Earlier versions wrote the level of the voice first.
        frames = (try? fields.decode(Double.self)) ?? frames
        guard let frames = UInt8(exactly: frames) else {
          throw DecodingError.dataCorruptedError(in: fields, debugDescription: "no number of frames")
        }
        word.voice = WordVoice(voicedFrames: frames)
      }
      if !fields.isAtEnd {
        word.marks = WordMarks(code: Int(try fields.decode(String.self)) ?? 0)
        guard word.marks != nil else {
          throw DecodingError.dataCorruptedError(in: fields, debugDescription: "marks that cannot be")
        }
      }
      self = .word(word)
    }
  }

  /// The words of each candidate; nil if the items are not those of a segment.
  /// - Parameter selected: the index of the selected candidate.
  static func words(_ items: [[Item]], selected: Int) -> [[Word]]? {
    guard items.indices.contains(selected) else { return nil }
    let own = items[selected].compactMap { if case .word(let word) = $0 { word } else { nil } }
    guard own.count == items[selected].count else { return nil }
    var lists: [[Word]] = []
    for list in items {
      var words: [Word] = []
      for item in list {
        switch item {
        case .word(let word): words.append(word)
        case .same(let index):
          guard own.indices.contains(index) else { return nil }
          words.append(own[index])
        }
      }
      lists.append(words)
    }
    return lists
  }
}
