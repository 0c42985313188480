import Foundation
import SentenceFormatting

/// The form of candidates in versions 1 to 7 of the store: counts in 32 bits and numbers in 64, little-endian; texts in UTF-8
/// after the number of their bytes; an absent confidence is not a number. The sources follow if there are any, and then the
/// voices of all words. The store still reads it.
enum EarlierCandidateCoding {
  /// In the number of the candidates: the voices of words follow.
  private static let voiced: UInt32 = 1 << 31

  /// The candidates in `bytes`; nil if they are not in this form.
  static func candidates(_ bytes: UnsafeRawBufferPointer) -> [Candidate]? {
    var rest = bytes[...]
    guard let marked: UInt32 = rest.popInteger() else { return nil }
    let hasVoices = marked & voiced != 0
    let candidates: [Candidate]? = list(&rest, count: marked & ~voiced) { rest in
      guard let text = text(&rest), let confidence = number(&rest), let words = list(&rest, of: word)
      else { return nil }
      return Candidate(text: text, words: words, confidence: known(confidence))
    }
    if rest.isEmpty, !hasVoices { return candidates }
    // Stores of earlier versions have no sources.
    guard var known = candidates else { return nil }
    for index in known.indices {
      guard let source = text(&rest) else { return nil }
      known[index].source = source.isEmpty ? nil : source
    }
    guard hasVoices else { return rest.isEmpty ? known : nil }
    for index in known.indices {
      for place in known[index].words.indices {
        guard let level: UInt32 = rest.popInteger(), let frames: UInt8 = rest.popInteger() else { return nil }
        known[index].words[place].voice =
          Float(bitPattern: level).isNaN ? nil : WordVoice(voicedFrames: frames)
      }
    }
    return rest.isEmpty ? known : nil
  }

  private typealias Bytes = Slice<UnsafeRawBufferPointer>

  private static func word(_ rest: inout Bytes) -> Word? {
    guard let text = text(&rest), let start = number(&rest), let end = number(&rest),
      let confidence = number(&rest)
    else { return nil }
    return Word(text: text, start: start, end: end, confidence: known(confidence))
  }

  private static func known(_ confidence: Double) -> Double? { confidence.isNaN ? nil : confidence }

  private static func list<Element>(_ rest: inout Bytes, of element: (inout Bytes) -> Element?) -> [Element]?
  {
    guard let count: UInt32 = rest.popInteger() else { return nil }
    return list(&rest, count: count, of: element)
  }

  private static func list<Element>(
    _ rest: inout Bytes, count: UInt32, of element: (inout Bytes) -> Element?
  ) -> [Element]? {
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = element(&rest) else { return nil }
      elements.append(element)
    }
    return elements
  }

  private static func text(_ rest: inout Bytes) -> String? {
    guard let count: UInt32 = rest.popInteger(), rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
  }

  private static func number(_ rest: inout Bytes) -> Double? {
    rest.popInteger().map { Double(bitPattern: $0) }
  }
}
