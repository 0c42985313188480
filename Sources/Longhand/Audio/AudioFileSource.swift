import AVFAudio
import Foundation
import Synchronization

/// The audio of a file, or of a video.
package final class AudioFileSource: ChannelAudio {
  /// Frames per second (Hz).
  package let sampleRate: Int
  /// Seconds of audio, as the file states or its index shows.
  package let duration: TimeInterval
  /// The number of channels.
  package let channels: Int
  /// The length that the file states, in seconds; nil if it states none, or the same within half a second.
  package let statedDuration: TimeInterval?
  /// The parts that are damaged, in order; the audio is silent there.
  package let gaps: [RecordingGap]
  /// What readers of a transcript should know about the file.
  package let warnings: [TranscriptWarning]
  /// Readers take turns: after a failure a second one may start before the first one has noticed.
  private let file: Mutex<AVAudioFile>

  /// Opens an audio file, or a video with audio.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package init(_ url: URL) throws(TranscriptionError) {
    let file: AVAudioFile
    do {
      #if os(Linux)
        file = try AVAudioFile(forReadingInService: url)
      #else
        file = try AVAudioFile(forReading: url)
      #endif
    } catch {
      #if os(Linux)
        if AVAudioFile.isDecoderMissing(error) {
          throw .notInstalled(error.localizedDescription, hint: "make setup build")
        }
      #endif
      guard FileManager.default.isReadableFile(atPath: url.path) else {
        throw .unreadable("no such file, or it may not be read")
      }
      throw Self.undecodable(error, url)
    }
    sampleRate = Int(clamping: file.processingFormat.sampleRate.rounded())
    channels = Int(file.processingFormat.channelCount)
    guard AudioLimits.sampleRates.contains(sampleRate) else {
      throw .undecodable("its sample rate of \(sampleRate) Hz is not between 1000 and 768000 Hz")
    }
    let rate = file.processingFormat.sampleRate
    let duration = Double(file.length) / rate
    self.duration = duration
    #if os(Linux)
      let condition = file.condition
      gaps = condition.holes.map { RecordingGap(start: $0.start, frames: $0.frames, reason: .damaged) }
      let length = condition.statedDuration.flatMap { TranscriptWarning(stated: $0, decoded: duration) }
      statedDuration = length == nil ? nil : condition.statedDuration
    #else
      let length: TranscriptWarning? = nil
      (gaps, statedDuration) = ([], nil)
    #endif
    let damaged = gaps.map {
      TranscriptWarning.damaged(Double($0.start) / rate...Double($0.start + $0.frames) / rate)
    }
    warnings = (length.map { [$0] } ?? []) + damaged
    self.file = Mutex(file)
  }

  /// Starts what reading a file needs, so that the first file does not wait for it. Returns at once.
  package static func prepare() {
    #if os(Linux)
      AVAudioFile.prepareDecoding()
    #endif
  }

  /// The audio from a frame on.
  package func chunks(from frame: Int64) -> AudioChunks {
    AudioChunks {
      var next = frame
      return {
        try Task.checkCancellation()
        let chunk = try self.chunk(at: next)
        next = chunk?.end ?? next
        return chunk
      }
    }
  }

  /// One channel of the file, which is opened once more.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package func source(ofChannel channel: Int) throws(TranscriptionError) -> any AudioSource {
    let copy = try AudioFileSource(file.withLock { $0.url })
    return SingleChannel(audio: copy, channel: channel) { copy.chunks(from: $0) }
  }

  private func chunk(at start: Int64) throws -> AudioChunk? {
    let frames = AudioChunks.end(after: start, sampleRate: sampleRate) - start
    return try file.withLock { file in
      let format = file.processingFormat
      guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)) else {
        throw TranscriptionError.undecodable("no buffer for \(format.channelCount) channels")
      }
      do {
        if file.framePosition != start { file.framePosition = start }
        try file.read(into: buffer)
      } catch {
        throw Self.undecodable(error, file.url)
      }
      return buffer.frameLength > 0 ? AudioChunk(buffer, start: start) : nil
    }
  }

  /// Messages of this package name the file already, so its path is cut off.
  private static func undecodable(_ error: any Error, _ url: URL) -> TranscriptionError {
    let text = (error as NSError).localizedDescription
    return .undecodable(text.range(of: "\(url.path): ").map { String(text[$0.upperBound...]) } ?? text)
  }
}
