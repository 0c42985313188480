import Foundation
import Synchronization

/// Reads the lines of a descriptor one after another, each only when it is asked for.
final class LineReader: Sendable {
  /// One line, without its end.
  enum Line: Sendable, Hashable {
    case bytes([UInt8])
    /// It has more than `maxLength` bytes, and was skipped.
    case tooLong
  }

  private struct State {
    var pending: [UInt8] = []
    /// Bytes of `pending` that were searched for the end of a line.
    var searched = 0
    var isSkipping = false
    var isAtEnd = false
  }

  private let reader: StreamReader
  private let maxLength: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - reader: the stream; nothing else reads it.
  ///   - maxLength: the longest line, in bytes.
  init(_ reader: StreamReader, maxLength: Int) {
    self.reader = reader
    self.maxLength = maxLength
  }

  /// The next line; nil at the end. The last line needs no line break.
  ///
  /// Uses its own thread, because reading a descriptor blocks. Call it again only when it has returned.
  /// - Throws: `CancellationError`; a `Failure` if reading fails.
  func next() async throws -> Line? {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { [self] in
          continuation.resume(with: Result { try state.withLock { try next(&$0, flag) } })
        }
      }
    } onCancel: {
      flag.cancel()
    }
  }

  private func next(_ state: inout State, _ flag: CancellationFlag) throws -> Line? {
    while true {
      if let end = state.pending[state.searched...].firstIndex(of: 0x0A) {
        let line = Array(state.pending[..<end])
        state.pending.removeFirst(end + 1)
        state.searched = 0
        return self.line(line, &state)
      }
      if state.pending.count > maxLength {
        state.isSkipping = true
        state.pending = []
      }
      state.searched = state.pending.count
      guard !state.isAtEnd else {
        guard !state.pending.isEmpty || state.isSkipping else { return nil }
        defer { state.pending = [] }
        state.searched = 0
        return line(state.pending, &state)
      }
      if let part = try reader.read(1 << 18, until: flag) {
        state.pending += part
      } else {
        state.isAtEnd = true
      }
    }
  }

  private func line(_ bytes: [UInt8], _ state: inout State) -> Line {
    defer { state.isSkipping = false }
    return state.isSkipping || bytes.count > maxLength ? .tooLong : .bytes(bytes)
  }
}
