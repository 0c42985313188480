import Longhand

/// A second text in English: beside the transcript, or alone.
struct TranslationOption {
  private let isAlone: Bool

  /// Reads the options; nil if none is given.
  /// - Parameter formats: the output formats, which must be able to hold what is wanted.
  init?(_ arguments: ParsedArguments, formats: [TranscriptFormat]) throws {
    guard arguments.has(.translate) || arguments.has(.onlyTranslation) else { return nil }
    isAlone = arguments.has(.onlyTranslation)
    if isAlone, let format = formats.first(where: { [.json, .jsonl].contains($0) }) {
      throw Failure.usage(
        "The format \(format.rawValue) has the first text too.",
        hint: "Use --translate with json for both texts.")
    }
    if !isAlone, let format = formats.first(where: { !$0.hasNormalizedText || $0 == .jsonl }) {
      throw Failure.usage(
        "The format \(format.rawValue) cannot hold the second text of --translate.",
        hint: "Use txt, md or json, or --only-translation for the English text alone.")
    }
  }

  /// What documents show of a transcript. Without a translation, which a warning says, nothing takes its place.
  func shown(_ transcript: Transcript) -> Transcript {
    guard isAlone else { return transcript }
    var empty = transcript
    empty.segments = []
    return transcript.translated ?? empty
  }
}
