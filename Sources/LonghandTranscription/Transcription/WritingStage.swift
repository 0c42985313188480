import Foundation
import LonghandTranscripts

/// Writes finals with the characters that the language's tag names, where a recognizer writes either of two. The words stay the
/// same.
struct WritingStage: FinalStage {
  /// The language of all finals; nil for the one of each.
  let locale: Locale?

  /// - Parameter locale: the language of all finals; nil for the one of each.
  /// - Returns: nil if finals stay as they are.
  init?(_ locale: Locale?) {
    if let locale, Writing(locale) == nil { return nil }
    self.locale = locale
  }

  func take(_ result: FinalResult) -> FinalResult {
    let language = result.candidates.first?.language.map { Locale(identifier: $0) }
    guard let writing = (locale ?? language).flatMap(Writing.init) else { return result }
    var result = result
    for index in result.candidates.indices { writing.write(&result.candidates[index]) }
    // Two texts that differed in their characters alone are one.
    guard result.selection.index == 0 else { return result }
    var texts: Set<String> = []
    result.candidates.removeAll { !texts.insert($0.text).inserted }
    return result
  }
}

/// The characters of a language that is written with two kinds of them.
enum Writing: Equatable {
  /// Chinese.
  case simplified, traditional
  /// Serbian.
  case latin, cyrillic

  /// The writing that a language's tag means, such as `zh-TW` or `sr-Latn`; nil if there is only one, or if the tag of a language
  /// whose readers know both names none.
  init?(_ locale: Locale) {
    let tag = locale.identifier(.bcp47)
    let language = Locale.Language(identifier: tag)
    switch language.languageCode?.identifier {
    case "zh", "yue":
      let likely = Locale.Language(identifier: language.maximalIdentifier).script
      self = likely == .hanTraditional ? .traditional : .simplified
    case "sr" where tag.contains("-Latn"): self = .latin
    case "sr" where tag.contains("-Cyrl"): self = .cyrillic
    default: return nil
    }
  }

  /// Writes a candidate's text and words.
  func write(_ candidate: inout Candidate) {
    candidate.text = written(candidate.text)
    // Characters depend on those beside them, also across words.
    let joined = candidate.words.map(\.text).joined()
    var rest = written(joined)[...]
    let isEven = rest.count == joined.count
    for index in candidate.words.indices {
      let word = candidate.words[index].text
      candidate.words[index].text = isEven ? String(rest.prefix(word.count)) : written(word)
      rest = rest.dropFirst(word.count)
    }
  }

  /// A text in this writing.
  func written(_ text: String) -> String {
    switch self {
    case .simplified:
      text.applyingTransform(StringTransform("Traditional-Simplified"), reverse: false) ?? text
    case .traditional:
      text.applyingTransform(StringTransform("Simplified-Traditional"), reverse: false) ?? text
    case .latin: text.applyingTransform(StringTransform("sr-sr_Latn/BGN"), reverse: false) ?? text
    case .cyrillic: Self.cyrillic(text)
    }
  }

  /// The Cyrillic letters for Gaj's Latin ones; the first that fit, so that pairs come first.
  private static let letters: [(latin: String, cyrillic: String)] = {
    let small = zip(
      "lj nj dž a b v g d đ e ž z i j k l m n o p r s t ć u f h c č š".split(separator: " "),
      "љ њ џ а б в г д ђ е ж з и ј к л м н о п р с т ћ у ф х ц ч ш".split(separator: " ")
    ).map { (String($0), String($1)) }
    let capitals = small.flatMap { latin, cyrillic in
      [(latin.uppercased(), cyrillic.uppercased()), (latin.capitalized, cyrillic.uppercased())]
    }
    return (small + capitals).sorted { $0.0.count > $1.0.count }
  }()

  private static func cyrillic(_ text: String) -> String {
    letters.reduce(text.precomposedStringWithCanonicalMapping) { text, pair in
      text.replacingOccurrences(of: pair.latin, with: pair.cyrillic)
    }
  }
}
