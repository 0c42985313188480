import Foundation
import LonghandRecording
import LonghandTranscripts
import Synchronization

/// Recognizes each channel of a source by itself, all at once. Its events name their channel.
struct ChannelsEngine: TranscriptionEngine {
  private let engine: any TranscriptionEngine

  /// - Parameter engine: recognizes each of the channels.
  init(_ engine: any TranscriptionEngine) { self.engine = engine }

  var selection: EngineSelection { engine.selection }

  /// - Parameter audio: a `ChannelAudio`; of another source, and of a single channel, the mix is recognized.
  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    guard let audio = audio as? any ChannelAudio, audio.channels > 1 else {
      return engine.events(of: audio, from: start)
    }
    return stream { [engine] emit in
      let order = Order(ChannelMerger(audio.channels, from: start), emit: emit)
      try await withThrowingTaskGroup { group in
        for channel in 0..<audio.channels {
          let source = try audio.source(ofChannel: channel)
          group.addTask {
            for try await event in engine.ofChannel(channel).events(of: source, from: start) {
              order.change { $0.take(event, of: channel) }
            }
            try Task.checkCancellation()
            order.change { $0.end(channel) }
          }
        }
        // Not `waitForAll`, which reports a failure only when the other channels have ended.
        while try await group.next() != nil {}
      }
    }
  }

  /// The events of all channels in their order.
  private final class Order: Sendable {
    private let merger: Mutex<ChannelMerger>
    private let emit: @Sendable (TranscriptionEvent) -> Void

    init(_ merger: ChannelMerger, emit: @escaping @Sendable (TranscriptionEvent) -> Void) {
      self.merger = Mutex(merger)
      self.emit = emit
    }

    /// Emits what is in order after a change. Under the lock, so that the order stays.
    func change(_ body: (inout ChannelMerger) -> [TranscriptionEvent]) {
      merger.withLock { body(&$0).forEach(emit) }
    }
  }
}
