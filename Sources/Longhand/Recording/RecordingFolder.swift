import Foundation

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
