import Foundation
import Longhand

/// `longhand translate`: makes the second text of a session in English.
struct TranslateCommand: Verb {
  static let description = VerbDescription(
    name: "translate",
    summary: "Make a second text of a session in English",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'. The model
      listens to the audio again and writes in English what is said in another
      language. The text is printed and kept beside the transcript, which does not
      change: 'longhand export ID --translate' writes both, --only-translation the
      English text alone, for example as captions. It is a text of the model and not
      the words that were said: it may leave out, add or change things. Passages in
      English stay as the transcript has them.
      """,
    options: [.model, .library, .progress, .quiet],
    examples: [
      .init(purpose: "Translate the newest session", command: "longhand translate last"),
      .init(
        purpose: "Write English captions",
        command: "longhand export last --only-translation -o talk.srt"),
    ])

  private let reference: SessionReference
  private let model: ModelChoice
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    model = ModelChoice(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    var options = TranscriptionOptions()
    options.model = model
    let meter = ProgressMeter(names: [session.source], style: progress, errors: console.errors)
    defer { meter.clear() }
    meter.begin(0)
    let translation = try await library.translate(session.id, by: options) { progress in
      meter.update(0, processed: progress.processed, duration: progress.duration)
    }
    meter.finish(0)
    for passage in translation.passages where !passage.text.isEmpty {
      try console.output.write("\(passage.text.escapingControls)\n")
    }
    return ExitStatus.done
  }
}
