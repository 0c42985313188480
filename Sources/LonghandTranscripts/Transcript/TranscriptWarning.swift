import Foundation

/// Something about the audio of a recording that readers of its transcript should know.
public struct TranscriptWarning: Sendable, Hashable, Codable {
  /// What the warning is about.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// The file states a greater length than could be decoded.
    case shorterThanStated = "shorter-than-stated"
    /// The file states a smaller length than was decoded.
    case longerThanStated = "longer-than-stated"
    /// A part of the file cannot be decoded. It is a gap in the coverage; of more than a thousand parts, the first thousand
    /// are gaps.
    case damaged
    /// Audio tracks of the file were not transcribed.
    case tracksLeftOut = "tracks-left-out"
    /// The audio was too loud for 16 bits or very quiet, so its level was changed.
    case levelChanged = "level-changed"
    /// The clock of the file and that of its samples have different speeds. The times are those of the file.
    case clockDrift = "clock-drift"
    /// A channel has noise and no speech, so it was left out of the mix.
    case channelWithoutSpeech = "channel-without-speech"
    /// Channels have opposite phases, so one of them was transcribed instead of their mix.
    case oppositePhase = "opposite-phase"
    /// The analyzer failed, and recognition tasks took its place.
    case engineChanged = "engine-changed"
    /// The two channels have different speech, so each was transcribed by itself.
    case separateChannels = "separate-channels"
    /// Speakers of channels were named, and the channels were not transcribed one by one.
    case unusedSpeakerNames = "unused-speaker-names"
    /// The language was detected, and it is not the user's.
    case detectedLanguage = "detected-language"
    /// The speech sounds like another language than the one in which it was transcribed.
    case otherLanguage = "other-language"
    /// The language changes in the recording.
    case languages
    /// The voices could not be separated, although this was requested.
    case voicesUnknown = "voices-unknown"
    /// The installed speaker model failed, so the voices were separated without it.
    case speakerModelFailed = "speaker-model-failed"
    /// No speaker model is installed, so the voices were separated without one.
    case speakerModelMissing = "speaker-model-missing"
    /// Only one voice was found, without a speaker model.
    case oneVoice = "one-voice"
    /// The number of voices that was given was not used: fewer differ, or the channels were transcribed one by one.
    case numberOfVoicesUnused = "number-of-voices-unused"
    /// The file of the remembered voices cannot be read, so no voice was recognized.
    case rememberedVoicesUnreadable = "remembered-voices-unreadable"
    /// Voices were remembered with other networks or methods than separated those of the recording, so they were not recognized.
    case voicesRememberedOtherwise = "voices-remembered-otherwise"
    /// The installed model did not write punctuation, so that rules did.
    case punctuationModelFailed = "punctuation-model-failed"
    /// The translation could not be made, although it was requested.
    case translationFailed = "translation-failed"
    /// A sentence was recognized twice, although the audio has hardly room for it, or none.
    case repetition
    /// Words of a known text were not found in the audio.
    case notSaid = "not-said"
    /// Words that were recognized are not in the known text.
    case notInText = "not-in-text"

    /// Whether it is about the separation of the voices, so that another one replaces it.
    package var isOfVoices: Bool {
      switch self {
      case .speakerModelFailed, .speakerModelMissing, .oneVoice, .numberOfVoicesUnused,
        .rememberedVoicesUnreadable, .voicesRememberedOtherwise:
        true
      default: false
      }
    }

    /// Whether it is about a transcription, so that another one replaces it; the others are about the audio.
    package var isOfTranscription: Bool {
      switch self {
      case .shorterThanStated, .longerThanStated, .damaged, .tracksLeftOut, .levelChanged, .clockDrift: false
      default: true
      }
    }
  }

  /// What the warning is about.
  public var code: Code
  /// The warning as a sentence.
  public var message: String
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The language (BCP 47) that is spoken, if the warning is about one.
  public var language: String?

  package init(
    code: Code, message: String, start: TimeInterval, end: TimeInterval, language: String? = nil
  ) {
    self.code = code
    self.message = message
    self.start = start
    self.end = end
    self.language = language
  }

  /// A warning about a part of the audio, in seconds.
  private init(code: Code, message: String, over range: ClosedRange<TimeInterval>, language: String? = nil) {
    self.init(
      code: code, message: message, start: range.lowerBound, end: range.upperBound, language: language)
  }
}

