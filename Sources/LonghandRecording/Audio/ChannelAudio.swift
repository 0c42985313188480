import AVFAudio
import Foundation
import LonghandTranscripts

/// Audio whose channels can be read one by one.
package protocol ChannelAudio: AudioSource {
  /// The number of channels.
  var channels: Int { get }

  /// One channel as a source of its own, with the same times.
  /// - Parameter channel: from 0.
  /// - Throws: `TranscriptionError`.
  func source(ofChannel channel: Int) throws(TranscriptionError) -> any AudioSource
}

/// One channel of a source.
struct SingleChannel: AudioSource {
  /// All channels, not mixed.
  let audio: any AudioSource
  /// From 0.
  let channel: Int
  /// The chunks with all channels, from a frame on.
  let allChannels: @Sendable (Int64) -> AudioChunks

  var sampleRate: Int { audio.sampleRate }
  var duration: TimeInterval { audio.duration }
  var gaps: [RecordingGap] {
    audio.gaps.filter { $0.channel ?? channel == channel }.map {
      RecordingGap(start: $0.start, frames: $0.frames, reason: $0.reason)
    }
  }

  func chunks(from frame: Int64) -> AudioChunks {
    let chunks = allChannels(frame)
    return AudioChunks {
      var iterator = chunks.makeAsyncIterator()
      return {
        guard let chunk = try await iterator.next() else { return nil }
        return try AudioChunk(
          chunk.samples(ofChannel: channel), start: chunk.start, sampleRate: audio.sampleRate)
      }
    }
  }
}

extension AudioChunk {
  /// The samples of one channel, from -1 to 1.
  package func samples(ofChannel channel: Int) -> [Float] {
    guard let channels = buffer.floatChannelData, channel < Int(buffer.format.channelCount) else { return [] }
    let stride = buffer.stride
    return (0..<Int(buffer.frameLength)).map { channels[channel][$0 * stride] }
  }
}

/// How the channels of a recording are transcribed.
public enum ChannelMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// As one, because they have the same speech.
  case mix
  /// Each by itself, because each has a speaker, or a side of a call, of its own.
  case separate

  /// What the names of speakers say of the channels: two or more belong to separate channels. Else nil.
  package init?(names: [String], channels: Int) {
    guard min(names.count, channels) > 1 else { return nil }
    self = .separate
  }
}
