import AVFAudio
import Foundation
import Synchronization

/// The sound of a recording, which may still be being made: whoever reads it waits for more until it has ended.
///
/// ```swift
/// let audio = RecordingAudio(folder, format: manifest.format)
/// for await event in recorder.events {
///   if case .durable(let frames) = event { audio.grow(to: frames) }
/// }
/// audio.end()
/// ```
public final class RecordingAudio: Sendable {
  private struct State {
    var durable: Int64
    var isEnded: Bool
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// How the samples are laid out.
  public let format: RecordingFormat
  let file: URL
  private let state: Mutex<State>

  /// A recording that is being made, without sound as yet.
  public init(_ folder: RecordingFolder, format: RecordingFormat) {
    self.format = format
    file = folder.audio
    state = Mutex(State(durable: 0, isEnded: false))
  }

  /// A recording that has ended.
  public init(_ folder: RecordingFolder, _ manifest: RecordingManifest) {
    format = manifest.format
    file = folder.audio
    state = Mutex(State(durable: manifest.frames ?? 0, isEnded: true))
  }

  /// Frames that can be read.
  public var durable: Int64 { state.withLock(\.durable) }

  /// Seconds that can be read.
  public var duration: TimeInterval { format.seconds(durable) }

  /// So many frames can be read now.
  public func grow(to frames: Int64) {
    change { $0.durable = max($0.durable, frames) }
  }

  /// No more will come.
  public func end() { change { $0.isEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until so many frames can be read, or the recording has ended.
  /// - Returns: how many can be read.
  /// - Throws: `CancellationError`.
  func wait(for frames: Int64) async throws -> Int64 {
    while true {
      try Task.checkCancellation()
      let id = state.withLock { state -> Int? in
        guard state.durable < frames, !state.isEnded else { return nil }
        state.lastWaiter += 1
        return state.lastWaiter
      }
      guard let id else { return durable }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isNeeded = state.withLock { state in
            guard state.durable < frames, !state.isEnded, !Task.isCancelled else { return false }
            state.waiters[id] = continuation
            return true
          }
          if !isNeeded { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
      }
    }
  }

  /// The sound from a frame on, in pieces of a tenth of a second whose places do not depend on where reading began.
  func pieces(from frame: Int64) -> Pieces { Pieces(audio: self, start: frame) }

  /// Sound in pieces.
  struct Pieces: AsyncSequence, Sendable {
    let audio: RecordingAudio
    let start: Int64

    func makeAsyncIterator() -> Iterator { Iterator(audio: audio, next: start) }

    struct Iterator: AsyncIteratorProtocol {
      private let audio: RecordingAudio
      private var next: Int64
      private var handle: FileHandle?

      init(audio: RecordingAudio, next: Int64) {
        self.audio = audio
        self.next = next
      }

      /// - Throws: `TranscriptionError.unreadable`, `CancellationError`.
      mutating func next() async throws -> AudioChunk? {
        let length = Int64(audio.format.sampleRate / 10)
        let end = (next / length + 1) * length
        let limit = Swift.min(end, try await audio.wait(for: end))
        guard limit > next else { return nil }
        let format = audio.format
        let samples: Data?
        do {
          let handle = try self.handle ?? FileHandle(forReadingFrom: audio.file)
          self.handle = handle
          try handle.seek(toOffset: format.place(of: next))
          samples = try handle.read(upToCount: Int(limit - next) * format.frameBytes)
        } catch {
          throw TranscriptionError.unreadable("the recording cannot be read: \(error.localizedDescription)")
        }
        guard let samples, samples.count == Int(limit - next) * format.frameBytes else {
          throw TranscriptionError.unreadable("the recording is shorter than it was")
        }
        defer { next = limit }
        return AudioChunk(samples: samples, start: next, format: format)
      }
    }
  }
}
