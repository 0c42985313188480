import Foundation
import LonghandTranscripts

/// Some channels of a source, without the others.
package struct SelectedChannels: AudioSource {
  private let sources: [any AudioSource]
  private let audio: any AudioSource

  /// - Parameter channels: at least one, from 0.
  /// - Throws: `TranscriptionError`.
  package init(_ channels: [Int], of audio: any ChannelAudio) throws(TranscriptionError) {
    var sources: [any AudioSource] = []
    for channel in channels { sources.append(try audio.source(ofChannel: channel)) }
    (self.sources, self.audio) = (sources, audio)
  }

  package var sampleRate: Int { audio.sampleRate }
  package var duration: TimeInterval { audio.duration }
  package var gaps: [RecordingGap] { audio.gaps }

  /// A channel that ends before the others is silent from there on.
  package func chunks(from frame: Int64) -> AudioChunks {
    AudioChunks {
      var channels = sources.map { $0.chunks(from: frame).makeAsyncIterator() }
      var next = frame
      return {
        var parts: [[Float]?] = []
        for index in channels.indices {
          parts.append(try await channels[index].next()?.samples(ofChannel: 0))
        }
        guard let samples = parts.padded else { return nil }
        defer { next += Int64(samples[0].count) }
        return try AudioChunk(samples, start: next, sampleRate: audio.sampleRate)
      }
    }
  }
}

extension [[Float]?] {
  /// Channels of one length, with silence after the end of those that have ended; nil if all have.
  var padded: [[Float]]? {
    guard let longest = compactMap({ $0?.count }).max() else { return nil }
    return map { channel in
      let samples = channel ?? []
      return samples + [Float](repeating: 0, count: longest - samples.count)
    }
  }
}
