import Foundation

/// A server's answer, assembled from the events of a stream or from one document.
struct ChatReply: Sendable {
  struct ToolCall: Sendable {
    var id = ""
    var name = ""
    var arguments = ""
    var metadata: [String: GeneratedContent] = [:]
  }

  var text = ""
  private(set) var refusal = ""
  private(set) var model: String?
  private(set) var finishReason: String?
  private(set) var isDone = false
  /// What the model thought before the answer.
  var reasoning: [Transcript.Reasoning] = []
  var metadata: [String: GeneratedContent] = [:]
  /// The tokens of the request, as far as they are known.
  var usage = LanguageModelSession.Usage()
  var callsByIndex: [Int: ToolCall] = [:]

  /// The calls in the order of the server.
  var toolCalls: [ToolCall] { callsByIndex.sorted { $0.key < $1.key }.map(\.value) }
  /// Whether the server has marked the end of the answer.
  var isComplete: Bool { isDone || finishReason != nil }

  /// Adds the data of an event, or a whole answer.
  /// - Throws: `LanguageModelSession.GenerationError` if the server reports an error or the data cannot be read.
  mutating func take(_ data: String) throws {
    if data == "[DONE]" {
      isDone = true
      return
    }
    let content = try GeneratedContent(json: data)
    guard content.isComplete else { throw content.mismatch("a complete event") }
    // In a stream, llama.cpp sends an error without the key "error", after status 200.
    let bare = content["choices"] == nil && content["code"] != nil ? content : nil
    if let error = content["error"] ?? bare {
      throw LanguageModelSession.GenerationError(server: error, status: nil)
    }
    model = model ?? content["model"]?.text
    // The last event may contain only the number of tokens used.
    if let usage = content["usage"] { self.usage = LanguageModelSession.Usage(usage) }
    guard let choice = content["choices"]?.list?.first else { return }
    if let message = choice["delta"] ?? choice["message"] { take(message: message) }
    finishReason = choice["finish_reason"]?.text ?? finishReason
  }

  private mutating func take(message: GeneratedContent) {
    text += message["content"]?.text ?? ""
    refusal += message["refusal"]?.text ?? ""
    for (position, fragment) in (message["tool_calls"]?.list ?? []).enumerated() {
      let index = fragment["index"]?.number.flatMap { Int(exactly: $0) } ?? position
      var call = callsByIndex[index] ?? ToolCall()
      if let id = fragment["id"]?.text { call.id = id }
      call.name += fragment["function"]?["name"]?.text ?? ""
      call.arguments += fragment["function"]?["arguments"]?.text ?? ""
      callsByIndex[index] = call
    }
  }
}

/// Extracts the data of server-sent events from bytes. Events may be split anywhere.
struct ServerSentEvents {
  private var line: [UInt8] = []
  private var data: [String] = []
  private var endedWithReturn = false

  /// Adds received bytes.
  /// - Returns: the data of the events that these bytes complete.
  mutating func take(_ bytes: Data) -> [String] {
    var events: [String] = []
    for byte in bytes {
      let isSecondHalf = byte == 0x0A && endedWithReturn
      endedWithReturn = byte == 0x0D
      if isSecondHalf { continue }
      if byte == 0x0A || byte == 0x0D {
        endLine(&events)
      } else {
        line.append(byte)
      }
    }
    return events
  }

  /// Ends the stream.
  /// - Returns: the data of the last event if no empty line followed it.
  mutating func finish() -> [String] {
    var events: [String] = []
    endLine(&events)
    endLine(&events)
    return events
  }

  private mutating func endLine(_ events: inout [String]) {
    defer { line = [] }
    guard line.isEmpty else {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("data:") { data.append(String(text.dropFirst(text.hasPrefix("data: ") ? 6 : 5))) }
      return
    }
    if !data.isEmpty { events.append(data.joined(separator: "\n")) }
    data = []
  }
}
