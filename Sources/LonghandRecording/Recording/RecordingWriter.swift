import Foundation

/// Writes a recording so that a crash at any moment leaves a readable recording: the manifest is written before the first
/// sample, and the file's header is correct after every `flush`. What cannot be written is kept in memory and written
/// later.
///
/// Use it from one thread at a time, and not from the thread that captures, because every call may wait for the disk.
package final class RecordingWriter {
  /// A part of the recording that is not written yet.
  private enum Part {
    case samples(Data)
    case gap(Int64, RecordingGap.Reason)
    /// What is missing on one channel of the samples before; its start is an offset from here, not greater than 0.
    case channelGap(RecordingGap)

    /// The gap; nil for samples.
    var gap: (frames: Int64, reason: RecordingGap.Reason)? {
      if case .gap(let frames, let reason) = self { (frames, reason) } else { nil }
    }

    /// The bytes of the samples; 0 for a gap.
    var bytes: Int { if case .samples(let samples) = self { samples.count } else { 0 } }
  }

  /// Seconds of audio that may wait in memory for the disk. Beyond that, the oldest audio is lost and becomes a gap.
  package static let maxWaiting = 120.0

  /// The folder of the recording.
  package let folder: RecordingFolder
  /// The manifest of the recording so far. Its gaps may reach beyond the end of the file.
  package private(set) var manifest: RecordingManifest
  /// The durable frames, including gaps: they are in the file and survive a power failure.
  package private(set) var frames: Int64 = 0

  private let disk: any RecordingDisk
  private let file: any RecordingFile
  private var waiting: [Part] = []
  /// Bytes of audio that wait for the disk.
  private(set) var waitingBytes = 0
  /// The gaps that are in the file.
  private var gaps: [RecordingGap] = []

  /// Creates the folder, the manifest and an empty audio file.
  /// - Parameters:
  ///   - folder: must not exist yet.
  ///   - manifest: the manifest of a recording that starts.
  ///   - disk: the disk for the recording; tests pass a faulty one.
  /// - Throws: `RecordingError`.
  package init(
    _ folder: RecordingFolder, _ manifest: RecordingManifest, disk: any RecordingDisk = SystemDisk()
  ) throws {
    self.folder = folder
    self.manifest = manifest
    self.disk = disk
    try disk.makeFolder(folder.url)
    disk.protect(folder.url, .completeUnlessOpen)
    try disk.replace(folder.manifest, with: manifest.data())
    file = try disk.open(folder.audio, isNew: true)
    try file.write(manifest.format.header(frames: 0), at: 0)
    try file.synchronize()
  }

  /// Writes a recording again from its start. Until `finish`, the file keeps what it has beyond the new end.
  /// - Parameters:
  ///   - file: the audio file, from `RecordingRecovery.hold`. The writer closes it.
  ///   - manifest: the manifest of the recording, without gaps.
  /// - Throws: `RecordingError`.
  package init(
    over folder: RecordingFolder, _ manifest: RecordingManifest, file: any RecordingFile,
    disk: any RecordingDisk = SystemDisk()
  ) throws {
    self.folder = folder
    self.manifest = manifest
    self.disk = disk
    self.file = file
    try disk.replace(folder.manifest, with: manifest.data())
  }

  deinit { close() }

  /// Closes the file, so that another process can work on the recording.
  package func close() { file.close() }

  /// Seconds of audio that wait for the disk.
  package var waitingSeconds: TimeInterval {
    manifest.format.seconds(manifest.format.frames(inBytes: waitingBytes))
  }

  /// Appends samples, in memory only; `flush` writes them.
  /// - Parameter samples: whole frames of 16-bit samples, little-endian.
  package func append(_ samples: Data) {
    precondition(samples.count % manifest.format.frameBytes == 0, "samples must be whole frames")
    guard !samples.isEmpty else { return }
    waiting.append(.samples(samples))
    waitingBytes += samples.count
    forgetOldest()
  }

  /// Appends a gap of a number of frames, in memory only; `flush` writes it.
  package func skip(_ frames: Int64, _ reason: RecordingGap.Reason) { waiting.append(.gap(frames, reason)) }

  /// Notes that a part of the last samples is missing on one channel, in memory only; `flush` writes it.
  /// - Parameters:
  ///   - channel: the channel, from 0.
  ///   - offset: the first missing frame, counted from the end of what was appended; not greater than 0.
  ///   - frames: the number of missing frames.
  ///   - reason: why they are missing.
  package func skip(channel: Int, at offset: Int64, _ frames: Int64, _ reason: RecordingGap.Reason) {
    waiting.append(.channelGap(RecordingGap(start: offset, frames: frames, reason: reason, channel: channel)))
  }

  /// Writes everything that waits and makes it durable.
  /// - Parameter synchronizes: whether it survives a power failure after this. If not, it survives only the end of the
  ///   process, continues to wait, and is written again with the next `flush`.
  /// - Throws: `RecordingError`. What could not be written continues to wait; call `flush` again.
  package func flush(synchronizes: Bool = true) throws {
    var problem: (any Error)?
    var maxParts = waiting.count
    do {
      try announceGaps()
    } catch {
      // Silence without a reason in the manifest must not get into the file.
      problem = error
      maxParts = waiting.firstIndex { $0.gap != nil } ?? maxParts
    }
    var written = frames
    var parts = 0
    do {
      for part in waiting.prefix(maxParts) {
        written += try write(part, at: written)
        parts += 1
      }
    } catch {
      problem = error
    }
    if parts > 0 {
      try file.write(manifest.format.header(frames: written), at: 0)
      guard synchronizes else {
        if let problem { throw problem }
        return
      }
      // After a failed synchronization, the next one may succeed without the lost data. Until this returns, all parts
      // wait and are written again.
      try file.synchronize()
      gaps = gaps(after: parts)
      waitingBytes -= waiting.prefix(parts).reduce(0) { $0 + $1.bytes }
      waiting.removeFirst(parts)
      frames = written
    }
    if let problem { throw problem }
  }

  /// Ends the recording: writes everything that waits, and sets the manifest's state to `complete`.
  /// - Throws: `RecordingError`, as `flush` does.
  package func finish() throws {
    try flush()
    var ended = manifest
    ended.state = .complete
    ended.frames = frames
    try replaceManifest(by: ended)
    disk.protectEnded(folder)
  }

  /// Ends a recording whose end cannot be written: what is not on the disk becomes a gap at the end.
  ///
  /// - Throws: `RecordingError` if the manifest cannot be written. The gap is then not recorded.
  func abandon() throws {
    let header = UInt64(WaveHeader.length)
    let written = max(
      frames, manifest.format.frames(inBytes: max(header, try file.length()) - header))
    var start = frames
    var ended = manifest
    ended.gaps = gaps
    for part in waiting {
      switch part {
      case .gap(let length, let reason):
        ended.gaps.append(RecordingGap(start: start, frames: length, reason: reason))
        start += length
      case .channelGap(let gap): ended.gaps.append(gap.moved(by: start))
      case .samples(let samples):
        let end = start + manifest.format.frames(inBytes: samples.count)
        let kept = min(end, max(start, written))
        // Overwriting takes no room. A failed synchronization may have lost what was written before.
        try file.write(
          samples.prefix(Int(kept - start) * manifest.format.frameBytes),
          at: manifest.format.offset(of: start))
        if end > kept { ended.gaps.append(RecordingGap(start: kept, frames: end - kept, reason: .disk)) }
        start = end
      }
    }
    try file.write(manifest.format.header(frames: written), at: 0)
    try file.synchronize()
    ended.gaps = ended.gaps.joined()
    ended.state = .interrupted
    ended.frames = written
    do {
      try replaceManifest(by: ended)
    } catch let error as RecordingError where error.isFullDisk {
      try overwriteManifest(by: ended)
    }
    disk.protectEnded(folder)
  }

  /// Writes the manifest where the old one is, which takes no room.
  private func overwriteManifest(by new: RecordingManifest) throws {
    let old = try disk.read(folder.manifest)
    let data = try new.data()
    let room = old.count - data.count
    guard room >= 0 else {
      throw RecordingError.system(action: "write", path: folder.manifest.path, number: ENOSPC)
    }
    let file = try disk.open(folder.manifest, isNew: false)
    defer { file.close() }
    try file.write(data + Data(repeating: RecordingManifest.padding, count: room), at: 0)
    try file.synchronize()
    manifest = new
  }

  private func replaceManifest(by new: RecordingManifest) throws {
    try disk.replace(folder.manifest, with: new.data())
    manifest = new
  }

  /// Writes the gaps into the manifest before the file gets them, so that silence in the file always has its reason.
  /// Gaps after the end of the file do no harm.
  private func announceGaps() throws {
    let all = gaps(after: waiting.count)
    guard all != manifest.gaps else { return }
    var announced = manifest
    announced.gaps = all
    try replaceManifest(by: announced)
  }

  /// The gaps in the file and those of the next parts. Adjacent gaps with the same reason are joined.
  private func gaps(after parts: Int) -> [RecordingGap] {
    var all = gaps
    var start = frames
    for part in waiting.prefix(parts) {
      if let (length, reason) = part.gap {
        all.append(RecordingGap(start: start, frames: length, reason: reason))
        start += length
      } else if case .channelGap(let gap) = part {
        all.append(gap.moved(by: start))
      } else {
        start += manifest.format.frames(inBytes: part.bytes)
      }
    }
    return all.joined()
  }

  /// - Returns: the number of frames of the part.
  private func write(_ part: Part, at start: Int64) throws -> Int64 {
    switch part {
    case .samples(let samples):
      try file.write(samples, at: manifest.format.offset(of: start))
      return manifest.format.frames(inBytes: samples.count)
    case .gap(let length, _):
      try file.extend(to: manifest.format.offset(of: start + length))
      return length
    case .channelGap: return 0
    }
  }

  /// Turns the oldest audio into a gap while more waits than is allowed.
  private func forgetOldest() {
    let maxBytes = manifest.format.bytes(Self.maxWaiting)
    while waitingBytes > maxBytes,
      let index = waiting.firstIndex(where: { $0.bytes > 0 })
    {
      let bytes = waiting[index].bytes
      waiting[index] = .gap(manifest.format.frames(inBytes: bytes), .disk)
      waitingBytes -= bytes
    }
  }
}

extension RecordingGap {
  /// The gap, a number of frames later. It does not begin before the recording.
  fileprivate func moved(by frames: Int64) -> RecordingGap {
    var moved = self
    moved.start = max(0, start + frames)
    moved.frames = max(0, min(self.frames, start + frames + self.frames))
    return moved
  }
}

extension RecordingWriter {
  /// Appends a chunk of an imported file, with gaps where the file is damaged.
  /// - Parameter gaps: in order, counted in frames of the file.
  package func append(_ chunk: AudioChunk, without gaps: [RecordingGap]) {
    let samples = chunk.buffer.samples
    let bytes = manifest.format.frameBytes
    var position = chunk.start
    func append(until end: Int64) {
      let (start, end) = (Int(position - chunk.start) * bytes, Int(end - chunk.start) * bytes)
      if end > start { self.append(Data(samples[start..<end])) }
    }
    for gap in gaps where gap.start < chunk.end && gap.start + gap.frames > position {
      append(until: max(position, gap.start))
      let end = min(chunk.end, gap.start + gap.frames)
      skip(end - max(position, gap.start), gap.reason)
      position = end
    }
    append(until: chunk.end)
  }
}
