import Foundation
import Longhand

/// `longhand export`: writes a session's transcript in any format.
struct ExportCommand: Verb {
  private static let withoutCorrections = Option(
    "--without-corrections",
    summary: "write the recognizer's text, without a person's choices and corrections")
  private static let withoutSpeakers = Option(
    "--without-speakers", summary: "write the text without the names of speakers")

  static let description = VerbDescription(
    name: "export",
    summary: "Write the transcript of a session in any format",
    operands: "ID",
    discussion: """
      ID is the ID of a session, its first characters, its name, or 'last'.
      The transcript is printed, or written into files with -o or --output-dir.
      Existing files are replaced only with --force. --normalize adds a second,
      labelled text with corrected names and terms. They come from --vocabulary FILE
      or, without it, from the vocabulary that the session was transcribed with. The
      transcript itself does not change. --only-normalized writes the second text
      alone, also as subtitles; json has both texts.
      """,
    options: [
      .library, .format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .vocabulary, .normalize,
      .entities, .onlyNormalized,
      .translate.described("also write the second text in English, which 'longhand translate' makes"),
      .onlyTranslation,
      .style, .numbers, .wordTimestamps, .markWordless, .voiceAnalytics,
      .maximumLineWidth, .maximumLineCount, .captionOverlap, withoutCorrections, withoutSpeakers, .withEcho,
      .offset,
    ],
    examples: [
      .init(purpose: "Write subtitles for the web", command: "longhand export last --format vtt -o talk.vtt")
    ])

  private let reference: SessionReference
  private let plan: OutputPlan
  private let layout: CaptionLayout
  private let style: TextStyle
  private let numbers: NumberForm?
  private let offset: Double
  private let wordTimestamps: Bool
  private let marksWordless: Bool?
  private let hasVoiceAnalytics: Bool
  private let normalization: NormalizationOption?
  private let isOnlyNormalized: Bool
  private let translation: TranslationOption?
  private let hasCorrections: Bool
  private let hasEcho: Bool
  private let hasSpeakers: Bool

  init(_ arguments: ParsedArguments) throws {
    reference = try SessionReference(arguments)
    plan = try OutputPlan(arguments, inputs: [])
    layout = try CaptionLayout(arguments)
    style = try TextStyle(arguments)
    numbers = try plan.numbers(arguments)
    hasCorrections = !arguments.has(Self.withoutCorrections)
    hasEcho = arguments.has(.withEcho)
    hasSpeakers = !arguments.has(Self.withoutSpeakers)
    offset = try arguments.number(.offset, in: 0...1_000_000) ?? 0
    wordTimestamps = arguments.has(.wordTimestamps)
    marksWordless = arguments.has(.markWordless) ? true : nil
    hasVoiceAnalytics = try plan.hasVoiceAnalytics(arguments)
    isOnlyNormalized = arguments.has(.onlyNormalized)
    translation = try TranslationOption(arguments, formats: plan.formats)
    normalization = try NormalizationOption(
      arguments, formats: isOnlyNormalized ? [] : plan.formats, isStored: true)
    if isOnlyNormalized, let format = plan.formats.first(where: { [.json, .jsonl].contains($0) }) {
      throw Failure.usage(
        "The format \(format.rawValue) has the first text too.", hint: "Use --normalize for both texts.")
    }
    if arguments.value(.vocabulary) != nil, normalization == nil {
      throw Failure.usage(
        "The option --vocabulary does not change a finished transcript.",
        hint: "Add --normalize for a second text, or use 'longhand retranscribe' to recognize again.")
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    let (library, session) = try reference.open()
    var transcript = try library.transcript(of: session, withoutCorrections: !hasCorrections)
    if !hasSpeakers { transcript = transcript.withoutSpeakers }
    if isOnlyNormalized {
      transcript = try secondText(of: transcript, session, library)
    } else {
      transcript.normalized = try await normalized(transcript, of: session, in: library)
    }
    if let translation {
      transcript.translation = try library.store.translation(of: session.id)
      guard transcript.translation != nil else {
        throw Failure.usage(
          "The session has no translation.",
          hint: "Make it with 'longhand translate \(session.id.prefix(8))'.")
      }
      transcript = translation.shown(transcript)
    }
    if hasVoiceAnalytics { try await library.measureVoice(of: session, in: &transcript) }
    let files = plan.files(
      named: session.name == nil ? AudioInput(operand: session.source).stem : session.title.fileStem)
    try plan.makeFolder()
    for output in files { try WholeFile(path: output.path, replaces: plan.replaces).check() }
    if files.isEmpty {
      try console.output.flush(document(transcript, of: session.id, plan.formats[0], library))
    }
    for output in files {
      try WholeFile(path: output.path, replaces: plan.replaces).write(
        document(transcript, of: session.id, output.format, library))
    }
    return ExitStatus.done
  }

  /// The transcript in its second text: the stored one, or the one by the vocabulary and the names that are named.
  private func secondText(
    of transcript: Transcript, _ session: RecordedSession, _ library: Library
  ) throws -> Transcript {
    let stored = try library.store.spellings(of: session.id)
    if normalization?.vocabulary == nil, normalization?.entities == nil {
      guard stored != nil else { throw ShowCommand.missingSecondText(session) }
      if hasCorrections {
        return try transcript.inSecondText(library.store.normalizedSegments(of: session.id))
      }
    }
    let normalizer = try normalization?.normalizer(else: stored) ?? stored.map { TranscriptNormalizer($0) }
    return transcript.inSecondText(
      Dictionary(
        transcript.segments.compactMap { segment -> (Int, NormalizedTranscript)? in
          let language = segment.language ?? transcript.locale
          return normalizer.map { (segment.id, $0.normalizeLocally(segment.text, language: language)) }
        }, uniquingKeysWith: { $1 }))
  }

  /// The second text: by the vocabulary that is named, else the one that is stored, else by a language model.
  private func normalized(
    _ transcript: Transcript, of session: RecordedSession, in library: Library
  ) async throws -> NormalizedTranscript? {
    guard let normalization else { return nil }
    let stored = try library.store.spellings(of: session.id)
    if normalization.vocabulary == nil, normalization.entities == nil, let spellings = stored {
      // The stored one is that of the text with the corrections.
      return hasCorrections
        ? try library.store.normalizedTranscript(of: session.id)
        : await TranscriptNormalizer(spellings).normalize(transcript)
    }
    guard
      normalization.vocabulary != nil || normalization.entities != nil
        || SystemNormalizationModel.available != nil
    else { throw NormalizationOption.missingVocabulary }
    return try await normalization.normalizer(else: stored).normalize(transcript)
  }

  private func document(
    _ transcript: Transcript, of session: String, _ format: TranscriptFormat, _ library: Library
  ) throws -> Data {
    var formatter = TranscriptFormatter(
      format: format, layout: layout, wordTimestamps: wordTimestamps, marksWordless: marksWordless,
      style: style)
    formatter.hasEcho = hasEcho
    formatter.numbers = numbers
    formatter.offset = offset
    return try library.file(transcript, of: session, by: formatter)
  }
}
