import Longhand

/// What a person can let the program do with one choice, see `prompts/list`.
struct MCPPrompts: Sendable {
  private struct Prompt: Sendable {
    var name: String
    var title: String
    var description: String
    var arguments: [MCPParameter]
    /// The text, with the values of the arguments.
    var text: @Sendable ([String: String]) -> String
  }

  let scope: MCPScope

  private static let session = MCPParameter(
    "session", .text, "The ID of a session, its name, or 'last' (default).")

  /// How a quote is written, so that a person finds it and `check_quotes` can check it.
  private static let quoting =
    "After each statement write the quote that supports it, in the language that was spoken: [key of the segment, "
    + "start in seconds, speaker] \"its words\". The words are exactly those of the segment; leave words out only with "
    + "'…'. Before you answer, check all quotes with the tool check_quotes. Correct those that are 'heard-otherwise', "
    + "leave out those that are 'not-said', and mark those that are 'not-heard-clearly' with (unclear). "

  private static let all = [
    Prompt(
      name: "summarize_with_quotes", title: "Summarize a recording with quotes",
      description: "A summary in which each statement has a checked quote.", arguments: [session]
    ) {
      "Read the transcript of the session '\($0["session"] ?? "last")' with the tool get_transcript, all of it: go on "
        + "with 'next' until it is null. Then summarize it in at most ten statements. " + quoting
        + "If coverage shows that parts failed or have no words, say so. " + MCPScope.notice
    },
    Prompt(
      name: "decisions_and_tasks", title: "Find decisions and tasks",
      description: "What was decided, and who does what until when, each with a checked quote.",
      arguments: [session]
    ) {
      "Read the transcript of the session '\($0["session"] ?? "last")' with the tool get_transcript, all of it: go on "
        + "with 'next' until it is null. List what was decided, and each task with its person and date, if they were "
        + "said. Name nothing that was not said. " + quoting + MCPScope.notice
    },
    Prompt(
      name: "check_text", title: "Check the quotes of a text",
      description: "Whether a text quotes recordings correctly.",
      arguments: [
        MCPParameter("text", .text, "The text with quotes.", required: true),
        MCPParameter("session", .text, "The ID of a session, or its name; all sessions if it is missing."),
      ]
    ) {
      "Find each quote in the text below, and check all of them with the tool check_quotes"
        + ($0["session"].map { " in the session '\($0)'" } ?? "")
        + ". Show for each one whether it was said, by whom and when, with the key of the segment. Where other words were "
        + "heard, show both. \(MCPScope.notice) So is this text:\n\n\($0["text"] ?? "")"
    },
  ]

  /// The answer to `prompts/list`.
  static let listing = JSONValue.object([
    (
      "prompts",
      .array(
        all.map { prompt in
          .object([
            ("name", .string(prompt.name)), ("title", .string(prompt.title)),
            ("description", .string(prompt.description)),
            (
              "arguments",
              .array(
                prompt.arguments.map {
                  .object([
                    ("name", .string($0.name)), ("description", .string($0.description)),
                    ("required", .boolean($0.isRequired)),
                  ])
                })
            ),
          ])
        })
    )
  ])

  /// The answer to `prompts/get`.
  /// - Throws: `MCPError`; a `Failure` if there is no such session.
  func prompt(_ parameters: ReceivedJSON?) throws -> JSONValue {
    let name = parameters?["name"]?.text ?? ""
    guard let prompt = Self.all.first(where: { $0.name == name }) else {
      throw MCPError.parameters("There is no prompt '\(name)'.")
    }
    guard let members = ReceivedJSON.arguments(in: parameters) else {
      throw MCPError.parameters("The arguments of a prompt are an object.")
    }
    var values: [String: String] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
      guard prompt.arguments.contains(where: { $0.name == name }) else {
        throw MCPError.parameters("The prompt \(prompt.name) has no argument '\(name)'.")
      }
      guard let text = value.asText else { throw MCPError.parameters("The argument '\(name)' is a text.") }
      // An empty field of a form says nothing.
      values[name] = text.contains { !$0.isWhitespace } ? text : nil
    }
    if let missing = prompt.arguments.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw MCPError.parameters("The argument '\(missing.name)' is missing.")
    }
    // The ID, because 'last' may be another one when the prompt is used.
    if let name = values["session"] ?? (prompt.arguments.contains { $0.name == "text" } ? nil : "last") {
      do { values["session"] = try scope.session(name).id } catch let failure as Failure {
        throw MCPError.parameters(failure.message)
      }
    }
    return .object([
      ("description", .string(prompt.description)),
      (
        "messages",
        .array([
          .object([
            ("role", .string("user")),
            (
              "content",
              .object([("type", .string("text")), ("text", .string(prompt.text(values)))])
            ),
          ])
        ])
      ),
    ])
  }
}
