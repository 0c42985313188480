import Foundation
import Longhand

#if os(Linux)
  import ModelInstallation
  import ModelStorage
#endif

/// The recognition options, shared by all verbs that transcribe.
struct TranscriberOptions {
  private var options = TranscriptionOptions()
  /// The vocabulary, if any.
  private let domain: DomainOption?
  private let namesLocale: Bool

  init(_ arguments: ParsedArguments) throws {
    domain = try DomainOption(arguments)
    namesLocale = arguments.value(.locale) != nil
    if let locale = arguments.value(.locale) {
      guard !locale.isEmpty,
        locale.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_@=".contains($0)) })
      else {
        throw Failure.usage("The option --locale cannot read '\(locale)'.", hint: "Example: --locale en-US")
      }
      options.locale = Locale(identifier: locale)
    }
    options.model = ModelChoice(arguments)
    if let engine: EngineSelection = try arguments.choice(.engine, of: "engine") { options.engine = engine }
    if !namesLocale { options.locale = TranscriptionOptions.unnamedLanguage(options.model, options.engine) }
    guard options.engine != .rolling || !options.detectsLanguage else {
      throw Failure.usage(
        "The engine rolling does not detect languages.",
        hint: "Remove --engine rolling, or name the language, for example --locale de-DE.")
    }
    if case .named = options.model { _ = try options.resolved() }
    options.allowsServer = arguments.has(.allowServer)
    options.addsPunctuation = arguments.has(.punctuation)
    options.translates = arguments.has(.translate) || arguments.has(.onlyTranslation)
    if let hint: TaskHint = try arguments.choice(.taskHint, of: "task hint") { options.taskHint = hint }
    let duration = try arguments.number(.silenceDuration, in: SilenceOptions.durations)
    options.silence = SilenceOptions(
      threshold: try arguments.number(.silenceThreshold, in: SilenceOptions.thresholds),
      duration: duration ?? options.silence.duration)
    for option in [Option.silenceThreshold, .silenceDuration]
    where arguments.has(option) && options.engine != .rolling {
      throw Failure.usage(
        "The option \(option.name) belongs to the engine 'rolling': the others find pauses by themselves.",
        hint: "Add --engine rolling, or remove the option.")
    }
    options.channels = try arguments.choice(.channels, of: "channel mode")
    options.tracks = try arguments.value(.tracks).flatMap(Self.tracks)
    try setVoices(arguments)
    if let names = arguments.value(.speakerNames) {
      options.speakerNames = try Self.speakerNames(names)
      if options.channels == .mix {
        throw Failure.usage(
          "The option --speaker-names names the speakers of separate channels, but --channels mix mixes the channels.",
          hint: "Use --channels separate, or remove one of the two options.")
      }
    }
    if let phrases = arguments.value(.context) {
      // With the commas of Chinese, Japanese and Arabic.
      options.contextualStrings = phrases.split { ",，、،".contains($0) }
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      guard !options.contextualStrings.isEmpty else {
        throw Failure.usage(
          "The option --context has no words.", hint: "Example: --context 'Kubernetes, GraphQL'")
      }
    }
    if let policy: CandidateRerankingPolicy = try arguments.choice(.reranking, of: "reranking policy") {
      options.reranking = policy
    }
    if let alternatives = try arguments.integer(.alternatives, in: 1...100) {
      options.alternatives = alternatives
    }
  }

  /// The options with the model, and with the vocabulary's language model, which is compiled unless the cache has it.
  ///
  /// - Parameter session: what is transcribed again, in its language unless another one is named.
  /// - Throws: a `Failure` that names the available languages if the wanted one is not among them.
  func transcription(
    of session: RecordedSession? = nil, in library: Library? = nil
  ) async throws -> TranscriptionOptions {
    var options = options
    if let session, let library, !namesLocale { options.locale = library.locale(of: session, options) }
    var resolved = try options.resolved()
    if options.detectsLanguage, resolved.found == nil {
      throw Failure(
        .unsupportedLocale, "No installed model detects languages.",
        hint: "Run 'longhand models install whisper-base', or name the language, for example --locale de-DE.")
    }
    do {
      try await EngineFactory(resolved).checkLanguage()
    } catch .unsupportedLocale(let locale) {
      throw Failure(
        .unsupportedLocale, "No installed model recognizes the language \(locale).",
        hint: await Self.hint(for: Locale(identifier: locale)))
    } catch {
      // Reported when the work begins, with its input.
    }
    resolved.languageModel = try await languageModel()
    return resolved.request
  }

