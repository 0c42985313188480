import Foundation

extension Transcript: Codable {
  private enum CodingKeys: String, CodingKey { case type, version, transcript }

  private static let type = "FoundationModels.Transcript"
  private static let version = 1

  /// Reads a transcript that `encode(to:)` wrote.
  /// - Throws: the decoder's errors; `DecodingError.dataCorrupted` for another version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(String.self, forKey: .type) == Self.type,
      try container.decode(Int.self, forKey: .version) == Self.version
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "This is not a transcript of version \(Self.version).")
    }
    let body = try container.decode(Body.self, forKey: .transcript)
    self.init(entries: try body.entries.map { try $0.entry })
  }

  /// Writes the entries with their roles: instructions, user, tool and response.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.type, forKey: .type)
    try container.encode(Self.version, forKey: .version)
    try container.encode(Body(entries: map(StoredEntry.init)), forKey: .transcript)
  }

  private struct Body: Codable { let entries: [StoredEntry] }
}

/// The stored form of an entry.
private struct StoredEntry: Codable {
  private enum Role: String, Codable { case instructions, user, tool, response, reasoning }

  private struct Tool: Codable {
    let name: String
    let description: String
    let parameters: GenerationSchema
  }

  private struct Call: Codable {
    let id: String
    let name: String
    /// As JSON text, which keeps the order of the properties.
    let arguments: String
  }

  private struct Content: Codable {
    let id: String
    var text: String?
    var source: String?
    /// As JSON text, which keeps the order of the properties.
    var structure: String?

    init(_ segment: Transcript.Segment) {
      id = segment.id
      switch segment {
      case .text(let segment): text = segment.content
      case .structure(let segment):
        source = segment.source
        structure = segment.content.jsonString
      }
    }

    var segment: Transcript.Segment {
      get throws {
        guard let structure else { return .text(.init(id: id, content: text ?? "")) }
        return .structure(
          .init(id: id, source: source ?? "", content: try GeneratedContent(json: structure)))
      }
    }
  }

  private let role: Role
  private let id: String
  private var contents: [Content]?
  private var tools: [Tool]?
  private var options: StoredOptions?
  private var responseFormat: GenerationSchema?
  private var toolCalls: [Call]?
  private var toolName: String?
  private var assets: [String]?
  private var signature: Data?

  init(_ entry: Transcript.Entry) {
    id = entry.id
    switch entry {
    case .instructions(let entry):
      role = .instructions
      contents = entry.segments.map(Content.init)
      tools = entry.toolDefinitions.map {
        Tool(name: $0.name, description: $0.description, parameters: $0.parameters)
      }
    case .prompt(let entry):
      role = .user
      contents = entry.segments.map(Content.init)
      options = StoredOptions(entry.options)
      responseFormat = entry.responseFormat?.schema
    case .toolCalls(let entry):
      role = .response
      toolCalls = entry.map { Call(id: $0.id, name: $0.toolName, arguments: $0.arguments.jsonString) }
    case .toolOutput(let entry):
      role = .tool
      contents = entry.segments.map(Content.init)
      toolName = entry.toolName
    case .response(let entry):
      role = .response
      contents = entry.segments.map(Content.init)
      assets = entry.assetIDs
    case .reasoning(let entry):
      role = .reasoning
      contents = entry.segments.map(Content.init)
      signature = entry.signature
    }
  }

  var entry: Transcript.Entry {
    get throws {
      let segments = try (contents ?? []).map { try $0.segment }
      switch role {
      case .instructions:
        let definitions = (tools ?? []).map {
          Transcript.ToolDefinition(name: $0.name, description: $0.description, parameters: $0.parameters)
        }
        return .instructions(.init(id: id, segments: segments, toolDefinitions: definitions))
      case .user:
        return .prompt(
          .init(
            id: id, segments: segments, options: options?.options ?? GenerationOptions(),
            responseFormat: responseFormat.map(Transcript.ResponseFormat.init(schema:))))
      case .reasoning: return .reasoning(.init(id: id, segments: segments, signature: signature))
      case .tool: return .toolOutput(.init(id: id, toolName: toolName ?? "", segments: segments))
      case .response:
        guard let toolCalls else {
          return .response(.init(id: id, assetIDs: assets ?? [], segments: segments))
        }
        let calls = try toolCalls.map {
          Transcript.ToolCall(
            id: $0.id, toolName: $0.name, arguments: try GeneratedContent(json: $0.arguments))
        }
        return .toolCalls(.init(id: id, calls))
      }
    }
  }
}

/// The stored form of options.
private struct StoredOptions: Codable {
  private var isGreedy: Bool?
  private var top: Int?
  private var probabilityThreshold: Double?
  private var seed: UInt64?
  private let temperature: Double?
  private let maximumResponseTokens: Int?
  private let toolCalls: String?

  init(_ options: GenerationOptions) {
    temperature = options.temperature
    maximumResponseTokens = options.maximumResponseTokens
    toolCalls = options.toolCallingMode.map { "\($0.kind)" }
    switch options.samplingMode?.kind {
    case nil: break
    case .greedy: isGreedy = true
    case .randomTopK(let count, let seed): (top, self.seed) = (count, seed)
    case .randomProbabilityThreshold(let threshold, let seed):
      (probabilityThreshold, self.seed) = (threshold, seed)
    }
  }

  var options: GenerationOptions {
    let sampling: GenerationOptions.SamplingMode? =
      if isGreedy == true {
        .greedy
      } else if let top {
        .random(top: top, seed: seed)
      } else {
        probabilityThreshold.map { .random(probabilityThreshold: $0, seed: seed) }
      }
    let modes: [GenerationOptions.ToolCallingMode] = [.allowed, .required, .disallowed]
    return GenerationOptions(
      samplingMode: sampling, temperature: temperature, maximumResponseTokens: maximumResponseTokens,
      toolCallingMode: modes.first { "\($0.kind)" == toolCalls })
  }
}
