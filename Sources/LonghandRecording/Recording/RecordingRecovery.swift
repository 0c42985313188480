import Foundation
import LonghandTranscripts

/// Repairs recordings whose process ended before the recording did. It never deletes anything. A second repair changes
/// nothing.
package struct RecordingRecovery: Sendable {
  /// The result for one recording.
  package enum Outcome: Sendable, Hashable {
    /// The recording had ended, and was not changed.
    case untouched(RecordingManifest)
    /// The header was repaired, and the manifest has the length now.
    case recovered(RecordingManifest)

    /// The manifest of the recording now.
    package var manifest: RecordingManifest {
      switch self {
      case .untouched(let manifest), .recovered(let manifest): manifest
      }
    }
  }

  private let disk: any RecordingDisk

  /// Creates a recovery.
  /// - Parameter disk: the disk of the recordings; tests pass a faulty one.
  package init(disk: any RecordingDisk = SystemDisk()) { self.disk = disk }

  /// Repairs one recording, if it did not end normally.
  ///
  /// An import that did not end becomes `incomplete`: the part that is missing, as far as the file stated its duration, is
  /// a gap.
  /// - Throws: `RecordingError`; `inUse` while it is being recorded.
  package func recover(_ folder: RecordingFolder) throws -> Outcome {
    let manifest = try RecordingManifest(try disk.read(folder.manifest))
    guard manifest.isOpen else { return .untouched(manifest) }
    let file = try hold(folder)
    defer { file.close() }
    return try recover(folder, with: file)
  }

  /// Repairs a recording whose audio file is open.
  package func recover(_ folder: RecordingFolder, with file: any RecordingFile) throws -> Outcome {
    var manifest = try RecordingManifest(try disk.read(folder.manifest))
    guard manifest.isOpen else { return .untouched(manifest) }
    let length = try file.length()
    // An incomplete last frame does not count; its bytes stay after the end of the audio.
    let frames = manifest.format.frames(
      inBytes: max(length, UInt64(WaveHeader.length)) - UInt64(WaveHeader.length))
    try file.write(manifest.format.header(frames: frames), at: 0)
    try file.synchronize()
    manifest.gaps = manifest.gaps.filter { $0.start <= frames }.map {
      RecordingGap(
        start: $0.start, frames: min($0.frames, frames - $0.start), reason: $0.reason, channel: $0.channel)
    }
    manifest.frames = frames
    if let origin = manifest.origin {
      manifest.state = .incomplete
      let stated = Int64(
        clamping: (min(origin.duration, .longestAudio) * Double(manifest.format.sampleRate)).rounded())
      manifest.gaps.append(
        RecordingGap(start: frames, frames: max(0, stated - frames), reason: .source))
    } else {
      manifest.state = .interrupted
    }
    // The manifest is written last: until then, a recovery repeats all of this.
    try disk.replace(folder.manifest, with: try manifest.data())
    disk.protectEnded(folder)
    return .recovered(manifest)
  }

  /// Opens the audio file, which keeps other processes from working on the recording. It is created if the process was
  /// killed right after it wrote the manifest.
  /// - Throws: `RecordingError`; `inUse` if another process works on the recording.
  package func hold(_ folder: RecordingFolder) throws -> any RecordingFile {
    do {
      return try disk.open(folder.audio, isNew: false)
    } catch RecordingError.system(_, _, ENOENT) {
      return try disk.open(folder.audio, isNew: true)
    }
  }
}