  /// Which models recognize a language, or which languages are recognized.
  private static func hint(for locale: Locale) async -> String {
    #if os(Linux)
      let code = locale.language.languageCode?.identifier ?? ""
      let names = ModelCatalogue.local(environment: ProcessInfo.processInfo.environment).usable
        .filter { $0.family.recognizesWords && $0.languages.contains(code) }
        .sorted { $0.recommendation != nil && $1.recommendation == nil }.map(\.name)
      if let first = names.first {
        let all = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and others" : "")
        return "Models that do: \(all). Install one with 'longhand models install \(first)'."
      }
    #endif
    let available = await TranscriptionOptions.availableLocales
    return "Available: \(Locale.list(available))."
      + (available.first.map { " Example: --locale \($0)" } ?? "")
  }

  /// The vocabulary's language model, which is compiled unless the cache has it; nil without a vocabulary.
  func languageModel() async throws -> LanguageModelFolder? { try await domain?.languageModel() }

  private mutating func setVoices(_ arguments: ParsedArguments) throws {
    // Interrupted work may separate voices without the option.
    options.rememberedVoices = RememberedVoices.defaultLocation
    guard let count = try VoiceCount(arguments) else { return }
    options.voices = count
    guard case .exactly = count else { return }
    let text = count.rawValue
    if options.channels == .separate {
      throw Failure.usage(
        "The option --speakers \(text) is about the mix, and --channels separate has none.",
        hint: "Use --speakers auto, which finds the voices in each channel, or --channels mix.")
    }
    if arguments.value(.speakerNames) != nil {
      throw Failure.usage(
        "The option --speaker-names names channels, and --speakers \(text) is about their mix.",
        hint: "Remove one of the two options. 'longhand speakers ID --rename' names the voices of a session.")
    }
    // The number of voices is that of the whole recording.
    options.channels = .mix
  }

  /// Which model recognizes, as it was named.
  var model: ModelChoice { options.model }

  /// Whether voices are separated.
  var separatesVoices: Bool { options.voices != nil }

  private static func speakerNames(_ text: String) throws -> [String] {
    do {
      let names = try text.split(separator: ",", omittingEmptySubsequences: false).map {
        try SessionSpeakers.checked(String($0))
      }
      if Set(names).count == names.count { return names }
      throw Failure.usage(
        "The option --speaker-names has a name twice.", hint: "Example: --speaker-names 'Anna,Ben'")
    } catch let error as SpeakerError {
      throw Failure.usage(
        "The option --speaker-names: \(error.description)", hint: "Example: --speaker-names 'Anna,Ben'")
    }
  }

  /// The numbers of tracks; nil for all.
  private static func tracks(_ text: String) throws -> [Int]? {
    if text == "all" { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Int($0.trimmingCharacters(in: .whitespaces)) ?? 0 }
    guard numbers.allSatisfy({ (1...1000).contains($0) }) else {
      throw Failure.usage(
        "The option --tracks takes numbers from 1, or 'all', not '\(text)'.",
        hint: "Example: --tracks 1,2. 'longhand transcribe --list-tracks FILE' lists the tracks.")
    }
    return numbers
  }

  /// The style of progress output.
  static func progress(_ arguments: ParsedArguments) throws -> ProgressMeter.Style {
    let style = arguments.value(.progress)
    if let style, style != "json" {
      throw Failure.usage(
        "The option --progress takes 'json', not '\(style)'.", hint: "Remove it for progress on the terminal."
      )
    }
    if arguments.has(.quiet) { return .none }
    return style == nil ? .line : .json
  }
}

extension ModelChoice {
  /// The model that the option or `LONGHAND_MODEL` names.
  init(_ arguments: ParsedArguments) {
    let named = arguments.value(.model) ?? ProcessInfo.processInfo.environment["LONGHAND_MODEL"]
    self = named.flatMap { $0.isEmpty ? nil : .named($0) } ?? .best
  }
}

extension TranscriptionOptions {
  /// Options with only the language and the model that arguments name.
  static func named(in arguments: ParsedArguments) -> TranscriptionOptions {
    var options = TranscriptionOptions()
    options.model = ModelChoice(arguments)
    options.locale =
      arguments.value(.locale).map { Locale(identifier: $0) } ?? unnamedLanguage(options.model)
    return options
  }
}

extension VoiceCount {
  /// The number in the option; nil if it is not given.
  init?(_ arguments: ParsedArguments) throws {
    guard let text = arguments.value(.voices) else { return nil }
    guard let count = VoiceCount(rawValue: text) else {
      throw Failure.usage(
        "The option --speakers takes auto or a number from 1 to \(VoiceCount.numbers.upperBound), not '\(text)'.",
        hint: "Example: --speakers 2")
    }
    self = count
  }
}
