import Foundation
import Longhand

/// `longhand retranscribe`: transcribes a session again.
struct RetranscribeCommand: Verb {
  static let description = VerbDescription(
    name: "retranscribe",
    summary: "Transcribe a session again, with another vocabulary or engine",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      Prints the changed segments with their times. If the text of a segment changes,
      the earlier version is kept; 'longhand explain ID SEGMENT' shows it. If you
      chose the text of a segment with 'longhand explain', your choice stays, and the
      new text is only kept as another version.
      """,
    options: [.library] + Option.recognition + Option.speakers + [.log, .progress, .quiet],
    examples: [
      .init(
        purpose: "Transcribe the newest session again with a vocabulary",
        command: "longhand retranscribe last --vocabulary chess.json5")
    ])

  private let reference: SessionReference
  private let options: TranscriberOptions
  private let progress: ProgressMeter.Style

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    options = try TranscriberOptions(arguments)
    progress = try TranscriberOptions.progress(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    guard session.state.isFinal else {
      throw Failure(
        .library, "The session is not complete yet.", input: String(session.id.prefix(8)),
        hint: "If it is not being recorded now, finish it with 'longhand recover'.")
    }
    let meter = ProgressMeter(names: [session.source], style: progress, errors: console.errors)
    defer { meter.clear() }
    meter.begin(0)
    let result = try await library.retranscribe(
      session.id, by: FileTranscriber(options: try await options.transcription(of: session, in: library))
    ) { meter.update(0, processed: $0.processed, duration: $0.duration) }
    meter.finish(0)
    for segment in result.changed { try console.output.write(ShowCommand.line(segment)) }
    if let first = result.kept.first {
      let count = result.kept.count
      console.note(
        "Your choice was kept in \(count) segment\(count == 1 ? "" : "s") with a new text. "
          + "See it with 'longhand explain \(session.id.prefix(8)) \(first.id)'.")
    }
    let coverage = Coverage(try library.store.coverageSpans(of: session.id))
    console.report(
      wordless: coverage.wordless, input: String(session.id.prefix(8)),
      hint: "See where with 'longhand coverage \(session.id.prefix(8))'.")
    let failed = coverage.failed
    guard failed > 0 else { return ExitStatus.done }
    console.report(.incomplete(failed, of: session.duration, input: String(session.id.prefix(8))))
    return ExitStatus.failed
  }
}