extension TranscriptWarning {
  /// Seconds by which the stated length may differ from the decoded one.
  static let tolerance = 0.5

  /// A warning if a file states another length than was decoded.
  package init?(stated: TimeInterval, decoded: TimeInterval) {
    guard abs(stated - decoded) > Self.tolerance else { return nil }
    let lengths =
      "The file states a length of \(Self.text(stated)) s, but has \(Self.text(decoded)) s of audio."
    self =
      stated > decoded
      ? Self(
        code: .shorterThanStated, message: "\(lengths) Its end may be missing.", start: decoded, end: stated)
      : Self(
        code: .longerThanStated, message: "\(lengths) All of it was transcribed.", start: stated, end: decoded
      )
  }

  /// A warning if the level of audio was changed.
  /// - Parameters:
  ///   - peak: the loudest sample of the file; full scale is 1.
  ///   - gain: what the samples are multiplied by.
  package init?(peak: Double, gain: Float, _ range: ClosedRange<TimeInterval>) {
    guard gain != 1 else { return nil }
    let levels = String(
      format: "%.0f dBFS, so its level was changed by %+.0f dB", Self.decibels(peak),
      Self.decibels(Double(gain)))
    self.init(
      code: .levelChanged,
      message: gain < 1
        ? "The audio has peaks of \(levels), and nothing is clipped."
        : "The audio is very quiet, with peaks of \(levels).",
      over: range)
  }

