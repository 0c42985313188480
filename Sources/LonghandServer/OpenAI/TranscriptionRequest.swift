import Foundation

/// The options of a transcription by OpenAI's API that Longhand supports.
struct TranscriptionRequest: Equatable {
  /// The format of the response.
  enum Format: String, CaseIterable {
    case json, text, srt, vtt
    case verboseJSON = "verbose_json"
    case diarizedJSON = "diarized_json"
  }

  /// The accepted model names: Longhand's own, and one that clients use by default.
  static let models = ["longhand", "whisper-1"]

  /// The language as the client named it; nil for the server's default.
  var language: String?
  var format = Format.json
  /// Whether the response has words and segments with their times.
  var hasWords = false
  var hasSegments = true
  /// Whether the text is sent while it is recognized.
  var isStream = false
  /// The number of alternatives of each segment, an extension of OpenAI's API; nil for none.
  var alternatives: Int?

  /// - Parameter fields: the fields of the form. If a name occurs more than once, the last value counts.
  /// - Throws: `HTTPError` with the name of the field that is not supported.
  init(_ fields: [(name: String, value: String)]) throws {
    var hasModel = false
    var granularities: Set<String> = []
    for (name, value) in fields {
      switch name {
      case "model":
        guard Self.models.contains(value) else { throw Self.noModel(value) }
        hasModel = true
      case "language":
        guard Self.isLanguageTag(value) else {
          throw Self.refused(name, "'\(value)' is not a language code. Use one such as en.")
        }
        language = value
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
        guard Double(value) == 0 else {
          throw Self.refused(name, "The recognizer does not sample. The only temperature is 0.")
        }
      case "alternatives":
        guard let count = Int(value), (1...100).contains(count) else {
          throw Self.refused(name, "'alternatives' must be a number from 1 to 100, not '\(value)'.")
        }
        alternatives = count
      // Speech is always divided where the recognizer finds pauses.
      case "chunking_strategy" where value == "auto": break
      case "prompt" where value.isEmpty: break
      case "prompt":
        throw Self.refused(
          name, "The recognizer does not support prompts. 'longhand serve --vocabulary FILE' adds words.")
      default:
        let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
        throw Self.refused(plain, "The parameter '\(plain)' is not supported. Leave it out.")
      }
    }
    guard hasModel else {
      throw Self.refused("model", "The form has no model. Add the field model=longhand.")
    }
    try setGranularities(granularities)
  }

  private mutating func setGranularities(_ granularities: Set<String>) throws {
    if !granularities.isEmpty {
      guard format == .verboseJSON else {
        throw Self.refused("timestamp_granularities", "Only the format verbose_json has times.")
      }
      (hasWords, hasSegments) = (granularities.contains("word"), granularities.contains("segment"))
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

  /// Whether a text can be a language tag (BCP 47), such as `en-US`.
  static func isLanguageTag(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
  }

  private static func refused(_ parameter: String, _ message: String) -> HTTPError {
    HTTPError(.badRequest, message, parameter: parameter, code: "unsupported_value")
  }
}
