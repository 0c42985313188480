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
  /// A system message before all others.
  var preamble: String?

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
    fields += sampling
    return GeneratedContent(properties: fields) { _, last in last }
  }

  private var sampling: [(String, any ConvertibleToGeneratedContent)] {
    var fields: [(String, any ConvertibleToGeneratedContent)] = []
    var temperature = options.temperature
    var seed: UInt64?
    switch options.sampling?.choice {
    case nil: break
    case .greedy: temperature = 0
    case .top(let count, let chosenSeed):
      fields.append(("top_k", count))
      seed = chosenSeed
    case .threshold(let threshold, let chosenSeed):
      fields.append(("top_p", threshold))
      seed = chosenSeed
    }
    if let temperature { fields.append(("temperature", temperature)) }
    // Servers accept 31 bits.
    if let seed { fields.append(("seed", Int(seed & 0x7FFF_FFFF))) }
    if let maximum = options.maximumResponseTokens { fields.append(("max_tokens", maximum)) }
    return fields
  }

  private var messages: [GeneratedContent] {
    let last = transcript.lastIndex { if case .prompt = $0 { true } else { false } }
    let turns = transcript.indices.map { index -> GeneratedContent in
      switch transcript[index] {
      case .instructions(let entry): return Self.message("system", entry.segments.text)
      case .prompt(let entry):
        var text = entry.segments.text
        if index == last, includesSchemaInPrompt, let schema {
          text +=
            "\n\nAnswer with JSON that keeps to this JSON Schema:\n\(schema.document(.strict).jsonString)"
        }
        return Self.message("user", text)
      case .response(let entry): return Self.message("assistant", entry.segments.text)
      case .toolOutput(let entry):
        return Self.object(["role": "tool", "tool_call_id": entry.id, "content": entry.segments.text])
      case .toolCalls(let entry):
        return Self.object([
          "role": "assistant", "content": GeneratedContent(kind: .null), "tool_calls": entry.map(Self.call),
        ])
      }
    }
    return (preamble.map { [Self.message("system", $0)] } ?? []) + turns
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