  private static func decibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-9)) }

  /// A warning if the file's clock and that of its samples differ.
  /// - Parameters:
  ///   - ahead: the difference at the end in seconds; greater than 0 if the file's clock is ahead.
  ///   - greatest: the greatest difference in seconds.
  package init?(ahead: TimeInterval, _ greatest: TimeInterval, _ range: ClosedRange<TimeInterval>) {
    guard greatest > 0 else { return nil }
    let end = "\(Self.text(abs(ahead))) s \(ahead < 0 ? "longer" : "shorter")"
    self.init(
      code: .clockDrift,
      message:
        "The clocks of the file and of its samples differ by up to \(Self.text(greatest)) s: at the end, the samples are \(end). The times are those of the file.",
      over: range)
  }

  /// Tracks of a file were not transcribed.
  /// - Parameter reason: why, as a clause; empty if it was asked for.
  package static func tracksLeftOut(
    _ tracks: [TranscriptTrack], _ range: ClosedRange<TimeInterval>, _ reason: String = ""
  ) -> Self {
    let names = tracks.map(\.label).joined(separator: ", ")
    return Self(
      code: .tracksLeftOut,
      message:
        "Not transcribed: \(names)\(reason.isEmpty ? "" : ", because \(reason)"). The file has several audio tracks; the option --tracks all transcribes all of them.",
      over: range)
  }

  /// Channels with noise alone were left out of the mix.
  /// - Parameter channels: from 0.
  package static func channelsWithoutSpeech(_ channels: [Int], _ range: ClosedRange<TimeInterval>) -> Self {
    let names = channels.map { "\($0 + 1)" }.joined(separator: ", ")
    return Self(
      code: .channelWithoutSpeech,
      message:
        "Left out of the mix, because they have sound but no speech: channels \(names). The option --channels separate transcribes each channel by itself.",
      over: range)
  }

  /// A part of the file could not be decoded.
  package static func damaged(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .damaged, message: "The audio from \(text(range)) s is damaged and could not be decoded.",
      over: range)
  }

  /// Many parts of the file could not be decoded.
  package static func damagedInPlaces(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .damaged,
      message:
        "The audio from \(text(range)) s is damaged in many places, which could not be decoded. The rest of it was decoded.",
      over: range)
  }

  /// Channels have opposite phases.
  package static func oppositePhase(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .oppositePhase,
      message:
        "The channels cancel each other from \(text(range)) s (opposite phase), so the louder one was used.",
      over: range)
  }

  /// The installed speaker model failed.
  package static func speakerModelFailed(_ range: ClosedRange<TimeInterval>, _ reason: String) -> Self {
    Self(
      code: .speakerModelFailed,
      message: "The speaker model failed, so the speakers were separated without it. \(reason)",
      over: range)
  }

  /// No speaker model is installed.
  package static func speakerModelMissing(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .speakerModelMissing,
      message:
        "The model 'speakers' is missing, so the speakers were separated without it, which is often wrong where turns are short. 'longhand models install speakers' installs it.",
      over: range)
  }

  /// Only one voice was found, without a speaker model.
  package static func oneVoice(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .oneVoice,
      message: "One voice was found; give the number with --speakers N if there are more.",
      over: range)
  }

  /// The number of voices was not used.
  /// - Parameter found: how many voices differ; nil if the channels were transcribed one by one.
  package static func numberOfVoicesUnused(_ range: ClosedRange<TimeInterval>, found: Int?) -> Self {
    Self(
      code: .numberOfVoicesUnused,
      message: found.map { "Fewer voices differ than the number that was given: \($0)." }
        ?? "The channels were transcribed one by one, so the number of voices was found in each.",
      over: range)
  }

  /// Voices were remembered with other networks or methods.
  /// - Parameter names: of the people.
  package static func voicesRememberedOtherwise(_ range: ClosedRange<TimeInterval>, _ names: [String]) -> Self
  {
    Self(
      code: .voicesRememberedOtherwise,
      message:
        "Not recognized, because another network or method than today's remembered the voice: \(names.joined(separator: ", ")). Remember it again with 'longhand speakers SESSION --remember NAME'.",
      over: range)
  }

  /// The remembered voices cannot be read.
  package static func rememberedVoicesUnreadable(_ range: ClosedRange<TimeInterval>, _ reason: String) -> Self
  {
    Self(
      code: .rememberedVoicesUnreadable,
      message: "The speakers were separated, but remembered voices were not recognized. \(reason)",
      over: range)
  }

  /// The installed model did not write punctuation from here on, or in some places.
  package static func punctuationFailed(_ range: ClosedRange<TimeInterval>, _ reason: String) -> Self {
    Self(
      code: .punctuationModelFailed,
      message: "The punctuation model failed, so the punctuation of these parts comes from rules. \(reason)",
      over: range)
  }

  /// Another engine took over.
  package static func engineChanged(_ range: ClosedRange<TimeInterval>, _ why: String) -> Self {
    Self(
      code: .engineChanged,
      message:
        "From \(text(range.lowerBound)) s on, recognition tasks were used, because the analyzer failed: \(why).",
      over: range)
  }

  /// A sentence was recognized twice in a short time.
  package static func repetition(_ text: String, _ range: ClosedRange<TimeInterval>, isKept: Bool) -> Self {
    Self(
      code: .repetition, message: twice + text + (isKept ? "\". Both were kept." : withoutRoom),
      over: range)
  }

  private static let twice = "Recognized twice: \""
  private static let withoutRoom = "\". The second was left out: the audio has no room for it."

  /// The words that were left out because they repeat others.
  var leftOut: String? {
    guard message.hasPrefix(Self.twice), message.hasSuffix(Self.withoutRoom) else { return nil }
    return String(message.dropFirst(Self.twice.count).dropLast(Self.withoutRoom.count))
  }

  /// The channels were found to differ.
  /// - Parameter shares: the part of the speech that only one channel has, for each of the two, 0 to 1.
  package static func separateChannels(
    _ range: ClosedRange<TimeInterval>, shares: (first: Double, second: Double)
  ) -> Self {
    let parts = [shares.first, shares.second].map { String(format: "%.0f %%", $0 * 100) }
    return Self(
      code: .separateChannels,
      message:
        "The channels have different speech (only the first: \(parts[0]), only the second: \(parts[1])), so each was transcribed by itself. The option --channels mix mixes them.",
      over: range)
  }

  /// Speakers were named whose channels do not exist, or were mixed.
  package static func unusedSpeakerNames(
    _ names: [String], channels: Int, _ range: ClosedRange<TimeInterval>
  ) -> Self {
    let reason =
      channels == 1
      ? "the recording has one channel. The option --speakers separates speakers by their voices."
      : "the channels were mixed. The option --channels separate transcribes each channel by itself."
    return Self(
      code: .unusedSpeakerNames,
      message: "Not used: the names of speakers \(names.joined(separator: ", ")), because \(reason)",
      over: range)
  }

  /// The language was detected by the first speech.
  /// - Parameter probability: how likely it is, 0 to 1.
  package static func detectedLanguage(
    _ range: ClosedRange<TimeInterval>, _ locale: Locale, probability: Double
  ) -> Self {
    Self(
      code: .detectedLanguage,
      message:
        "The language was detected: \(Locale.nameAndTag(locale.identifier(.bcp47))), probability \(String(format: "%.2f", probability)).",
      over: range, language: locale.identifier(.bcp47))
  }

  /// Speech sounds like another language than the one in which it was transcribed.
  package static func otherLanguage(_ range: ClosedRange<TimeInterval>, _ language: String) -> Self {
    Self(
      code: .otherLanguage,
      message:
        "The speech from \(text(range)) s sounds like \(Locale.nameAndTag(Locale(identifier: language).identifier(.bcp47))), but was transcribed in another language. The option --locale \(language) transcribes it in this one.",
      over: range, language: language)
  }

  /// Seconds between two parts in the same other language that are one passage.
  private static let passageGap = 10.0

  /// This warning with a later one, if both are about one passage in another language.
  package func joined(with next: Self) -> Self? {
    guard code == .otherLanguage, next.code == code, let language, next.language == language,
      next.start - end < Self.passageGap
    else { return nil }
    return .otherLanguage(min(start, next.start)...max(end, next.end), language)
  }

  /// The language changes in the recording.
  /// - Parameter turns: the seconds at which languages begin, and the languages.
  package static func languages(_ range: ClosedRange<TimeInterval>, _ turns: [(start: TimeInterval, Locale)])
    -> Self
  {
    let first = turns.prefix(maxTurns).map {
      "\(Locale.nameAndTag($0.1.identifier(.bcp47))) from \(text($0.start)) s"
    }
    let more = turns.count > maxTurns ? ", and \(turns.count - maxTurns) more changes" : ""
    return Self(
      code: .languages, message: "Several languages are spoken: \(first.joined(separator: ", "))\(more).",
      over: range)
  }

  /// The most changes of the language that a warning names.
  private static let maxTurns = 20

  /// The voices could not be separated.
  package static func voicesUnknown(_ range: ClosedRange<TimeInterval>, _ why: String) -> Self {
    Self(
      code: .voicesUnknown, message: "The speakers could not be separated: \(why).",
      over: range)
  }

  /// The voices of an imported transcript are not known.
  package static func voicesLeftOut(_ range: ClosedRange<TimeInterval>) -> Self {
    Self(
      code: .voicesUnknown,
      message:
        "The speakers were left out, because an earlier version of 'longhand worker' did not write when each speaks.",
      over: range)
  }

  /// The translation could not be made.
  package static func translationFailed(_ range: ClosedRange<TimeInterval>, _ why: String) -> Self {
    Self(
      code: .translationFailed, message: "The text could not be translated: \(why).",
      over: range)
  }

  /// One sentence for each code, in the order of `warnings`.
  package static func summary(of warnings: [Self]) -> [(code: Code, message: String)] {
    var codes: [Code] = []
    for warning in warnings where !codes.contains(warning.code) { codes.append(warning.code) }
    return codes.map { code in
      let all = warnings.filter { $0.code == code }
      let message = all.first?.message ?? ""
      guard all.count > 1 else { return (code, message) }
      let seconds = text(all.reduce(0) { $0 + $1.end - $1.start })
      return (code, "\(message) In total: \(all.count) parts, \(seconds) s.")
    }
  }

  private static func text(_ range: ClosedRange<TimeInterval>) -> String {
    "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }

  private static func text(_ seconds: TimeInterval) -> String { String(format: "%.1f", seconds) }
}
