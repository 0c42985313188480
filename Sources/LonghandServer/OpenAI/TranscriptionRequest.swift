import Foundation

/// What a client of OpenAI's API asks of a file, as far as it can be done here.
struct TranscriptionRequest: Equatable {
  /// How the answer is written.
  enum Format: String, CaseIterable { case json, text, srt, verboseJSON = "verbose_json", vtt }

  /// The models that go by this server's name, or by one that clients know.
  static let models = ["longhand", "whisper-1"]

  /// The language, as it was named; nil for the usual one.
  var language: String?
  var format = Format.json
  /// Whether words, and segments, are told with their times.
  var hasWords = false
  var hasSegments = true
  /// Whether the text comes as it is recognized.
  var isStream = false
  /// How many readings of each segment are told, beyond OpenAI's API; nil for none.
  var alternatives: Int?

  /// - Parameter fields: the form's, without its file; of a name that comes twice the last one counts.
  /// - Throws: `HTTPError`, which names the parameter, for all that cannot be done.
  init(_ fields: [(name: String, value: String)]) throws {
    var hasModel = false
    var granularities: Set<String> = []
    for (name, value) in fields {
      switch name {
      case "model":
        guard Self.models.contains(value) else {
          throw HTTPError(
            .notFound, "there is no model '\(value)' here; 'longhand' is one", parameter: name,
            code: "model_not_found")
        }
        hasModel = true
      case "language":
        guard (2...35).contains(value.utf8.count),
          value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        else { throw Self.refused(name, "'\(value)' is no language, such as en") }
        language = value
      case "response_format":
        guard let format = Format(rawValue: value) else {
          let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
          throw Self.refused(name, "there is no format '\(value)'; one of \(names)")
        }
        self.format = format
      case "timestamp_granularities[]", "timestamp_granularities":
        guard ["word", "segment"].contains(value) else {
          throw Self.refused("timestamp_granularities", "times are told of words and segments")
        }
        granularities.insert(value)
      case "stream":
        guard let flag = Bool(value.lowercased()) else { throw Self.refused(name, "it is true or false") }
        isStream = flag
      case "temperature":
        guard Double(value) == 0 else {
          throw Self.refused(name, "the recognizer draws no lots: 0 is the one temperature")
        }
      case "alternatives":
        guard let count = Int(value), (1...100).contains(count) else {
          throw Self.refused(name, "alternatives are a number from 1 to 100")
        }
        alternatives = count
      case "prompt" where value.isEmpty: break
      case "prompt":
        throw Self.refused(
          name, "the recognizer takes no prompt; 'longhand serve --vocabulary' teaches words")
      default:
        let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
        throw Self.refused(plain, "'\(plain)' is not supported")
      }
    }
    guard hasModel else { throw Self.refused("model", "model is missing; 'longhand' is one") }
    try settle(granularities)
  }

  private mutating func settle(_ granularities: Set<String>) throws {
    if !granularities.isEmpty {
      guard format == .verboseJSON else {
        throw Self.refused("timestamp_granularities", "times are told in verbose_json alone")
      }
      (hasWords, hasSegments) = (granularities.contains("word"), granularities.contains("segment"))
    }
    if isStream, format != .json, format != .text {
      throw Self.refused("stream", "json and text can be streamed, \(format.rawValue) cannot")
    }
    if alternatives != nil, format != .json, format != .verboseJSON {
      throw Self.refused("alternatives", "\(format.rawValue) has no place for alternatives")
    }
  }

  private static func refused(_ parameter: String, _ message: String) -> HTTPError {
    HTTPError(.badRequest, message, parameter: parameter, code: "unsupported_value")
  }
}
