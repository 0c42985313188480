/// One thing that `longhand` does.
protocol Verb: Sendable {
  /// Its name, its options, its help.
  static var description: VerbDescription { get }

  /// Checks the arguments. What is wrong with them alone is found here, before anything is touched.
  init(_ arguments: ParsedArguments) throws

  /// Does the work.
  ///
  /// - Returns: the program's exit status.
  func run(_ console: Console) async throws -> Int32
}

/// Every verb there is, in the order of the help.
enum Verbs {
  static let all: [any Verb.Type] =
    [
      TranscribeCommand.self, RecordCommand.self, ImportCommand.self, SessionsCommand.self, ShowCommand.self,
      SearchCommand.self,
      ExportCommand.self, CoverageCommand.self, ExplainCommand.self, DeleteCommand.self, RecoverCommand.self,
      RetranscribeCommand.self,
      VocabularyCommand.self, ScoreCommand.self, EvaluateCommand.self, DoctorCommand.self,
    ] + platformVerbs

  #if os(Linux)
    private static let platformVerbs: [any Verb.Type] = [ServeCommand.self]
  #else
    private static let platformVerbs: [any Verb.Type] = []
  #endif

  /// The verb of that name, or a failure that suggests one.
  static func named(_ name: String) throws -> any Verb.Type {
    if let verb = all.first(where: { $0.description.name == name }) { return verb }
    let names = all.map { $0.description.name }
    let nearest = NearestName.suggestion(for: name, among: names)
    throw Failure.usage(
      "there is no verb '\(name)'",
      hint: nearest.map { "did you mean '\($0)'?" } ?? "'longhand --help' lists the verbs")
  }
}
