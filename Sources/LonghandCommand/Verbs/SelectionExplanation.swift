import Foundation
import Longhand

extension Segment {
  /// Which alternative was chosen and why, as a sentence.
  var explanation: String {
    let number = selection.index
    let choice = number == 0 ? "The recognizer's first alternative, number 0" : "Alternative \(number)"
    let sentence =
      switch RerankingRule(rawValue: selection.rule) {
      case .recognizer:
        election
          ?? (candidates.count == 1
            ? "The recognizer offered no other text."
            : "\(choice), was kept, because no rule preferred another one.")
      case .editorialFormatting:
        "\(choice) has the same words as number 0; a short list says how to write one of them."
      case .redundantName:
        "\(choice) has the same words as number 0 without the start of a name that was recognized twice."
      case .contextualPhrase:
        "\(choice) differs from number 0 in a phrase that the words around it decide."
      case .languageModel:
        "\(choice) was chosen by the language model, which read the text before it."
      case .user: "\(choice) was chosen by a person."
      case .correction:
        "\(choice) was written or confirmed by a person; the recognizer did not produce it."
      case .paragraph:
        "\(choice) was written by a person together with the words around it; the recognizer did not produce it."
      case nil: "\(choice) was chosen by the rule '\(selection.rule)'."
      }
    return ([sentence, judgement].compactMap(\.self) + surerAlternatives).joined(separator: " ")
  }

  /// What a second network chose; nil if it chose nothing.
  private var election: String? {
    guard let lead = chosen.election else { return nil }
    let outvoted = candidates.firstIndex(where: \.isOutvoted).map { "number \($0)" } ?? "another text"
    return
      "The recognizer's own first text was \(outvoted), but a second network was asked, because others are nearly as likely; "
      + String(
        format: "both together find number \(selection.index) %.3g times as likely.", exp(min(lead, 20)))
  }

  /// Why alternatives were not chosen that have a higher confidence, in the whole or for a word; empty if there are none.
  private var surerAlternatives: [String] {
    let rule = RerankingRule(rawValue: selection.rule)
    guard rule != .user, rule?.isPersons != true else { return [] }
    var sentences: [String] = []
    let reason =
      selection.rule == RerankingRule.recognizer.rawValue
      ? "the recognizer chooses by the probability of the whole text, not by that of single words"
      : "the rule counts more than confidence"
    let own = confidence ?? 1
    let surer = candidates.indices.filter {
      $0 != selection.index && (candidates[$0].confidence ?? 0) > own
    }
    if let best = surer.max(by: { candidates[$0].confidence ?? 0 < candidates[$1].confidence ?? 0 }) {
      sentences.append(
        "Number \(best) has a higher confidence (\(candidates[best].confidence.twoDecimals) against "
          + "\(confidence.twoDecimals)): \(reason).")
    }
    let words = zip(words, wordAlternatives).compactMap { word, alternatives -> String? in
      guard let confidence = word.confidence, let best = alternatives.first, !best.text.isEmpty,
        let other = best.confidence, other > confidence
      else { return nil }
      return
        "'\(best.text)' (\(best.confidence.twoDecimals)) for '\(word.text)' (\(word.confidence.twoDecimals))"
    }
    if !words.isEmpty {
      let more = words.count > 3 ? " and \(words.count - 3) more" : ""
      sentences.append("Surer as single words: \(words.prefix(3).joined(separator: ", "))\(more): \(reason).")
    }
    return sentences
  }

  /// What a language model did about it; nil if none was asked, or if it made the choice.
  private var judgement: String? {
    guard let judgement = selection.judgement, selection.rule != RerankingRule.languageModel.rawValue else {
      return nil
    }
    return switch judgement {
    case .answered: "The language model agreed."
    case .undecided: "The language model could not decide."
    case .refused: "The language model refused to answer."
    case .unreadable: "The answer of the language model was not the number of an alternative."
    case .failed: "The language model failed."
    case .timedOut: "The language model did not answer in time."
    case .busy: "The language model was not asked, because it was still busy."
    case .cancelled: "The language model was stopped before it answered."
    }
  }
}
