import Foundation
import Longhand

/// The options of a transcription by OpenAI's API that Longhand supports.
struct TranscriptionRequest: Equatable {
  /// The format of the response.
  enum Format: String, CaseIterable {
    case json, text, srt, vtt, tsv
    case verboseJSON = "verbose_json"
    case diarizedJSON = "diarized_json"
  }

  /// The model names in the list of models: Longhand's own, and those that clients use by default. Every other name is
  /// accepted too, because clients have names of their own; the response names the model that answered.
  static let models = [
    "longhand", "whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe",
    "gpt-4o-transcribe-diarize",
  ]

  /// The tag of the language; nil for the server's default.
  var language: String?
  var format: Format
  /// Whether the response has words and segments with their times; `text`, `srt` and `vtt` cannot have them.
  var hasWords = false
  var hasSegments = false
  /// Whether the text is sent while it is recognized.
  private(set) var isStream = false
  /// Whether the text is that of the model in English.
  private(set) var translates: Bool
  /// Words and phrases to expect, from the prompt.
  var context: [String] = []
  /// The names of the fields that change nothing here.
  var ignored: [String] = []
  /// The number of alternatives of each segment, an extension of OpenAI's API; nil for none.
  var alternatives: Int?

  /// The audio tracks of the file that are transcribed, such as `1,2`, an extension of OpenAI's API; nil for all.
  var tracks: String?

  /// Whether the file is raw audio: 16 bits, mono, 16,000 Hz.
  var isRaw = false
  private(set) var dialect: ClientDialect
  private var granularities: Set<String> = []
  private var hasModel = false

  /// - Parameters:
  ///   - fields: the fields of the form. If a name occurs more than once, the last value counts.
  ///   - translates: whether the address is that of translations.
  /// - Throws: `HTTPError` with the name of the field that is wrong. Fields that have no meaning here are ignored.
  init(
    _ fields: [(name: String, value: String)], dialect: ClientDialect = .openAI, translates: Bool = false
  ) throws {
    self.dialect = dialect
    self.translates = translates
    format = dialect.format
    for (name, text) in fields {
      let plain = Self.plain(name)
      guard let read = Self.readers[dialect.fields[plain] ?? plain] else {
        ignore(plain)
        continue
      }
      // A model must be named, and nothing is no name.
      guard let value = ClientValue(text) else {
        if plain == "model", dialect.needsModel { throw Self.noModel(text) }
        continue
      }
      try read(&self, plain, value)
    }
    guard hasModel || !dialect.needsModel else {
      throw Self.refused("model", "The form has no model. Add the field model=longhand.")
    }
    try settle()
  }

  /// The name of a field without the marks of a list: `name[]` and `name[0]` are values of `name`.
  private static func plain(_ name: String) -> String {
    guard name.hasSuffix("]"), let start = name.lastIndex(of: "["),
      name[start...].dropFirst().dropLast().allSatisfy(\.isNumber)
    else { return name }
    return String(name[..<start])
  }

  private typealias Reader = @Sendable (inout Self, _ name: String, ClientValue) throws -> Void

  /// What reads the value of a field, by OpenAI's name of the field.
  private static let readers: [String: Reader] = [
    "model": { request, _, _ in request.hasModel = true },
    "language": { request, name, value in
      guard let named = ClientLanguage(value.text) else {
        throw refused(
          name, "'\(value.text)' is not a language. Use a code such as en, a name such as english, or auto.")
      }
      request.language = named.tag
    },
    "response_format": { request, name, value in
      guard let format = request.dialect.formats[value.text] ?? Format(rawValue: value.text) else {
        let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
        throw refused(name, "There is no format '\(value.text)'. Use one of: \(names).")
      }
      request.format = format
    },
    "timestamp_granularities": { request, name, value in
      for item in value.list {
        guard ["word", "segment"].contains(item.text) else {
          throw refused(name, "The granularity must be 'word' or 'segment', not '\(item.text)'.")
        }
        request.granularities.insert(item.text)
      }
    },
    "word_timestamps": { request, name, value in
      if try flag(name, value) { request.granularities.formUnion(["word", "segment"]) }
    },
    "stream": { request, name, value in request.isStream = try flag(name, value) },
    "translate": { request, name, value in
      if try flag(name, value) { request.translates = true }
    },
    "task": { request, name, value in
      guard ["transcribe", "translate"].contains(value.text) else {
        throw refused(name, "'task' must be transcribe or translate, not '\(value.text)'.")
      }
      if value.text == "translate" { request.translates = true }
    },
    "encode": { request, name, value in request.isRaw = try !flag(name, value) },
    "temperature": { request, name, value in
      let numbers = value.list.map(\.number)
      guard numbers.allSatisfy({ $0 != nil }) else {
        throw refused(name, "'temperature' must be a number, not '\(value.text)'.")
      }
      if numbers.contains(where: { $0 != 0 }) { request.ignore(name) }
    },
    "alternatives": { request, name, value in
      guard let count = value.integer, (1...100).contains(count) else {
        throw refused(name, "'alternatives' must be a number from 1 to 100, not '\(value.text)'.")
      }
      request.alternatives = count
    },
    "tracks": { request, name, value in
      let numbers = value.text.split(separator: ",", omittingEmptySubsequences: false)
      guard value.text == "all" || numbers.allSatisfy({ (1...1000).contains(Int($0) ?? 0) }) else {
        throw refused(name, "'tracks' must be numbers such as 1,2, or all, not '\(value.text)'.")
      }
      request.tracks = value.text
    },
    // Speech is always divided where the recognizer finds pauses.
    "chunking_strategy": { request, name, value in if value.text != "auto" { request.ignore(name) } },
    "prompt": { request, name, value in
      request.context = try phrases(value.text)
      if request.context.isEmpty { request.ignore(name) }
    },
  ]

