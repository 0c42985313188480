import Foundation

@testable import LonghandRecording

/// Recordings with the sample `Int16(truncatingIfNeeded: N &* 31)` at position N: every lost, moved or changed sample is
/// found.
enum NumberedRecording {
  static let format = RecordingFormat(sampleRate: 16_000, channels: 1)

  static func samples(_ places: Range<Int>) -> Data {
    places.map { Int16(truncatingIfNeeded: $0 &* 31) }.withUnsafeBytes { Data($0) }
  }

  static func manifest() -> RecordingManifest { RecordingManifest(source: "numbers", format: format) }

  /// A problem of a recording: in its header, its length, a sample or a gap. Nil if it has none.
  /// - Parameter leastFrames: the smallest allowed number of frames.
  static func problem(_ folder: RecordingFolder, leastFrames: Int64) throws -> String? {
    let manifest = try RecordingManifest(try Data(contentsOf: folder.manifest))
    let file = try Data(contentsOf: folder.audio)
    guard let frames = manifest.frames, frames >= leastFrames else {
      return "\(manifest.frames ?? -1) frames, not \(leastFrames)"
    }
    let sound = WaveHeader(
      sampleRate: format.sampleRate, channels: format.channels, dataBytes: UInt64(frames) * 2
    ).bytes
    guard file.count >= sound.count + Int(frames) * 2 else {
      return "the file is shorter than its manifest says"
    }
    guard file.prefix(sound.count).elementsEqual(sound) else {
      return "the head is not that of \(frames) frames"
    }
    let gaps = manifest.gaps.map { Int($0.start)..<Int($0.start + $0.frames) }
    return file.dropFirst(sound.count).withUnsafeBytes { bytes in
      let samples = bytes.bindMemory(to: Int16.self)
      for place in 0..<Int(frames) {
        let expected = gaps.contains { $0.contains(place) } ? 0 : Int16(truncatingIfNeeded: place &* 31)
        if samples[place] != expected { return "sample \(place) is \(samples[place]), not \(expected)" }
      }
      return nil
    }
  }
}
