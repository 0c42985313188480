import Foundation
import Longhand

/// How recordings are transcribed: what can be chosen, and sessions that are transcribed again.
extension API {
  static let recognitionRoutes = [
    Route("GET", "/api/recognition") { api, _, _ in .json(try api.recognition()) },
    Route("POST", "/api/sessions/*/transcription") { api, request, parameters in
      let session = try api.finished(parameters[0])
      let choice = try request.body.isEmpty ? nil : request.json(RecognitionFields.self).choice
      return try api.begin(
        api.recoveries.transcription(of: session, choice ?? RecognitionChoice()), session)
    },
    Route("POST", "/api/sessions/*/speakers") { api, request, parameters in
      let session = try api.finished(parameters[0])
      guard let count = try request.json(RecognitionFields.self).choice?.voices else {
        throw RecognitionFields.noCount("none")
      }
      do {
        try api.library.checkSeparation(of: session.id, into: count)
      } catch let error as SpeakerError {
        throw HTTPError(error)
      }
      return try api.begin(.speakers(count), session)
    },
    Route("GET", "/api/sessions/*/translation") { api, _, parameters in
      let session = try api.session(parameters[0])
      let stored = try api.library.store.translation(of: session.id)
      guard let translation = stored ?? api.recordings.translation(of: session.id) else {
        throw HTTPError(
          .notFound, "The session has no translation. POST makes one.", code: "no_translation")
      }
      return .json(JSONDocument.translation(translation))
    },
    Route("POST", "/api/sessions/*/translation") { api, _, parameters in
      try api.begin(.translation, api.finished(parameters[0]))
    },
  ]

  /// A session with audio that is transcribed.
  private func finished(_ id: String) throws -> RecordedSession {
    let session = try session(id)
    guard session.state.isFinal, !library.isInUse(session.id) else {
      throw HTTPError(
        .conflict, "A program is working on the session, or it is not complete. Try again when it is done.",
        code: "not_complete")
    }
    guard FileManager.default.fileExists(atPath: library.recording(of: session.id).audio.path) else {
      throw HTTPError(.notFound, "The session has no audio. Only its text can be read.", code: "no_sound")
    }
    return session
  }

  /// The session's document reports the progress.
  private func begin(_ job: RecoveryHost.Job, _ session: RecordedSession) throws -> HTTPResponse {
    guard recoveries.add(job, session.id) else {
      throw HTTPError(.conflict, "The session waits for its turn already.", code: "not_complete")
    }
    return HTTPResponse(status: 202)
  }

  /// What can be chosen, and what is used where nothing is.
  private func recognition() throws -> JSONValue {
    let options = recoveries.options
    let models = TranscriptionOptions.models
    let locales = try BlockingBridge.wait { await TranscriptionOptions.availableLocales }
    return .object([
      ("locale", .string(options.locale.identifier(.bcp47))),
      ("locales", .array(locales.map(JSONValue.string))),
      ("detectsLanguage", .boolean(models.contains(where: \.detectsLanguage))),
      ("model", options.modelStamp.map(JSONDocument.model) ?? .null),
      (
        "models",
        .array(
          models.map { model in
            .object([
              ("name", .string(model.name)), ("languages", .array(model.languages.map(JSONValue.string))),
              ("detectsLanguage", .boolean(model.detectsLanguage)),
            ])
          })
      ),
      ("vocabulary", options.languageModel.map { .string($0.stamp.name) } ?? .null),
      ("vocabularies", .array(library.vocabularies.names.map(JSONValue.string))),
      ("words", .integer(options.expecting(library.vocabularies.words.texts).contextualStrings.count)),
    ])
  }

  /// What a client chose, after a look whether it is possible; nil if nothing was chosen.
  func choice(_ fields: RecognitionFields) throws -> RecognitionChoice? {
    guard let choice = try fields.choice else { return nil }
    _ = try library.resolved(recoveries.options, choice)
    return choice
  }
}

/// How a recording is transcribed, as clients send it. What is missing or empty is as the server has it.
struct RecognitionFields: Decodable {
  static let names = ["locale", "model", "vocabulary", "speakers"]

  private let locale: String?
  private let model: String?
  private let vocabulary: String?
  private let speakers: Count?

  /// A number, or a text such as `auto`.
  private struct Count: Decodable {
    var text: String

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        text = String(number)
      } else {
        text = try container.decode(String.self)
      }
    }
  }

  init(_ fields: [String: String]) {
    (locale, model) = (fields["locale"], fields["model"])
    (vocabulary, speakers) = (fields["vocabulary"], fields["speakers"].map(Count.init(text:)))
  }

  /// Nil if nothing is chosen.
  /// - Throws: `HTTPError`.
  var choice: RecognitionChoice? {
    get throws {
      func given(_ text: String?) -> String? { text.flatMap(ClientValue.init)?.text }
      var choice = RecognitionChoice(model: given(model), vocabulary: given(vocabulary))
      choice.locale = try given(locale).flatMap {
        $0 == TranscriptionOptions.detectedLanguage.identifier
          ? $0 : try API.languageTag($0, parameter: "locale")
      }
      if let count = given(speakers?.text) {
        guard let voices = VoiceCount(rawValue: count) else { throw Self.noCount(count) }
        choice.voices = voices
      }
      return choice == RecognitionChoice() ? nil : choice
    }
  }

  static func noCount(_ text: String) -> HTTPError {
    HTTPError(
      .badRequest,
      "'speakers' must be 'auto' or a number from 1 to \(VoiceCount.numbers.upperBound), not '\(text)'.",
      parameter: "speakers")
  }
}

extension Library {
  /// The options with what a person chose, whose model is installed and recognizes the language. It blocks the thread.
  /// - Throws: `HTTPError`.
  func resolved(
    _ options: TranscriptionOptions, _ choice: RecognitionChoice
  ) throws -> TranscriptionOptions {
    do {
      return try BlockingBridge.wait {
        let chosen = try await self.options(options, choice)
        // A better model may be installed until the work begins.
        let found = try chosen.resolved()
        _ = try await EngineFactory(found).engine()
        guard found.modelStamp != nil else {
          throw TranscriptionError.unsupportedLocale(found.locale.identifier)
        }
        return chosen
      }
    } catch let error as VocabularyError {
      let place = error.location.map { "\($0): " } ?? ""
      throw HTTPError(
        .badRequest, "The vocabulary cannot be used: \(place)\(error.problem).", parameter: "vocabulary")
    } catch TranscriptionError.unsupportedLocale(let locale) {
      throw HTTPError(
        .badRequest,
        "No installed model \(locale == TranscriptionOptions.detectedLanguage.identifier ? "detects languages" : "recognizes the language \(locale)"). "
          + "'longhand models list' shows others.",
        parameter: "locale")
    } catch TranscriptionError.notInstalled(let what, let hint) {
      throw HTTPError(.badRequest, "\(what) \(hint)", parameter: "model")
    }
  }
}
