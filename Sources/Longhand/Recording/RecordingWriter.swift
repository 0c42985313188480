import Foundation

/// Writes a recording so that it can end at any moment: the manifest lies there before the first sample, the file's head
/// is true after every `flush`, and what the disk does not take is kept until it does.
///
/// Not for more than one thread, and not for the one that captures: all of it waits for the disk.
public final class RecordingWriter {
  /// What is still to be written, in order.
  private enum Part {
    case samples(Data)
    case gap(Int64, RecordingGap.Reason)

    /// What a gap is; nil if it is none.
    var gap: (frames: Int64, reason: RecordingGap.Reason)? {
      if case .gap(let frames, let reason) = self { (frames, reason) } else { nil }
    }

    /// Bytes of memory that it takes.
    var bytes: Int { if case .samples(let samples) = self { samples.count } else { 0 } }
  }

  /// Seconds of sound that memory holds while the disk takes nothing; older sound is lost then, and is a gap.
  public static let mostWaiting = 120.0

  /// Where the recording lies.
  public let folder: RecordingFolder
  /// What the recording is. Its gaps may reach beyond what is in the file.
  public private(set) var manifest: RecordingManifest
  /// Frames that are in the file and would outlive a loss of power, gaps too.
  public private(set) var frames: Int64 = 0

  private let disk: any RecordingDisk
  private let file: any RecordingFile
  private var waiting: [Part] = []
  /// Bytes of sound that wait for the disk.
  private(set) var waitingBytes = 0
  /// Those of the gaps that are in the file.
  private var gaps: [RecordingGap] = []

  /// Makes the folder, the manifest and a sound file without sound.
  /// - Parameter folder: must not be there yet.
  /// - Throws: `RecordingError`.
  public init(
    _ folder: RecordingFolder, _ manifest: RecordingManifest, disk: any RecordingDisk = SystemDisk()
  ) throws {
    self.folder = folder
    self.manifest = manifest
    self.disk = disk
    try disk.makeFolder(folder.url)
    try disk.replace(folder.manifest, with: manifest.data())
    file = try disk.open(folder.audio, isNew: true)
    try file.write(manifest.format.header(frames: 0), at: 0)
    try file.synchronize()
  }

  deinit { file.close() }

  /// Seconds of sound that wait for the disk.
  public var waitingSeconds: TimeInterval {
    manifest.format.seconds(manifest.format.frames(inBytes: waitingBytes))
  }

  /// Takes more sound: whole frames, the little end of each sample first. Nothing is written before `flush`.
  public func append(_ samples: Data) {
    precondition(samples.count % manifest.format.frameBytes == 0, "a part of a frame")
    guard !samples.isEmpty else { return }
    waiting.append(.samples(samples))
    waitingBytes += samples.count
    forgetOldest()
  }

  /// Notes that nothing could be captured for so many frames, after what was appended.
  public func skip(_ frames: Int64, _ reason: RecordingGap.Reason) { waiting.append(.gap(frames, reason)) }

  /// Writes what waits and makes it durable.
  /// - Throws: `RecordingError`; what the disk did not take waits on, and `flush` may be called again.
  public func flush() throws {
    var problem: (any Error)?
    var most = waiting.count
    do {
      try announceGaps()
    } catch {
      // Silence that nobody accounts for must not get into the file.
      problem = error
      most = waiting.firstIndex { $0.gap != nil } ?? most
    }
    var written = frames
    var parts = 0
    do {
      for part in waiting.prefix(most) {
        written += try write(part, at: written)
        parts += 1
      }
    } catch {
      problem = error
    }
    if parts > 0 {
      try file.write(manifest.format.header(frames: written), at: 0)
      // A system that could not make something durable may say the next time that it is: until this has returned, all
      // of it waits, to be written again.
      try file.synchronize()
      gaps = gaps(after: parts)
      waitingBytes -= waiting.prefix(parts).reduce(0) { $0 + $1.bytes }
      waiting.removeFirst(parts)
      frames = written
    }
    if let problem { throw problem }
  }

  /// Ends the recording: writes what waits, and says in the manifest that it is complete.
  /// - Throws: `RecordingError`; as `flush`.
  public func finish() throws {
    try flush()
    var ended = manifest
    ended.state = .complete
    ended.frames = frames
    try replaceManifest(by: ended)
  }

  private func replaceManifest(by new: RecordingManifest) throws {
    try disk.replace(folder.manifest, with: new.data())
    manifest = new
  }

  /// Writes the gaps into the manifest before they are in the file: a file that ends before them has none of them, but
  /// silence in it always has its reason.
  private func announceGaps() throws {
    let all = gaps(after: waiting.count)
    guard all != manifest.gaps else { return }
    var announced = manifest
    announced.gaps = all
    try replaceManifest(by: announced)
  }

  /// The gaps that are in the file, and those of the next parts. One that follows another of the same kind at once is one
  /// with it.
  private func gaps(after parts: Int) -> [RecordingGap] {
    var all = gaps
    var start = frames
    for part in waiting.prefix(parts) {
      if let (length, reason) = part.gap {
        if let last = all.last, last.reason == reason, last.start + last.frames == start, length > 0 {
          all[all.count - 1].frames += length
        } else {
          all.append(RecordingGap(start: start, frames: length, reason: reason))
        }
        start += length
      } else {
        start += manifest.format.frames(inBytes: part.bytes)
      }
    }
    return all
  }

  /// - Returns: how many frames there are of it.
  private func write(_ part: Part, at start: Int64) throws -> Int64 {
    switch part {
    case .samples(let samples):
      try file.write(samples, at: manifest.format.place(of: start))
      return manifest.format.frames(inBytes: samples.count)
    case .gap(let length, _):
      try file.extend(to: manifest.format.place(of: start + length))
      return length
    }
  }

  /// Turns the oldest sound into a gap when there is more than memory may hold.
  private func forgetOldest() {
    let most = Int(Self.mostWaiting * Double(manifest.format.sampleRate)) * manifest.format.frameBytes
    while waitingBytes > most,
      let index = waiting.firstIndex(where: { $0.bytes > 0 })
    {
      let bytes = waiting[index].bytes
      waiting[index] = .gap(manifest.format.frames(inBytes: bytes), .disk)
      waitingBytes -= bytes
    }
  }
}
