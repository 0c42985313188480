/// A server's answer, put together of the pieces in which it comes.
struct ChatReply: Sendable {
  struct ToolCall: Sendable {
    var id = ""
    var name = ""
    var arguments = ""
  }

  private(set) var text = ""
  private(set) var refusal = ""
  private(set) var model: String?
  private(set) var finishReason: String?
  private(set) var isDone = false
  private var callsByIndex: [Int: ToolCall] = [:]

  /// In the order of the server's.
  var toolCalls: [ToolCall] { callsByIndex.sorted { $0.key < $1.key }.map(\.value) }
  /// Whether the server said that this is all.
  var isComplete: Bool { isDone || finishReason != nil }

  /// Takes an event's data, or a whole answer.
  /// - Throws: `LanguageModelSession.GenerationError` of what the server says, or if it cannot be read.
  mutating func take(_ data: String) throws {
    if data == "[DONE]" {
      isDone = true
      return
    }
    let content = try GeneratedContent(json: data)
    guard content.isComplete else { throw content.mismatch("a whole event") }
    // In a stream llama.cpp's server tells an error bare, after its answer has begun with 200.
    let bare = content["choices"] == nil && content["code"] != nil ? content : nil
    if let error = content["error"] ?? bare {
      throw LanguageModelSession.GenerationError(server: error, status: nil)
    }
    model = model ?? content["model"]?.text
    // The last event may have the usage of tokens alone.
    guard let choice = content["choices"]?.list?.first else { return }
    if let message = choice["delta"] ?? choice["message"] { take(message: message) }
    finishReason = choice["finish_reason"]?.text ?? finishReason
  }

  private mutating func take(message: GeneratedContent) {
    text += message["content"]?.text ?? ""
    refusal += message["refusal"]?.text ?? ""
    for (position, piece) in (message["tool_calls"]?.list ?? []).enumerated() {
      let index = piece["index"]?.number.flatMap { Int(exactly: $0) } ?? position
      var call = callsByIndex[index] ?? ToolCall()
      if let id = piece["id"]?.text { call.id = id }
      call.name += piece["function"]?["name"]?.text ?? ""
      call.arguments += piece["function"]?["arguments"]?.text ?? ""
      callsByIndex[index] = call
    }
  }
}