  private static func flag(_ name: String, _ value: ClientValue) throws -> Bool {
    guard let flag = value.flag else {
      throw refused(name, "'\(name)' must be true or false, not '\(value.text)'.")
    }
    return flag
  }

  private mutating func ignore(_ name: String) {
    if !ignored.contains(name) { ignored.append(name) }
  }

  /// The words and phrases in a prompt: its parts between marks of any writing, if they are short. Longer parts are
  /// sentences, which a recognizer cannot expect.
  private static func phrases(_ prompt: String) throws -> [String] {
    let sentences = prompt.split(omittingEmptySubsequences: false) { $0 != "." && String($0).endsSentence }
    let parts = sentences.enumerated().flatMap { index, sentence -> [String] in
      // A list of names seldom ends with a mark, and a sentence does.
      let maxLength = index < sentences.count - 1 ? 16 : 24
      let phrases = sentence.split { isBreak($0) }.flatMap { dividedAtFullStops($0) }
      return phrases.filter { isPhrase($0, maxLength) }
    }
    let limit = VocabularyUse.maxPhrases
    guard parts.count <= limit else {
      throw refused("prompt", "The prompt has \(parts.count) phrases. Send at most \(limit).")
    }
    return parts
  }

  /// Whether a phrase ends here. A full stop may belong to a word.
  private static func isBreak(_ character: Character) -> Bool {
    character != "." && character.isMark || character.isNewline
      || "\t\"“”„«»「」『』《》".contains(character)
  }

  /// The parts of a text between full stops: those after words, but not those within words or after abbreviations, as
  /// in "Node.js" and "Dr. Müller".
  private static func dividedAtFullStops(_ text: Substring) -> [String] {
    var parts: [[Substring]] = [[]]
    for var word in text.split(whereSeparator: \.isWhitespace) {
      let isLast = word.last == "." && word.endsSentence
      while isLast, word.last == "." { word.removeLast() }
      if !word.isEmpty { parts[parts.count - 1].append(word) }
      if isLast { parts.append([]) }
    }
    return parts.map { $0.joined(separator: " ") }
  }

  /// Whether a text is short enough: at most five words.
  /// - Parameter maxLength: the most letters in a writing without spaces; a Chinese character counts as two.
  private static func isPhrase(_ text: String, _ maxLength: Int) -> Bool {
    let length = text.compactMap(\.unicodeScalars.first).reduce(0) { length, scalar in
      length + (scalar.properties.isIdeographic ? 2 : scalar.isUnspaced ? 1 : 0)
    }
    return length <= maxLength && (1...5).contains(text.split(separator: " ").count) && text.count <= 80
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Decides what depends on several fields.
  private mutating func settle() throws {
    switch format {
    case .verboseJSON where granularities.isEmpty: hasSegments = true
    // OpenAI's own server has times in `verbose_json` only; subtitle editors ask for them with `json` too.
    case .verboseJSON, .json:
      (hasWords, hasSegments) = (granularities.contains("word"), granularities.contains("segment"))
    case .text, .srt, .vtt, .tsv, .diarizedJSON:
      if !granularities.isEmpty { ignore("timestamp_granularities") }
    }
    if translates, format == .diarizedJSON {
      throw Self.refused("response_format", "A translation has no speakers. Use json, text, srt or vtt.")
    }
    // What cannot be a stream is answered whole, as OpenAI's server does.
    if isStream, translates || ![.json, .text, .diarizedJSON].contains(format) {
      isStream = false
      ignore("stream")
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
