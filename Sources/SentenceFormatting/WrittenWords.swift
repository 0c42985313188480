import Foundation

#if canImport(_FoundationICU)
  import _FoundationICU
#endif

extension String {
  /// Where its words are, each with the marks around it: between spaces, and in writing without them by ICU's dictionaries,
  /// or by characters where it has none. A line may break between them.
  package var writtenWords: [Range<Index>] {
    let runs = split(whereSeparator: \.isWhitespace)
    return isPartlyUnspaced ? runs.flatMap(WordBreaks.words) : runs.map { $0.startIndex..<$0.endIndex }
  }
}

/// Divides writing without spaces into words.
private enum WordBreaks {
  /// The words of a text without spaces. They cover it.
  static func words(of run: Substring) -> [Range<String.Index>] {
    guard run.isPartlyUnspaced else { return [run.startIndex..<run.endIndex] }
    var words: [Range<String.Index>] = []
    for part in parts(of: run) {
      if let last = words.last, belongTogether(run[last], run[part]) {
        words[words.count - 1] = last.lowerBound..<part.upperBound
      } else {
        words.append(part)
      }
    }
    return words
  }

  /// Japanese letters that continue the one before.
  private static let continuing: Set<Character> = Set("ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞヽヾ〻ๆໆ")

  /// Whether a line may not end with one text and begin with the other: an opening mark is not at the end of a line, another
  /// one not at the beginning, and what is written with spaces is divided at them only.
  private static func belongTogether(_ left: Substring, _ right: Substring) -> Bool {
    guard let end = left.last, let start = right.first else { return true }
    if end.isOpening || continuing.contains(start) { return true }
    if !right.contains(where: \.isOfWord) { return !start.isOpening }
    return end.unicodeScalars.last?.isUnspaced != true && start.unicodeScalars.first?.isUnspaced != true
  }

  /// The parts between the boundaries that Unicode's rules and the dictionaries find, none of them within a character.
  private static func parts(of run: Substring) -> [Range<String.Index>] {
    let boundaries = boundaries(of: run)
    var (parts, start, offset): ([Range<String.Index>], String.Index, Int) = ([], run.startIndex, 0)
    for index in run.indices {
      let next = run.index(after: index)
      offset += run[index].utf16.count
      guard next == run.endIndex || boundaries?.contains(offset) ?? true else { continue }
      parts.append(start..<next)
      start = next
    }
    return parts
  }

  /// The boundaries as offsets in UTF-16; nil if they are not known.
  private static func boundaries(of run: Substring) -> Set<Int>? {
    #if canImport(_FoundationICU)
      var status = U_ZERO_ERROR
      let units = Array(run.utf16)
      return units.withUnsafeBufferPointer { units in
        guard
          let iterator = swift_ubrk_open(
            UBRK_WORD, "", units.baseAddress, Int32(clamping: units.count), &status)
        else { return nil }
        defer { swift_ubrk_close(iterator) }
        var boundaries: Set<Int> = []
        while case let next = swift_ubrk_next(iterator), next >= 0 { boundaries.insert(Int(next)) }
        return boundaries
      }
    #else
      var boundaries: Set<Int> = []
      let text = String(run)
      text.enumerateSubstrings(in: text.startIndex..., options: [.byWords, .substringNotRequired]) {
        _, range, _, _ in
        for index in [range.lowerBound, range.upperBound] {
          boundaries.insert(text.utf16.distance(from: text.startIndex, to: index))
        }
      }
      return boundaries
    #endif
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }

  /// Whether it belongs to what is after it.
  fileprivate var isOpening: Bool {
    switch unicodeScalars.first?.properties.generalCategory {
    case .openPunctuation, .initialPunctuation, .currencySymbol: true
    default: false
    }
  }
}
