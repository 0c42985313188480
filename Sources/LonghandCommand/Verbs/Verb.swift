import Foundation

/// A verb of the command line, such as `transcribe`.
protocol Verb: Sendable {
  /// The name, the options and the help.
  static var description: VerbDescription { get }

  /// Checks the arguments; throws a usage failure before anything is read or written.
  init(_ arguments: ParsedArguments) throws

  /// Does the work.
  ///
  /// - Returns: the program's exit status.
  func run(_ console: Console) async throws -> Int32
}

/// All verbs, in the order of the help.
enum Verbs {
  static let all: [any Verb.Type] =
    [
      TranscribeCommand.self, RecordCommand.self, ImportCommand.self, SessionsCommand.self, ShowCommand.self,
      SearchCommand.self, TermsCommand.self, SpeakersCommand.self, TranslateCommand.self,
      ExportCommand.self, CoverageCommand.self, ExplainCommand.self, DeleteCommand.self, StopCommand.self,
      RecoverCommand.self,
      RetranscribeCommand.self,
      AlignCommand.self, AuditCommand.self, VocabularyCommand.self, ScoreCommand.self, EvaluateCommand.self,
      DoctorCommand.self,
      MCPCommand.self, CompletionsCommand.self,
    ] + platformVerbs

  #if os(Linux)
    private static let platformVerbs: [any Verb.Type] = [
      ServeCommand.self, WorkerCommand.self, ModelsCommand.self,
    ]
  #else
    private static let platformVerbs: [any Verb.Type] = []
  #endif

  /// Whether an unknown verb is the name of a file: it exists, or it has an extension.
  private static func isFile(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: name)
      || name.wholeMatch(of: /.+\.[A-Za-z][A-Za-z0-9]{1,4}/) != nil
  }

  /// The verb with this name; throws a failure that suggests one if there is none.
  static func named(_ name: String) throws -> any Verb.Type {
    if let verb = all.first(where: { $0.description.name == name }) { return verb }
    let names = all.map { $0.description.name }
    if isFile(name) {
      let quoted = name.contains(where: \.isWhitespace) ? "'\(name)'" : name
      throw Failure.usage(
        "There is no verb '\(name)'.", hint: "To transcribe this file: longhand transcribe \(quoted)")
    }
    let nearest = NearestName.suggestion(for: name, among: names)
    throw Failure.usage(
      "There is no verb '\(name)'.",
      hint: nearest.map { "Did you mean '\($0)'?" } ?? "Run 'longhand help' to see the list of verbs.")
  }
}
