import Longhand

extension Segment {
  /// Which alternative was chosen and why, as a sentence.
  var explanation: String {
    let number = selection.index
    let choice = number == 0 ? "The recognizer's first alternative, number 0" : "Alternative \(number)"
    let sentence =
      switch RerankingRule(rawValue: selection.rule) {
      case .recognizer where candidates.count == 1: "The recognizer offered no other text."
      case .recognizer: "\(choice), was kept, because no rule preferred another one."
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
      case nil: "\(choice) was chosen by the rule '\(selection.rule)'."
      }
    return [sentence, judgement].compactMap(\.self).joined(separator: " ")
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
