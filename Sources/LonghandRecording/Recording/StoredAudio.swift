import Foundation
import LonghandTranscripts

/// The audio of a recording on the disk, as a WAVE file. It has the frames that were complete when this value was created,
/// also while the recording continues in this process or another one.
package final class StoredAudio: Sendable {
  /// The format of the samples.
  package let format: RecordingFormat
  /// Frames that can be read.
  package let frames: Int64
  private let descriptor: Int32
  private let file: URL

  /// Opens the audio of a recording.
  /// - Parameters:
  ///   - folder: the folder of the recording.
  ///   - limit: the largest duration in seconds, from the start; nil for everything.
  /// - Throws: `RecordingError`.
  package init(of folder: RecordingFolder, limit: TimeInterval? = nil) throws {
    let manifest = try RecordingManifest(of: folder)
    format = manifest.format
    file = folder.audio
    descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemDisk.error("open", file) }
    var header = [UInt8](repeating: 0, count: WaveHeader.length)
    let count = pread(descriptor, &header, header.count, 0)
    // The writer updates the header after the samples.
    let claimed = WaveHeader.dataBytes(in: header.prefix(max(0, count))) ?? 0
    let end = max(0, Int64(lseek(descriptor, 0, SEEK_END)) - Int64(WaveHeader.length))
    let whole = format.frames(inBytes: min(Int64(clamping: claimed), end))
    let maxFrames = limit.map { Int64((max(0, min($0, 1e9)) * Double(manifest.format.sampleRate)).rounded()) }
    frames = min(manifest.frames ?? whole, whole, maxFrames ?? .max)
  }

  deinit { close(descriptor) }

  /// Seconds that can be read.
  package var duration: TimeInterval { format.seconds(frames) }
  /// The length of the WAVE file in bytes.
  package var length: UInt64 { format.offset(of: frames) }

  /// Reads bytes of the WAVE file.
  /// - Parameters:
  ///   - offset: the offset of the first byte.
  ///   - count: the number of bytes; the result has fewer at the end of the file.
  /// - Throws: `RecordingError`.
  package func bytes(at offset: UInt64, count: Int) throws -> Data {
    let end = min(length, offset + UInt64(max(0, count)))
    guard offset < end else { return Data() }
    let headerLength = UInt64(WaveHeader.length)
    var bytes = Data()
    if offset < headerLength {
      bytes = format.header(frames: frames)[Int(offset)..<Int(min(end, headerLength))]
    }
    let start = max(offset, headerLength)
    if end > start { bytes += try read(at: start, count: Int(end - start)) }
    return Data(bytes)
  }

  /// The peaks of a range, for a drawing of the waveform: the range is divided into equal parts, and each part has its
  /// largest absolute sample, from 0 to 1.
  ///
  /// A part of more than 8,192 frames is sampled in 16 blocks at equal distances, so that for hours of audio only a few
  /// megabytes are read.
  /// - Parameters:
  ///   - start: the start of the range, in seconds.
  ///   - end: the end of the range, in seconds.
  ///   - points: the number of parts.
  /// - Throws: `RecordingError`.
  package func peaks(from start: TimeInterval, to end: TimeInterval, points: Int) throws -> [Double] {
    let rate = Double(format.sampleRate)
    return try (0..<points).map { point in
      let first = Int64(clamping: (start + (end - start) * Double(point) / Double(points)) * rate)
      let next = Int64(clamping: (start + (end - start) * Double(point + 1) / Double(points)) * rate)
      return try peak(of: min(max(0, first), frames)..<min(max(first + 1, next, 0), frames))
    }
  }

  private func peak(of range: Range<Int64>) throws -> Double {
    let (block, blocks) = (Int64(512), Int64(16))
    guard range.count > block * blocks else { return try Self.peak(read(range)) }
    return try (0..<blocks).map { index in
      let start = range.lowerBound + (Int64(range.count) - block) * index / (blocks - 1)
      return try Self.peak(read(start..<start + block))
    }.max() ?? 0
  }

  private static func peak(_ samples: Data) -> Double {
    Double(RecordingFormat.peak(samples))
  }

  private func read(_ frames: Range<Int64>) throws -> Data {
    try read(at: format.offset(of: frames.lowerBound), count: frames.count * format.frameBytes)
  }

  private func read(at offset: UInt64, count: Int) throws -> Data {
    var data = Data(count: count)
    var done = 0
    while done < count {
      let part = data.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
      }
      if part > 0 {
        done += part
      } else if part == 0 || errno != EINTR {
        if part == 0 { errno = EIO }
        throw SystemDisk.error("read", file)
      }
    }
    return data
  }
}
