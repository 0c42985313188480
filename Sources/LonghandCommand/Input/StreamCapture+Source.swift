import Foundation
import Synchronization

extension StreamCapture {
  /// The bytes, and how far they were read. Used by one thread at a time, which `state` sees to.
  final class Source: Sendable {
    private struct State {
      var layout: RawAudioFormat?
      /// Bytes of sound that are to come still; nil if up to the end.
      var left: UInt64?
      /// What was read and is not a whole frame yet, or a whole head.
      var pending: [UInt8] = []
    }

    private let reader: StreamReader
    private let state: Mutex<State>

    init(_ reader: StreamReader, raw: RawAudioFormat?) {
      self.reader = reader
      state = Mutex(State(layout: raw))
    }

    /// How the samples are laid out, when that is known.
    func layout(until flag: CancellationFlag) throws -> RawAudioFormat {
      try state.withLock { state in
        if let layout = state.layout { return layout }
        // A head that was begun is read again from its beginning if this is told to wait no more.
        var used = 0
        let header = try WaveStreamHeader(of: reader.name) { count in
          while state.pending.count < used + count {
            // No more than needed: what follows is sound.
            let missing = used + count - state.pending.count
            guard let bytes = try reader.read(missing, until: flag) else { break }
            state.pending += bytes
          }
          let bytes = Array(state.pending[used..<min(used + count, state.pending.count)])
          used += bytes.count
          return bytes
        }
        state.pending = []
        state.layout = header.layout
        state.left = header.length
        return header.layout
      }
    }

    /// The next whole frames as a recording has them; nil at the end, where a part of a frame is left out.
    func samples(_ most: Int, until flag: CancellationFlag) throws -> Data? {
      try state.withLock { state in
        guard let layout = state.layout else { return nil }
        while true {
          let wanted = min(UInt64(max(1, most - state.pending.count)), state.left ?? .max)
          guard wanted > 0, let bytes = try reader.read(Int(wanted), until: flag) else {
            state.pending = []
            return nil
          }
          if let left = state.left { state.left = left - UInt64(bytes.count) }
          state.pending += bytes
          let whole = state.pending.count - state.pending.count % layout.frameBytes
          guard whole > 0 else { continue }
          defer { state.pending.removeFirst(whole) }
          return layout.recorded(state.pending[..<whole])
        }
      }
    }
  }
}
