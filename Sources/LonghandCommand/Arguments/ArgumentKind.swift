import Longhand

/// What can be the value of an option or an argument, for the completions of a shell.
enum ArgumentKind: Sendable, Hashable {
  /// One of these.
  case words([String])
  /// Some of these, separated by commas.
  case list([String])
  case file
  case folder
  /// A session of the library.
  case session
  /// A model for speech, speakers or punctuation.
  case model
  /// A model that recognizes words.
  case recognizer
  /// A vocabulary of the library, or a vocabulary file.
  case vocabulary
  /// A vocabulary of the library.
  case storedVocabulary
  /// Any text.
  case text

  /// The kind of a placeholder in a help text, such as `FILE`.
  init(placeholder: String) {
    switch placeholder {
    case "FILE", "PATH", "LIST", "MANIFEST", "HYPOTHESIS", "R", "AUDIO", "TEXTFILE": self = .file
    case "DIR": self = .folder
    case "ID": self = .session
    case "MODEL": self = .model
    case "VOCABULARY": self = .storedVocabulary
    case "F": self = .words(["txt", "jsonl"])
    case "F[,F…]": self = .list(TranscriptFormat.allCases.map(\.rawValue))
    case "FORMAT": self = .words(TranscriptFormat.allCases.filter(\.isText).map(\.rawValue))
    case _ where placeholder.allSatisfy { $0.isLowercase }: self = .words([placeholder])
    default: self = .text
    }
  }
}

extension Option {
  /// What its value can be; nil if it takes none.
  var kind: ArgumentKind? {
    switch self {
    case .engine: .words(EngineSelection.allCases.map(\.rawValue))
    case .reranking: .words(CandidateRerankingPolicy.allCases.map(\.rawValue))
    case .taskHint: .words(TaskHint.allCases.map(\.rawValue))
    case .channels: .words(ChannelMode.allCases.map(\.rawValue))
    case .style: .words(TextStyle.allCases.map(\.rawValue))
    case .numbers: .words(NumberForm.allCases.map(\.rawValue))
    case .captionOverlap: .words(CaptionOverlap.allCases.map(\.rawValue))
    case .model: .recognizer
    case .vocabulary: .vocabulary
    default: value.map(ArgumentKind.init(placeholder:))
    }
  }
}

extension VerbDescription {
  /// What the next argument that is not an option can be.
  /// - Parameter earlier: the arguments before it.
  func kinds(after earlier: [String]) -> [ArgumentKind] {
    operands.split(separator: "|").flatMap { form -> [ArgumentKind] in
      var places = form.split(separator: " ").map { $0.trimmingCharacters(in: ["[", "]"]) }
      // An option's value in the synopsis is completed with the option.
      while let option = places.firstIndex(where: { $0.hasPrefix("-") }) {
        places.removeSubrange(option...min(option + 1, places.count - 1))
      }
      guard zip(places, earlier).allSatisfy({ !$0.allSatisfy(\.isLowercase) || $0 == $1 }) else { return [] }
      let next = places.count > earlier.count ? places[earlier.count] : places.last { $0.hasSuffix("…") }
      return next.map { [ArgumentKind(placeholder: $0.trimmingCharacters(in: ["…"]))] } ?? []
    }
  }
}
