import Foundation

/// The description of a recording, in `manifest.json` beside the audio. It is written before the first sample.
public struct RecordingManifest: Sendable, Hashable, Codable {
  /// The state of a recording.
  public enum State: String, Sendable, Codable {
    /// It is being recorded, or its process was killed. `RecordingRecovery` finds out which.
    case recording
    /// Its process ended before the recording did, and the recording was recovered.
    case interrupted
    /// It ended normally.
    case complete
  }

  /// The newest version of the manifest's format; this version is written.
  public static let version = 1

  /// The version of the manifest's format.
  public var version = RecordingManifest.version
  /// The ID of the recording: a UUID in lower case.
  public var id: String
  /// The time at which the recording started, to the second.
  public var start: Date
  /// The name of the source, as shown to users.
  public var source: String
  /// The format of the samples.
  public var format: RecordingFormat
  /// The state of the recording.
  public var state = State.recording
  /// The length of the recording, in frames; nil while it is being recorded.
  public var frames: Int64?
  /// The gaps, in order.
  public var gaps: [RecordingGap] = []
  /// The length that an imported file states, in seconds; nil if it states none, or the same within half a second.
  public var statedDuration: TimeInterval?
  /// What readers should know about the audio; nil if there is nothing.
  public var warnings: [TranscriptWarning]?

  /// Creates the manifest of a new recording.
  public init(
    id: String = UUID().uuidString.lowercased(), start: Date = Date(), source: String,
    format: RecordingFormat, statedDuration: TimeInterval? = nil, warnings: [TranscriptWarning] = []
  ) {
    self.id = id
    self.start = Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down))
    self.source = source
    self.format = format
    self.statedDuration = statedDuration
    self.warnings = warnings.isEmpty ? nil : warnings
  }

  /// Reads a manifest.
  /// - Throws: `RecordingError.manifest` if `data` is not a manifest, or has a newer version.
  init(_ data: Data) throws(RecordingError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do {
      self = try decoder.decode(Self.self, from: data)
    } catch {
      throw .manifest("it is not the manifest of a recording")
    }
    guard version <= Self.version else {
      throw .manifest("it has version \(version), but \(Self.version) is the newest known; update Longhand")
    }
    guard format.isSupported else {
      throw .manifest("\(format.channels) channels at \(format.sampleRate) Hz are not supported")
    }
  }

  /// Reads the manifest of a recording.
  /// - Throws: `RecordingError`.
  init(of folder: RecordingFolder) throws { try self.init(try SystemDisk().read(folder.manifest)) }

  /// The file's content.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self)
  }
}

/// The folder of one recording, and the files in it.
public struct RecordingFolder: Sendable, Hashable {
  /// The folder.
  public let url: URL

  /// Creates a value for a folder, which does not have to exist.
  public init(_ url: URL) { self.url = url }

  /// The audio: a WAVE file that can be played at any time, also during the recording.
  public var audio: URL { url.appendingPathComponent("audio.wav") }
  /// The description of the recording: `RecordingManifest`.
  public var manifest: URL { url.appendingPathComponent("manifest.json") }

  /// Replaces the warnings with a code in the manifest of a recording that has ended.
  /// - Throws: `RecordingError`.
  func replace(_ code: TranscriptWarning.Code, by warnings: [TranscriptWarning]) throws {
    var changed = try RecordingManifest(of: self)
    let all = (changed.warnings ?? []).filter { $0.code != code } + warnings
    guard all != changed.warnings ?? [] else { return }
    changed.warnings = all.isEmpty ? nil : all
    try SystemDisk().replace(manifest, with: changed.data())
  }
}
