import AVFAudio
import Foundation
import Longhand

/// A stream in any format that FFmpeg's libraries decode: a copy of all of it, which is decoded in parts.
final class DecodedSpool {
  private let spool: Spool
  private let file: AVAudioFile
  private let name: String

  /// The format of the samples.
  let format: RecordingFormat

  /// Opens a copy, which is removed with this object.
  init(_ spool: Spool, name: String) throws {
    do {
      file = try AVAudioFile(forReading: spool.file)
    } catch {
      spool.remove()
      throw Self.failure(error, name)
    }
    self.spool = spool
    self.name = name
    format = RecordingFormat(
      sampleRate: Int(clamping: file.processingFormat.sampleRate.rounded()),
      channels: Int(file.processingFormat.channelCount))
  }

  deinit { spool.remove() }

  /// The next samples; nil at the end.
  func samples(_ frames: Int) throws -> Data? {
    let capacity = AVAudioFrameCount(max(1, frames))
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: capacity) else {
      return nil
    }
    do {
      #if os(Linux)
        let length = try file.scan().length
      #else
        let length = file.length
      #endif
      if file.framePosition < length { try file.read(into: buffer) }
    } catch {
      throw Self.failure(error, name)
    }
    return buffer.frameLength > 0 ? buffer.samples : nil
  }

  private static func failure(_ error: any Error, _ name: String) -> Failure {
    // Messages name the copy, which means nothing to the user.
    let text = (error as NSError).localizedDescription
    let reason = text.range(of: ": ", options: .backwards).map { String(text[$0.upperBound...]) } ?? text
    return Failure(
      .undecodable, "Cannot decode any audio: \(reason)", input: name,
      hint: "Add the sample format, for example --raw s16le:16000:1, or convert with 'ffmpeg -i - -f wav -'.")
  }
}
