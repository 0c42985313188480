import Foundation
import RecognitionProtocol

/// What a window sounds like.
struct HeardLanguage: Sendable, Equatable {
  /// BCP 47.
  var language: String
  /// 0 to 1.
  var probability: Double
  /// Samples of speech in the window.
  var speech: Int
  /// Whether the texts of several languages were compared for it; else it is only what the recognizer heard.
  var isCompared = false

  /// The language, if enough speech clearly sounds like it.
  var clear: String? {
    speech >= LanguageTracker.minSpeech.window && probability >= LanguageTracker.minProbability.window
      ? language : nil
  }
}

/// Decides in which language each window of a recording is recognized, by what the windows sound like, in the order of the
/// audio: a pure state machine. So the languages do not depend on the order in which windows are decoded.
///
/// The first language is the one that most of the speech sounds like, in as many windows as it takes to be sure. Then the
/// language changes where a window with enough speech clearly sounds like another one, and does so too if the texts of both
/// languages are compared. In live audio it changes with that window, because nothing waits for the next one.
struct LanguageTracker {
  /// What a window is recognized in.
  enum Decision: Sendable, Equatable {
    case whole(String)
    /// In the language that it sounds like, if texts are compared.
    /// - Parameters:
    ///   - expecting: the language that is likely.
    ///   - parts: whether each utterance is heard by itself, because another language is perhaps in a few of them only.
    case heard(expecting: String, parts: Bool = false)
    /// The language may change at the window's utterances.
    /// - Parameter leaning: the language of utterances that do not sound clearly like one of the two.
    case change(from: String, to: String, leaning: String)
  }

  /// Samples of speech from which the beginning of a recording, a window, or an utterance at a change sounds like a language,
  /// and which a change costs.
  static let minSpeech = (
    beginning: 5 * SpeechSegmenter.sampleRate, window: 3 * SpeechSegmenter.sampleRate,
    utterance: SpeechSegmenter.sampleRate, change: 2 * SpeechSegmenter.sampleRate
  )
  /// The probability from which it does.
  static let minProbability = (window: 0.8, utterance: 0.5)
  /// The number of windows with words, and of windows, after which the likeliest first language counts.
  private static let maxOpening = (heard: 5, all: 20)

  /// The language of the last decided window, or the first one; the expected one as long as none is known.
  private(set) var language: String
  /// What the windows sound like that wait for the first language; nil if it is known.
  private var opening: [HeardLanguage?]?
  /// Whether audio is recognized while it is spoken: no window waits for the next one.
  private let isLive: Bool
  /// The number of windows without a decision: the change may be in the last one.
  private var waiting = 0

  /// - Parameters:
  ///   - language: the one of what was said before, or the expected one.
  ///   - isKnown: whether anything was said before.
  ///   - isLive: whether audio is recognized while it is spoken, each utterance by itself.
  init(_ language: String, isKnown: Bool = true, isLive: Bool = false) {
    (self.language, self.isLive) = (language, isLive)
    opening = isKnown ? nil : []
  }

  /// What a window is recognized in that is not decided yet.
  var usual: Decision { opening == nil ? .whole(language) : .heard(expecting: language) }

  /// What the next window is recognized in before the tracker takes it; nil if what it sounds like is enough.
  /// - Parameter parts: the number of its utterances.
  func comparison(of heard: HeardLanguage?, parts: Int) -> Decision? {
    guard opening == nil, let heard, heard.language != language, !heard.isCompared,
      heard.clear != nil || (parts > 1 && heard.speech >= Self.minSpeech.window)
    else { return nil }
    return .heard(expecting: language, parts: parts > 1)
  }

