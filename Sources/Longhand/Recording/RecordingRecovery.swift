import Foundation

/// Takes up recordings whose program ended before they did. Nothing is ever deleted, and a second time changes nothing.
public struct RecordingRecovery: Sendable {
  /// What was to be done with a recording.
  public enum Outcome: Sendable, Hashable {
    /// Nothing: it had ended.
    case untouched(RecordingManifest)
    /// It had not: its head was mended, and its manifest says how long it is.
    case recovered(RecordingManifest)

    /// What the recording is now.
    public var manifest: RecordingManifest {
      switch self {
      case .untouched(let manifest), .recovered(let manifest): manifest
      }
    }
  }

  private let disk: any RecordingDisk

  /// - Parameter disk: where the recordings are kept.
  public init(disk: any RecordingDisk = SystemDisk()) { self.disk = disk }

  /// Takes up one recording.
  /// - Throws: `RecordingError`; `inUse` if it is being made at the moment.
  public func recover(_ folder: RecordingFolder) throws -> Outcome {
    var manifest = try RecordingManifest(try disk.read(folder.manifest))
    guard manifest.state == .recording else { return .untouched(manifest) }
    let file = try audio(folder)
    defer { file.close() }
    let length = try file.length()
    // A frame of which only a part was written is not there; its bytes stay behind the end of the sound.
    let frames = manifest.format.frames(
      inBytes: max(length, UInt64(WaveHeader.length)) - UInt64(WaveHeader.length))
    try file.write(manifest.format.header(frames: frames), at: 0)
    try file.synchronize()
    manifest.gaps = manifest.gaps.filter { $0.start <= frames }.map {
      RecordingGap(start: $0.start, frames: min($0.frames, frames - $0.start), reason: $0.reason)
    }
    manifest.frames = frames
    manifest.state = .interrupted
    // The manifest last: as long as it says otherwise, all of this is done again.
    try disk.replace(folder.manifest, with: try manifest.data())
    return .recovered(manifest)
  }

  /// The sound file; a program that was killed right after it wrote the manifest has made none.
  private func audio(_ folder: RecordingFolder) throws -> any RecordingFile {
    do {
      return try disk.open(folder.audio, isNew: false)
    } catch RecordingError.system(_, _, ENOENT) {
      return try disk.open(folder.audio, isNew: true)
    }
  }
}
