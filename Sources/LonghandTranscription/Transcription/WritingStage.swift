import Foundation
import LonghandTranscripts

/// Writes text with the characters that the language's tag names, where a recognizer writes either of two. The words stay the same.
struct WritingStage: FinalStage {
  /// The language of all finals; nil for the one of each.
  let locale: Locale?
  /// The language of the last final that has one.
  private var last: Locale?

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
    for index in result.candidates.indices { writing.write(&result.candidates[index]) }
    // Two texts that differed in their characters alone are one.
    guard result.selection.index == 0 else { return result }
    var texts: Set<String> = []
    result.candidates.removeAll { !texts.insert($0.text).inserted }
    return result
  }

  func partial(_ text: String) -> String { (locale ?? last).flatMap(Writing.init)?.written(text) ?? text }
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
    // Chinese characters depend on those beside them, also across words.
    let joined = candidate.words.map(\.text).joined()
    var rest = written(joined)[...]
    let isEven = (self == .simplified || self == .traditional) && rest.count == joined.count
    for index in candidate.words.indices {
      let word = candidate.words[index].text
      candidate.words[index].text = isEven ? String(rest.prefix(word.count)) : written(word)
      rest = rest.dropFirst(word.count)
    }
  }

  /// A text in this writing.
  func written(_ text: String) -> String {
    switch self {
    case .simplified: Self.chinese(text, by: "Traditional-Simplified", besides: Self.alsoSimplified)
    case .traditional: Self.chinese(text, by: "Simplified-Traditional", besides: Self.alsoTraditional)
    case .latin: text.applyingTransform(StringTransform("sr-sr_Latn/BGN"), reverse: false) ?? text
    case .cyrillic: SerbianCyrillic.written(text)
    }
  }

  /// Characters that ICU takes for simplified ones, and that traditional texts have too, mostly in other words and in names: of
  /// those that it converts alone, the common ones of Big5 without the ones that few traditional texts have, such as 几 and 听.
  private static let alsoTraditional = Set("丑丰于云仆佣占后喂夸尸干并彷征挽斗朴杆杰沉泄涂涌淀漓着筑腌舍范虱采")
  /// Characters that ICU takes for traditional ones, and that simplified texts have too.
  private static let alsoSimplified = Set("乾俱吒夥姊徵摺瞭箝藉著跤阪")

  /// Chinese by a transform of ICU, which writes each character for the one that it mostly stands for. A text stays as it is if
  /// it has no character of the other writing besides those of both.
  private static func chinese(_ text: String, by name: String, besides both: Set<Character>) -> String {
    let transform = StringTransform(name)
    // Alone, because beside others ICU also converts characters that are right.
    let others = Set(text).subtracting(both).map(String.init).joined(separator: "\n")
    guard others.applyingTransform(transform, reverse: false) != others else { return text }
    return text.applyingTransform(transform, reverse: false) ?? text
  }
}