  /// Takes the next window.
  /// - Parameter heard: the language that it sounds like; nil if it has no words.
  /// - Returns: the decisions about the first windows that have none.
  mutating func take(_ heard: HeardLanguage?) -> [Decision] {
    guard let windows = opening.map({ $0 + [heard] }) else { return takeNext(heard) }
    opening = windows
    let spoken = windows.compactMap(\.self)
    // Nothing was said yet.
    if spoken.isEmpty { return open() }
    let speech = spoken.reduce(0) { $0 + $1.speech }
    let isSure =
      speech >= Self.minSpeech.beginning && Self.likeliest(spoken).share >= Self.minProbability.window
    let isLate = spoken.count >= Self.maxOpening.heard || windows.count >= Self.maxOpening.all
    return isSure || isLate || (isLive && speech >= Self.minSpeech.beginning) ? begin() : []
  }

  /// The likeliest language, and its share of the speech.
  private static func likeliest(_ spoken: [HeardLanguage]) -> (language: String, share: Double) {
    var weights: [String: Double] = [:]
    for heard in spoken { weights[heard.language, default: 0] += heard.probability * Double(heard.speech) }
    let best = spoken.max { weights[$0.language] ?? 0 < weights[$1.language] ?? 0 }?.language ?? ""
    let speech = spoken.reduce(0) { $0 + $1.speech }
    return (best, (weights[best] ?? 0) / Double(max(1, speech)))
  }

  /// Decides about windows without words: their language does not matter.
  private mutating func open() -> [Decision] {
    let count = opening?.count ?? 0
    opening = []
    return [Decision](repeating: .whole(language), count: count)
  }

  /// Decides about the first language, and then about the windows that have waited for it.
  private mutating func begin() -> [Decision] {
    let windows = opening ?? []
    let spoken = windows.compactMap(\.self)
    guard !spoken.isEmpty else { return open() }
    language = Self.likeliest(spoken).language
    opening = nil
    return windows.flatMap { takeNext($0) }
  }

  private mutating func takeNext(_ heard: HeardLanguage?) -> [Decision] {
    waiting += 1
    guard let other = heard?.clear, other != language else { return release(keeping: isLive ? 0 : 1) }
    if isLive { language = other }
    return isLive ? release(keeping: 0) : release(keeping: 2) + change(to: other)
  }

  /// Decides about all windows: no other one follows, or their results are needed now.
  mutating func finish() -> [Decision] {
    let opened = opening == nil ? [] : begin()
    return opened + release(keeping: 0)
  }

  /// The language changes in the last window, or at the end of the one before.
  private mutating func change(to other: String) -> [Decision] {
    let both = [language, other].suffix(waiting).map {
      Decision.change(from: language, to: other, leaning: $0)
    }
    (language, waiting) = (other, 0)
    return both
  }

  private mutating func release(keeping count: Int) -> [Decision] {
    let decided = max(0, waiting - count)
    waiting -= decided
    return [Decision](repeating: .whole(language), count: decided)
  }

  /// Whether each of a window's utterances is in the new language.
  /// - Parameter utterances: for each the samples of its speech, and whether it sounds like the new language.
  static func change(in utterances: [(speech: Int, isNew: Bool)]) -> [Bool] {
    // A point for each sample on the right side, and some lost for each change: one short utterance makes none.
    var best: [(score: Int, sides: [Bool])] = [(0, []), (0, [])]
    for (speech, isNew) in utterances {
      best = [false, true].enumerated().map { index, side in
        let (own, other) = (best[index], best[1 - index])
        let before = other.score - minSpeech.change > own.score && !other.sides.isEmpty
        let from = before ? (score: other.score - minSpeech.change, sides: other.sides) : own
        return (from.score + (side == isNew ? speech : -speech), from.sides + [side])
      }
    }
    return best[0].score >= best[1].score ? best[0].sides : best[1].sides
  }
}

extension [ServiceHypothesis] {
  /// What audio sounds like; nil if no word was recognized, or if the recognizer does not know.
  /// - Parameter speech: samples of speech in the audio.
  func language(speech: Int) -> HeardLanguage? {
    guard let best = first, !best.words.isEmpty, let found = best.language else { return nil }
    let locale = Locale(identifier: found.code)
    return HeardLanguage(
      language: (SpeechLocales.supported(equivalentTo: locale) ?? locale).identifier(.bcp47),
      probability: found.probability, speech: speech)
  }
}
