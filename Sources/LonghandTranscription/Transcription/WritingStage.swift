import Foundation
import LonghandTranscripts

/// Writes text with the characters that the language's tag names, where a recognizer writes either of two. The words stay the same.
struct WritingStage: FinalStage {
  /// The language of all finals; nil for the one of each.
  let locale: Locale?
  /// The language of the last final that has one.
  private var last: Locale?
  /// Whether the last final that shows it was in the wanted writing already.
  private var isWritten: Bool?

  /// - Parameter locale: the language of all finals; nil for the one of each.
  /// - Returns: nil if finals stay as they are.
  init?(_ locale: Locale?) {
    if let locale, Writing(locale) == nil { return nil }
    self.locale = locale
  }

  mutating func take(_ result: FinalResult) -> FinalResult {
    let language = result.candidates.first?.language.map { Locale(identifier: $0) }
    last = language ?? last
    guard let writing = (locale ?? language).flatMap(Writing.init) else { return result }
    var result = result
    isWritten = result.candidates.first.flatMap { writing.isWritten($0.text) } ?? isWritten
    for index in result.candidates.indices { writing.write(&result.candidates[index], else: isWritten) }
    // Two texts that differed in their characters alone are one.
    guard result.selection.index == 0 else { return result }
    var texts: Set<String> = []
    result.candidates.removeAll { !texts.insert($0.text).inserted }
    return result
  }

  func partial(_ text: String) -> String {
    (locale ?? last).flatMap(Writing.init)?.written(text, else: isWritten) ?? text
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
  /// - Parameter isWritten: see `written(_:else:)`.
  func write(_ candidate: inout Candidate, else isWritten: Bool? = nil) {
    guard !stays(candidate.text, else: isWritten) else { return }
    candidate.text = converted(candidate.text)
    // Chinese characters depend on those beside them, also across words.
    let joined = candidate.words.map(\.text).joined()
    var rest = converted(joined)[...]
    let isEven = (self == .simplified || self == .traditional) && rest.count == joined.count
    for index in candidate.words.indices {
      let word = candidate.words[index].text
      candidate.words[index].text = isEven ? String(rest.prefix(word.count)) : converted(word)
      rest = rest.dropFirst(word.count)
    }
  }

  /// A text in this writing.
  /// - Parameter isWritten: whether it is taken for written so if it does not show that; nil if nothing is known.
  func written(_ text: String, else isWritten: Bool? = nil) -> String {
    stays(text, else: isWritten) ? text : converted(text)
  }

  private func stays(_ text: String, else isWritten: Bool?) -> Bool {
    other != nil && (self.isWritten(text) ?? isWritten ?? false)
  }

  private func converted(_ text: String) -> String {
    switch self {
    case .simplified, .traditional: Self.transformed(text, by: transform)
    case .latin: Self.transformed(text, by: "sr-sr_Latn/BGN")
    case .cyrillic: SerbianCyrillic.written(text)
    }
  }

  /// Whether Chinese is in this writing already: not if it has a character of the other one. Nil if all its characters are of both.
  func isWritten(_ text: String) -> Bool? {
    guard let other else { return nil }
    if Self.changes(text, by: transform, besides: common) { return false }
    return Self.changes(text, by: other.transform, besides: other.common) ? true : nil
  }

  /// The other writing of Chinese.
  private var other: Writing? {
    switch self {
    case .simplified: .traditional
    case .traditional: .simplified
    case .latin, .cyrillic: nil
    }
  }

  /// ICU's transform into a writing of Chinese. It writes each character for the one that it mostly stands for, and converts
  /// characters that are right, too, beside others.
  private var transform: String { self == .simplified ? "Traditional-Simplified" : "Simplified-Traditional" }

  /// Characters that ICU takes for those of the other writing of Chinese, and that texts in this one have too.
  private var common: Set<Character> { self == .simplified ? Self.alsoSimplified : Self.alsoTraditional }

  /// Of those that ICU converts alone, the common ones of Big5, mostly in other words and in names, without the ones that few
  /// traditional texts have, such as 几 and 听.
  private static let alsoTraditional = Set("丑丰于云仆佣占后喂夸尸干并彷征挽斗朴杆杰沉泄涂涌淀漓着筑腌舍范虱采")
  private static let alsoSimplified = Set("乾俱吒夥姊徵摺瞭箝藉著跤阪")

  /// Whether a transform changes characters of a text, each alone, that are not common to both writings.
  private static func changes(_ text: String, by transform: String, besides common: Set<Character>) -> Bool {
    let characters = Set(text).subtracting(common).map(String.init).joined(separator: "\n")
    return transformed(characters, by: transform) != characters
  }

  private static func transformed(_ text: String, by transform: String) -> String {
    text.applyingTransform(StringTransform(transform), reverse: false) ?? text
  }
}
