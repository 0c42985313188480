import Foundation
import Longhand

/// The options of a transcription by OpenAI's API that Longhand supports.
struct TranscriptionRequest: Equatable {
  /// The format of the response.
  enum Format: String, CaseIterable {
    case json, text, srt, vtt
    case verboseJSON = "verbose_json"
    case diarizedJSON = "diarized_json"
  }

  /// The model names in the list of models: Longhand's own, and those that clients use by default. Every other name is
  /// accepted too, because clients have names of their own; the response names the model that answered.
  static let models = ["longhand", "whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"]

  /// The tag of the language; nil for the server's default.
  var language: String?
  var format = Format.json
  /// Whether the response has words and segments with their times; `text`, `srt` and `vtt` cannot have them.
  var hasWords = false
  var hasSegments = false
  /// Whether the text is sent while it is recognized.
  var isStream = false
  /// Whether the text is that of the model in English.
  var translates = false
  /// Words and phrases to expect, from the prompt.
  var context: [String] = []
  /// The names of the fields that change nothing here.
  var ignored: [String] = []
  /// The number of alternatives of each segment, an extension of OpenAI's API; nil for none.
  var alternatives: Int?

  /// The audio tracks of the file that are transcribed, such as `1,2`, an extension of OpenAI's API; nil for all.
  var tracks: String?

  /// - Parameter fields: the fields of the form. If a name occurs more than once, the last value counts.
  /// - Throws: `HTTPError` with the name of the field that is wrong. Fields that have no meaning here are ignored.
  init(_ fields: [(name: String, value: String)]) throws {
    var hasModel = false
    var granularities: Set<String> = []
    for (name, value) in fields {
      switch name {
      case "model":
        guard !value.isEmpty else { throw Self.noModel(value) }
        hasModel = true
      case "language":
        guard let named = ClientLanguage(value) else {
          throw Self.refused(
            name, "'\(value)' is not a language. Use a code such as en, a name such as english, or auto.")
        }
        language = named.tag
      case "response_format":
        guard let format = Format(rawValue: value) else {
          let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
          throw Self.refused(name, "There is no format '\(value)'. Use one of: \(names).")
        }
        self.format = format
      case "timestamp_granularities[]", "timestamp_granularities":
        guard ["word", "segment"].contains(value) else {
          throw Self.refused(
            "timestamp_granularities", "The granularity must be 'word' or 'segment', not '\(value)'.")
        }
        granularities.insert(value)
      case "stream":
        guard let flag = Bool(value.lowercased()) else {
          throw Self.refused(name, "'stream' must be true or false, not '\(value)'.")
        }
        isStream = flag
      case "temperature":
        guard Double(value) != nil else {
          throw Self.refused(name, "'temperature' must be a number, not '\(value)'.")
        }
        if Double(value) != 0 { ignore(name) }
      case "alternatives":
        guard let count = Int(value), (1...100).contains(count) else {
          throw Self.refused(name, "'alternatives' must be a number from 1 to 100, not '\(value)'.")
        }
        alternatives = count
      case "tracks":
        guard
          value == "all"
            || value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy({
              (1...1000).contains(Int($0) ?? 0)
            })
        else {
          throw Self.refused(name, "'tracks' must be numbers such as 1,2, or all, not '\(value)'.")
        }
        tracks = value
      // Speech is always divided where the recognizer finds pauses.
      case "chunking_strategy" where value == "auto": break
      case "prompt":
        context = try Self.phrases(value)
        if context.isEmpty, !value.isEmpty { ignore(name) }
      default: ignore(name.hasSuffix("[]") ? String(name.dropLast(2)) : name)
      }
    }
    guard hasModel else {
      throw Self.refused("model", "The form has no model. Add the field model=longhand.")
    }
    try setGranularities(granularities)
  }

  private mutating func ignore(_ name: String) {
    if !ignored.contains(name) { ignored.append(name) }
  }

  /// The words and phrases in a prompt: its parts between marks, of at most five words each. Longer parts are sentences,
  /// which a recognizer cannot expect.
  private static func phrases(_ prompt: String) throws -> [String] {
    let parts = prompt.split { ",;:.!?\n\r\t\"".contains($0) }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { phrase in
        (1...5).contains(phrase.split(separator: " ").count) && phrase.count <= 80
          && phrase.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      }
    let limit = VocabularyUse.maxPhrases
    guard parts.count <= limit else {
      throw refused("prompt", "The prompt has \(parts.count) phrases. Send at most \(limit).")
    }
    return parts
  }

  private mutating func setGranularities(_ granularities: Set<String>) throws {
    switch format {
    case .verboseJSON where granularities.isEmpty: hasSegments = true
    // OpenAI's own server has times in `verbose_json` only; subtitle editors ask for them with `json` too.
    case .verboseJSON, .json:
      (hasWords, hasSegments) = (granularities.contains("word"), granularities.contains("segment"))
    case .text, .srt, .vtt, .diarizedJSON:
      if !granularities.isEmpty { ignore("timestamp_granularities") }
    }
    if isStream, format != .json, format != .text {
      throw Self.refused("stream", "The format \(format.rawValue) cannot be streamed. Use json or text.")
    }
    if alternatives != nil, format != .json, format != .verboseJSON {
      throw Self.refused(
        "alternatives", "The format \(format.rawValue) has no alternatives. Use json or verbose_json.")
    }
  }

  /// The error for a model that the server does not have.
  static func noModel(_ name: String) -> HTTPError {
    HTTPError(
      .notFound, "There is no model '\(name)'. Use 'longhand'.", parameter: "model", code: "model_not_found")
  }

  private static func refused(_ parameter: String, _ message: String) -> HTTPError {
    HTTPError(.badRequest, message, parameter: parameter, code: "unsupported_value")
  }
}
