import Foundation

/// The whole program: from the arguments to the exit status.
enum Command {
  /// Runs the verb that `arguments` name, until it is done or a signal ends it.
  static func run(_ arguments: [String]) async -> Int32 {
    var console = Console()
    // Asked before anything is parsed, because parsing is what may fail.
    if arguments.prefix(while: { $0 != "--" }).contains(Option.jsonErrors.name) { console.errorStyle = .json }
    let interruption = Interruption()
    interruption.install()
    let work = Task { [console] in try await dispatch(arguments, console) }
    interruption.onSignal { work.cancel() }
    let result = await work.result
    TemporaryFiles.removeAll()
    if let signal = interruption.received {
      // Whatever the work made of its cancellation, the signal is why it ended; but a recording that was drained and is
      // not whole says so.
      if case .success(let status) = result, status != ExitStatus.done { return status }
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
      throw Failure.usage("no verb was given", hint: "'longhand --help' lists the verbs")
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "-h", "--help":
      try console.output.write(HelpPage.overview)
    case "--version":
      try console.output.write(HelpPage.version + "\n")
    case "help":
      guard let name = rest.first(where: { !$0.hasPrefix("-") }) else {
        try console.output.write(HelpPage.overview)
        break
      }
      try console.output.write(HelpPage.page(for: Verbs.named(name).description))
    case _ where first.hasPrefix("-"):
      let nearest = NearestName.suggestion(for: first, among: ["--help", "--version"])
      throw Failure.usage(
        "there is no option \(first) before the verb",
        hint: nearest.map { "did you mean \($0)?" } ?? "'longhand --help' shows what to type")
    default:
      return try await run(Verbs.named(first), rest, console)
    }
    return ExitStatus.done
  }

  private static func run(_ verb: any Verb.Type, _ arguments: [String], _ console: Console) async throws
    -> Int32
  {
    let parsed = try verb.description.parser.parse(arguments)
    if parsed.has(.help) {
      try console.output.write(HelpPage.page(for: verb.description))
      return ExitStatus.done
    }
    return try await verb.init(parsed).run(console)
  }
}
