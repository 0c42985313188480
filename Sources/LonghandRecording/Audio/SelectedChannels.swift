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

  package func chunks(from frame: Int64) -> AudioChunks {
    AudioChunks {
      var channels = sources.map { $0.chunks(from: frame).makeAsyncIterator() }
      return {
        var samples: [[Float]] = []
        var start = frame
        for index in channels.indices {
          guard let chunk = try await channels[index].next() else { return nil }
          samples.append(chunk.samples(ofChannel: 0))
          start = chunk.start
        }
        let count = samples.map(\.count).min() ?? 0
        return try AudioChunk(
          samples.map { Array($0.prefix(count)) }, start: start, sampleRate: audio.sampleRate)
      }
    }
  }
}
