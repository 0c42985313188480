import Foundation
import Longhand

/// Encodes what happens to a recording for the clients that follow it. Segments are not among it: they come from the
/// store.
struct LiveEventEncoder {
  /// An encoded event.
  enum Event: Equatable {
    case partial(Data)
    case level(Data)
    case notice(Data)
    /// A passage in English.
    case translated(Data)
  }

  enum Severity: String { case warning, error }

  /// Seconds between two levels.
  private static let levelInterval = 0.1

  private let duration: @Sendable () -> TimeInterval
  private var transcribed = 0.0
  private var lastLevel = -Double.infinity
  private var isDiskFailing = false
  private var isLibraryFailing = false

  init(_ session: LiveSession) { self.init { session.duration } }

  /// - Parameter duration: the seconds of the recording that are on the disk.
  init(duration: @escaping @Sendable () -> TimeInterval) { self.duration = duration }

  /// The events to send.
  /// - Parameter now: monotonic seconds.
  mutating func encode(_ event: SessionEvent, now: TimeInterval) -> [Event] {
    switch event {
    case .recording(let event): return encode(event, now)
    case .partial(let partial):
      let members: [(key: String, value: JSONValue)] =
        partial.map {
          [("start", .seconds($0.start)), ("text", .string($0.text))]
        } ?? [("text", .string(""))]
      return [.partial(ServerSentEvent.data("partial", .object(members)))]
    case .translated(_, let passage):
      return [.translated(ServerSentEvent.data("translated", JSONDocument.passage(passage)))]
    case .committed, .normalized, .wordless, .restarted, .speakersGuessed: return []
    case .translationFailed(let why):
      return notice(
        .error, "The text could not be translated: \(why). Try again with Translate into English.")
    case .progress(let seconds):
      transcribed = max(transcribed, seconds)
      // Levels report the progress. While the recording is paused, or has ended, the recorder reports none.
      return now - lastLevel >= 3 * Self.levelInterval ? level(-.infinity, now) : []
    case .failed(let range, let why):
      let (start, end) = (Int(range.lowerBound), Int(clamping: range.upperBound.rounded(.up)))
      return notice(
        .error,
        "The recognizer failed from second \(start) to \(end): \(why). 'longhand retranscribe' can try again."
      )
    case .storeFailed(let why):
      // Each attempt fails again.
      guard !isLibraryFailing else { return [] }
      isLibraryFailing = true
      return notice(
        .error,
        "\(why). The recording continues, and new text is kept in memory until the library works again.",
        about: "library")
    case .storeBack:
      isLibraryFailing = false
      return notice(.warning, "The library works again. All text has been saved.", about: "library")
    case .transcriptionFailed(let why):
      return notice(
        .error, "\(why). The recording continues without text. Run 'longhand recover' later to transcribe it."
      )
    }
  }

  private mutating func encode(_ event: RecordingEvent, _ now: TimeInterval) -> [Event] {
    switch event {
    case .level(let level):
      return now - lastLevel >= Self.levelInterval ? self.level(level, now) : []
    case .noiseFloor(let level) where level > -40:
      return notice(
        .warning,
        "The room is loud (\(Int(level)) dBFS), so words may be missed. Move the microphone closer to the speaker.",
        about: "noise")
    case .sourceLost(let name, let why):
      return notice(
        .error,
        "“\(name)” delivers no audio\(why.map { ": \($0)" } ?? ""). Longhand keeps trying, and marks the missing time as a gap.",
        about: "source \(name)")
    case .sourceRecovered(let name):
      return notice(.warning, "“\(name)” delivers audio again.", about: "source \(name)")
    case .diskFailed(let why, let seconds):
      guard !isDiskFailing else { return [] }
      isDiskFailing = true
      return notice(
        .error,
        "\(why). The next \(Int(clamping: seconds)) seconds are kept in memory. Free some disk space now.",
        about: "disk")
    case .diskRecovered:
      isDiskFailing = false
      return notice(.warning, "The disk works again. Nothing was lost.", about: "disk")
    case .lowDiskSpace(let seconds):
      return notice(
        .warning, "The disk has space for only \(Int(clamping: seconds / 60)) more minutes. Free some space.",
        about: "disk space")
    case .durable, .noiseFloor, .sourceEnded: return []
    }
  }

  private mutating func level(_ decibels: Double, _ now: TimeInterval) -> [Event] {
    lastLevel = now
    let value = JSONValue.object([
      ("dBFS", .decibels(decibels)), ("recorded", .seconds(duration())),
      ("transcribed", .seconds(transcribed)),
    ])
    return [.level(ServerSentEvent.data("level", value))]
  }

  private func notice(_ severity: Severity, _ text: String, about: String? = nil) -> [Event] {
    [.notice(Self.notice(severity, text, about: about))]
  }

  /// An encoded notice.
  /// - Parameter about: what it is about; a later notice about the same replaces it. Nil for a notice by itself.
  static func notice(_ severity: Severity, _ text: String, about: String? = nil) -> Data {
    ServerSentEvent.data(
      "notice",
      .object([
        ("kind", .string(severity.rawValue)), ("text", .string(text)),
        ("about", about.map(JSONValue.string) ?? .null),
      ]))
  }
}
