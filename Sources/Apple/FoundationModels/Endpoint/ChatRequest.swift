import Foundation
import FoundationNetworking

/// A request to a server: a transcript that ends with a prompt or a tool's output.
struct ChatRequest {
  typealias Fields = KeyValuePairs<String, any ConvertibleToGeneratedContent>

  let transcript: Transcript
  var schema: GenerationSchema?
  var includesSchemaInPrompt = false
  var tools: [Transcript.ToolDefinition] = []
  var options = GenerationOptions()
  var reasoningLevel: ContextOptions.ReasoningLevel?
  /// Comes before all instructions.
  var preamble: String?
  /// How the instructions are sent. Templates of some models refuse the role `system`.
  var instructionsRole = InstructionsRole.system

  /// Who says the instructions.
  enum InstructionsRole {
    /// A message of the role `system`, the only one and the first.
    case system
    /// The beginning of the first message of the user.
    case user
  }

  func urlRequest(for endpoint: ModelEndpoint) -> URLRequest {
    var request = URLRequest(
      url: endpoint.base.appendingPathComponent("chat/completions"),
      cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 3600)
    request.httpMethod = "POST"
    request.httpShouldHandleCookies = false
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("text/event-stream, application/json", forHTTPHeaderField: "Accept")
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let key = endpoint.key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
    request.httpBody = Data(body(model: endpoint.name).jsonString.utf8)
    return request
  }

  func body(model: String?) -> GeneratedContent {
    var fields: [(String, any ConvertibleToGeneratedContent)] = []
    if let model { fields.append(("model", model)) }
    fields.append(("messages", messages))
    fields.append(("stream", true))
    if let schema {
      fields.append(
        (
          "response_format",
          Self.object([
            "type": "json_schema",
            "json_schema": Self.object([
              "name": schema.name.replacing(#/[^A-Za-z0-9_-]/#, with: "_"), "strict": true,
              "schema": schema.document(.strict),
            ]),
          ])
        ))
    }
    if !tools.isEmpty { fields.append(("tools", tools.map(Self.tool))) }
    if mustCallTool { fields.append(("tool_choice", "required")) }
    fields += sampling
    if let reasoningLevel { fields.append(("reasoning_effort", reasoningLevel.effort)) }
    return GeneratedContent(properties: fields) { _, last in last }
  }

  private var sampling: [(String, any ConvertibleToGeneratedContent)] {
    var fields: [(String, any ConvertibleToGeneratedContent)] = []
    var temperature = options.temperature
    var seed: UInt64?
    switch options.samplingMode?.kind {
    case nil: break
    case .greedy: temperature = 0
    case .randomTopK(let count, let chosenSeed):
      fields.append(("top_k", count))
      seed = chosenSeed
    case .randomProbabilityThreshold(let threshold, let chosenSeed):
      fields.append(("top_p", threshold))
      seed = chosenSeed
    }
    if let temperature { fields.append(("temperature", temperature)) }
    // Servers accept 31 bits.
    if let seed { fields.append(("seed", Int(seed & 0x7FFF_FFFF))) }
    if let maximum = options.maximumResponseTokens { fields.append(("max_tokens", maximum)) }
    return fields
  }

  /// Whether the model must call a tool before it answers, and has not.
  private var mustCallTool: Bool {
    guard options.toolCallingMode == .required, !tools.isEmpty else { return false }
    if case .toolOutput? = transcript.last { return false }
    return true
  }

  /// The messages in the form that templates of models accept: at most one of the role `system`, which is the first, and no
  /// two of the user one after the other.
  private var messages: [GeneratedContent] {
    var instructions = preamble.map { [$0] } ?? []
    for case .instructions(let entry) in transcript where !entry.segments.text.isEmpty {
      instructions.append(entry.segments.text)
    }
    var turns = turns
    guard !instructions.isEmpty else { return turns.map(\.message) }
    let text = instructions.joined(separator: "\n\n")
    if instructionsRole == .user, let first = turns.firstIndex(where: { $0.userText != nil }) {
      turns[first].userText = "\(text)\n\n\(turns[first].userText ?? "")"
      return turns.map(\.message)
    }
    return [Self.message("system", text)] + turns.map(\.message)
  }

  /// A message beside the instructions.
  private struct Turn {
    /// What the user says; nil for others.
    var userText: String?
    var other: GeneratedContent?

    var message: GeneratedContent {
      userText.map { ChatRequest.message("user", $0) } ?? other ?? GeneratedContent(kind: .null)
    }
  }

  /// Whether a message has the role `system`.
  var hasSystemMessage: Bool {
    instructionsRole == .system
      && (preamble != nil || transcript.contains { if case .instructions = $0 { true } else { false } })
  }

  private var turns: [Turn] {
    let last = transcript.lastIndex { if case .prompt = $0 { true } else { false } }
    var turns: [Turn] = []
    for index in transcript.indices {
      switch transcript[index] {
      // Servers take no thoughts back.
      case .instructions, .reasoning: break
      case .prompt(let entry):
        var text = entry.segments.text
        if index == last, includesSchemaInPrompt, let schema {
          text +=
            "\n\nAnswer with JSON that keeps to this JSON Schema:\n\(schema.document(.strict).jsonString)"
        }
        // The prompt before may have got no answer.
        if let before = turns.last?.userText {
          turns[turns.count - 1].userText = "\(before)\n\n\(text)"
        } else {
          turns.append(Turn(userText: text))
        }
      case .response(let entry): turns.append(Turn(other: Self.message("assistant", entry.segments.text)))
      case .toolOutput(let entry):
        turns.append(
          Turn(
            other: Self.object(["role": "tool", "tool_call_id": entry.id, "content": entry.segments.text])))
      case .toolCalls(let entry):
        turns.append(
          Turn(
            other: Self.object([
              "role": "assistant", "content": GeneratedContent(kind: .null),
              "tool_calls": entry.map(Self.call),
            ])))
      }
    }
    return turns
  }

  private static func tool(_ tool: Transcript.ToolDefinition) -> GeneratedContent {
    object([
      "type": "function",
      "function": object([
        "name": tool.name, "description": tool.description, "parameters": tool.parameters.document(.strict),
        "strict": true,
      ]),
    ])
  }

  private static func call(_ call: Transcript.ToolCall) -> GeneratedContent {
    object([
      "id": call.id, "type": "function",
      "function": object(["name": call.toolName, "arguments": call.arguments.jsonString]),
    ])
  }

  private static func message(_ role: String, _ text: String) -> GeneratedContent {
    object(["role": role, "content": text])
  }

  private static func object(_ fields: Fields) -> GeneratedContent { GeneratedContent(properties: fields) }
}
