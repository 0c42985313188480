import Foundation
import Longhand

/// Runs the program: from the arguments to the exit status.
enum Command {
  /// Runs the verb named in `arguments` until it is done or a signal ends it.
  static func run(_ arguments: [String]) async -> Int32 {
    var console = Console()
    // Read before parsing, because parsing may fail.
    if arguments.prefix(while: { $0 != "--" }).contains(Option.jsonErrors.name) { console.errorStyle = .json }
    let interruption = Interruption()
    interruption.install()
    console.isInterrupted = { interruption.received != nil }
    let work = Task { [console] in try await dispatch(arguments, console) }
    interruption.onSignal { work.cancel() }
    let result = await work.result
    TemporaryFiles.removeAll()
    if let signal = interruption.received {
      // The signal is the reason for the end, whatever the cancelled work returned. One exception is a recording that
      // was drained but is incomplete: its status says so.
      if case .success(let status) = result, status != ExitStatus.done { return status }
      // The other one is a text that could not be written, such as that of the interrupted work.
      if case .failure(let failure as Failure) = result, failure.code == .output {
        console.report(failure)
        return failure.status
      }
      return ExitStatus.ended(by: signal)
    }
    switch result {
    case .success(let status):
      return status
    case .failure(is ClosedOutput):
      return ExitStatus.failed
    case .failure(let error):
      let failure = Failure(error)
      console.report(failure)
      return failure.status
    }
  }

  private static func dispatch(_ arguments: [String], _ console: Console) async throws -> Int32 {
    guard let first = arguments.first else {
      try console.output.write(HelpPage.overview + HelpPage.firstSteps)
      return ExitStatus.done
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "-h", "--help":
      try console.output.write(HelpPage.overview)
    case "--version":
      try console.output.write(HelpPage.version + "\n")
    case "help":
      try console.output.write(help(rest.first { !$0.hasPrefix("-") }, isManual: rest.contains("--man")))
    case _ where first.hasPrefix("-"):
      let nearest = NearestName.suggestion(for: first, among: ["--help", "--version"])
      throw Failure.usage(
        "There is no option \(first) before the verb.",
        hint: nearest.map { "Did you mean \($0)?" } ?? "Run 'longhand help' to see how to use it.")
    default:
      return try await run(Verbs.named(first), rest, console)
    }
    return ExitStatus.done
  }

  /// - Parameter name: the verb; nil for the program.
  private static func help(_ name: String?, isManual: Bool) throws -> String {
    guard let name else { return isManual ? ManualPage.overview : HelpPage.overview }
    if name == "recognition", !isManual {
      return HelpPage.recognition(for: Verbs.all.map { $0.description })
    }
    let verb = try Verbs.named(name).description
    return isManual ? ManualPage.page(for: verb) : HelpPage.page(for: verb)
  }

  private static func run(_ verb: any Verb.Type, _ arguments: [String], _ console: Console) async throws
    -> Int32
  {
    let parsed = try verb.description.parser.parse(arguments)
    if parsed.has(.help) {
      try console.output.write(HelpPage.page(for: verb.description))
      return ExitStatus.done
    }
    let work = try verb.init(parsed)
    let namesInterrupted = verb.description.options.contains(.library) && verb != RecoverCommand.self
    if namesInterrupted, verb != DoctorCommand.self,
      let notice = InterruptedNotice.text(for: try LibraryLocation(parsed))
    {
      console.note(notice)
    }
    if let notice = VocabularyReference(parsed)?.notice { console.note(notice) }
    if verb.description.options.contains(.model) {
      #if os(Linux)
        if let problem = Diagnosis.recognizersProblem { console.note(problem) }
      #endif
      if console.errors.canRedraw, !parsed.has(.quiet) {
        SpeechAssets.observe { locale, fraction in
          let percent = Int(clamping: 100 * fraction)
          console.errors.redraw(
            fraction < 1 ? "Installing the system's speech model for \(locale): \(percent) %" : "")
        }
      }
      func options() -> ResolvedOptions? { try? TranscriptionOptions.named(in: parsed).resolved() }
      if let notice = await DomainOption.notice(parsed, options) { console.note(notice) }
      ModelNotice().show(parsed, on: console) { options()?.found }
    }
    if let log = parsed.value(.log) {
      guard log == "elections" else {
        throw Failure.usage("The option --log takes 'elections', not '\(log)'.", hint: "Use --log elections.")
      }
      ElectionLog.start { console.errors.line("longhand: \($0)".escapingControls) }
    }
    return try await work.run(console)
  }
}
