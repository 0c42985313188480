import Foundation

/// What a recording is, beside its sound: `manifest.json`, written before the first sample.
public struct RecordingManifest: Sendable, Hashable, Codable {
  /// What became of a recording.
  public enum State: String, Sendable, Codable {
    /// It is being made, or its program was killed: `RecordingRecovery` tells which.
    case recording
    /// It ended without its program's doing, and was taken up again.
    case interrupted
    /// It was ended by its user.
    case complete
  }

  /// The version of this format that is written.
  public static let version = 1

  /// The version of this format.
  public var version = RecordingManifest.version
  /// What the recording is called everywhere: a UUID in lower case.
  public var id: String
  /// When its first sample was waited for, to the second.
  public var start: Date
  /// Where the sound came from, as people call it.
  public var source: String
  /// How the samples are laid out.
  public var format: RecordingFormat
  /// What became of it.
  public var state = State.recording
  /// How long it is, in frames; nil as long as it is being made.
  public var frames: Int64?
  /// What could not be captured, in order.
  public var gaps: [RecordingGap] = []

  /// A recording that begins.
  public init(
    id: String = UUID().uuidString.lowercased(), start: Date = Date(), source: String,
    format: RecordingFormat
  ) {
    self.id = id
    self.start = Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down))
    self.source = source
    self.format = format
  }

  /// Reads a manifest.
  /// - Throws: `RecordingError.manifest` if `data` is none, or one of a later version.
  init(_ data: Data) throws(RecordingError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do {
      self = try decoder.decode(Self.self, from: data)
    } catch {
      throw .manifest("it is no manifest of a recording")
    }
    guard version <= Self.version else {
      throw .manifest("a later version of Longhand wrote it (\(version), this one knows \(Self.version))")
    }
    guard (1000...768_000).contains(format.sampleRate), (1...64).contains(format.channels) else {
      throw .manifest("\(format.channels) channels at \(format.sampleRate) Hz cannot be")
    }
  }

  /// The file's content.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self)
  }
}

/// The folder of one recording, and what lies in it.
public struct RecordingFolder: Sendable, Hashable {
  /// The folder.
  public let url: URL

  /// A folder that is there or is to be made.
  public init(_ url: URL) { self.url = url }

  /// The sound: a WAVE file that can be played at any moment of the recording.
  public var audio: URL { url.appendingPathComponent("audio.wav") }
  /// What the recording is: `RecordingManifest`.
  public var manifest: URL { url.appendingPathComponent("manifest.json") }
}
