import Foundation

/// A recording whose transcript is in the store.
public struct RecordedSession: Sendable, Hashable, Codable, Identifiable {
  /// How far it has come.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is being recorded or transcribed.
    case recording
    /// It ended without being finished, and may be taken up again.
    case interrupted
    /// All of it was transcribed.
    case complete
    /// Its text is gone, but its erasure did not come to its end and is to be run again.
    case erasing
  }

  /// A UUID in lower case.
  public let id: String
  /// The recording's name, as a reader knows it (usually its file name).
  public var source: String
  /// The language that was listened for, such as `en-US` (BCP 47).
  public var locale: String
  /// The engine that writes it, such as `analyzer`.
  public var engine: String
  /// When the recording began.
  public var start: Date
  /// The length of the recording in seconds.
  public var duration: TimeInterval
  /// How far it has come.
  public var state: State
  /// The vocabulary that it is made with, if there is one.
  public var vocabulary: VocabularyStamp?
  /// The path of the folder that holds its audio, if it has one.
  public var folder: String?

  /// Each field by its name.
  public init(
    id: UUID = UUID(), source: String, locale: String, engine: String, start: Date,
    duration: TimeInterval = 0, state: State = .recording, vocabulary: VocabularyStamp? = nil,
    folder: String? = nil
  ) {
    self.id = id.uuidString.lowercased()
    self.source = source
    self.locale = locale
    self.engine = engine
    self.start = start
    self.duration = duration
    self.state = state
    self.vocabulary = vocabulary
    self.folder = folder
  }
}
