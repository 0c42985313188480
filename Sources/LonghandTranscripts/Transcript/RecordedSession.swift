import Foundation

/// A recording whose transcript is in the store.
public struct RecordedSession: Sendable, Hashable, Codable, Identifiable {
  /// The progress of a session. The store cannot know that a process was killed; `Library.activity(of:)` does.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// A file is being copied into the library.
    case importing
    /// It is being recorded.
    case recording
    /// Its audio is in the library, and is being transcribed.
    case transcribing
    /// It waits for its turn in a server that runs. The store does not have this state.
    case queued
    /// The process ended before the work did. `recover` continues it.
    case interrupted
    /// A person stopped the work. What was transcribed is kept, and `recover(session:)` continues it.
    case stopped
    /// The transcription ended with an error. `recover` tries again.
    case failed
    /// All audio in the library was transcribed, but a part of the imported file is missing.
    case incomplete
    /// All of it was transcribed.
    case complete
    /// Its text was removed, and the erasure did not finish. `recover` finishes it.
    case erasing

    /// Whether nothing is left to do.
    public var isFinal: Bool { self == .complete || self == .incomplete }
  }

  /// A UUID in lower case.
  public let id: String
  /// The name of the recording for a reader, usually its file name.
  public var source: String
  /// The language of the recognizer, such as `en-US` (BCP 47).
  public var locale: String
  /// The engine that transcribes it, such as `analyzer`.
  public var engine: String
  /// The model of the recognizer; nil if it is not known.
  public var model: ModelStamp?
  /// The installed model that wrote punctuation and capitals; nil if rules did, or the recognizer itself.
  public var punctuation: ModelStamp?
  /// The date at which the recording started.
  public var start: Date
  /// The length of the recording in seconds.
  public var duration: TimeInterval
  /// The progress of the session.
  public var state: State
  /// The vocabulary in use; nil if there is none.
  public var vocabulary: VocabularyStamp?
  /// The path of the folder with its audio; nil if it has none.
  public var folder: String?
  /// The name that a person gave the session; nil if it has none. `TranscriptStore.rename(_:to:)` changes it.
  public package(set) var name: String?
  /// What a person wrote about the session; nil if there is nothing. `TranscriptStore.annotate(_:_:)` changes it.
  public package(set) var note: String?
  /// The tags that a person gave the session, in order. `TranscriptStore.annotate(_:_:)` changes them.
  public package(set) var tags: [String]?
  /// Why the transcription failed, for a reader; nil unless the state is `failed`.
  public package(set) var failure: String?

  /// Creates a session, by default a new one.
  public init(
    id: UUID = UUID(), source: String, locale: String, engine: String, model: ModelStamp? = nil, start: Date,
    duration: TimeInterval = 0, state: State = .recording, vocabulary: VocabularyStamp? = nil,
    folder: String? = nil
  ) {
    self.id = id.uuidString.lowercased()
    self.source = source
    self.locale = locale
    self.engine = engine
    self.model = model
    self.start = start
    self.duration = duration
    self.state = state
    self.vocabulary = vocabulary
    self.folder = folder
  }
}
