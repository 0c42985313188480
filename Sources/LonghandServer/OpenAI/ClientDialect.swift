/// How the programs that know one server name what they want, in words of OpenAI's API.
struct ClientDialect: Equatable, Sendable {
  /// OpenAI's names of the fields that are named otherwise.
  var fields: [String: String] = [:]
  /// The formats that are named otherwise.
  var formats: [String: TranscriptionRequest.Format] = [:]
  /// The format of the response if none is named.
  var format = TranscriptionRequest.Format.json
  /// Whether a request without a model is refused.
  var needsModel = false
  /// Whether documents are those of Whisper's own program: languages by their codes, and words in their segments.
  var isWhispers = false

  static let openAI = ClientDialect(needsModel: true)
  /// The server of whisper.cpp.
  static let whisperServer = ClientDialect()
  /// `whisper-asr-webservice`.
  static let webService = ClientDialect(
    fields: ["initial_prompt": "prompt", "output": "response_format"],
    formats: ["txt": .text, "json": .verboseJSON], format: .text, isWhispers: true)
}
