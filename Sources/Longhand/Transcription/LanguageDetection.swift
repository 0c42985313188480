import AVFAudio
import Foundation
import Speech

extension TranscriptionOptions {
  /// The locale that stands for languages that are to be detected: the first one by the first speech of a recording, and
  /// changes by windows of the recognizer.
  public static let detectedLanguage = Locale(identifier: "auto")

  /// Whether the language is to be detected.
  public var detectsLanguage: Bool { locale.identifier == Self.detectedLanguage.identifier }

  /// What a recording is transcribed with: if its language is to be detected, the first one, and a warning that says which
  /// it is.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  func resolved(
    for audio: any AudioSource
  ) async throws -> (options: ResolvedOptions, warning: TranscriptWarning?) {
    var options = try resolved()
    guard detectsLanguage else { return (options, nil) }
    let found = try await LanguageDetection(of: audio, options).found
    options.locale = found?.locale ?? TranscriptionOptions().locale
    options.languages = []
    let warning = TranscriptWarning.detectedLanguage(
      0...audio.duration, options.locale, probability: found?.probability)
    return (options, warning)
  }
}

/// Finds the language of a recording by its first speech.
private struct LanguageDetection {
  /// Seconds that are listened to at a time: a window of the recognizer.
  private static let window = 28.0
  /// A language that is this likely is not looked for any further.
  private static let enough = 0.8
  /// The number of windows with speech after which the likeliest language counts.
  private static let maxSpoken = 5
  /// The number of windows after which a recording counts as one without speech.
  private static let maxWindows = 40

  /// The language and its probability; nil if there is no speech.
  private(set) var found: (locale: Locale, probability: Double)?

  init(of audio: any AudioSource, _ options: ResolvedOptions) async throws {
    #if os(Linux)
      guard let model = options.speechModel,
        let format = AVAudioFormat(
          commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)
      else { throw TranscriptionError.unsupportedLocale(options.locale.identifier) }
      var samples: [Int16] = []
      var spoken = 0
      var windows = 0
      let inputs = AnalyzerInputs(audio: audio, start: 0, format: format)
      var iterator = inputs.makeAsyncIterator()
      while windows < Self.maxWindows, spoken < Self.maxSpoken, found?.probability ?? 0 < Self.enough {
        let input = try await iterator.next()
        samples += input?.samples ?? []
        guard input == nil || Double(samples.count) >= Self.window * format.sampleRate else { continue }
        windows += 1
        let window = Array(samples.prefix(Int(Self.window * format.sampleRate)))
        samples.removeFirst(window.count)
        if let language = try await Self.language(of: window, model) {
          spoken += 1
          if language.probability > found?.probability ?? 0 { found = language }
        }
        if input == nil, samples.isEmpty { break }
      }
    #else
      throw TranscriptionError.unsupportedLocale(options.locale.identifier)
    #endif
  }

  #if os(Linux)
    private static func language(
      of samples: [Int16], _ model: SpeechModel
    ) async throws -> (locale: Locale, probability: Double)? {
      try Task.checkCancellation()
      // Threads of Swift's concurrency must not wait for a process.
      let language = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try model.language(of: samples) })
        }
      }
      guard let language else { return nil }
      let locale = Locale(identifier: language.code)
      return (await SpeechTranscriber.supportedLocale(equivalentTo: locale) ?? locale, language.probability)
    }
  #endif
}
