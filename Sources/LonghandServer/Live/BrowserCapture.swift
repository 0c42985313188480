import Foundation
import Longhand
import Synchronization

/// The microphone of a browser, which sends its audio in requests: 16-bit samples of one channel.
///
/// It is not live: what comes late is not missing, and nothing is missing while nothing comes. What the browser could not capture
/// is reported with the next piece. Nothing is discarded in a pause.
final class BrowserCapture: AudioCapture {
  /// The name by which clients choose it.
  static let source = "browser"
  /// The rates that a browser's microphone can have, in Hz.
  static let rates = 8000...192_000

  let name = "browser's microphone"
  var isLive: Bool { false }

  let rate: Int
  private let clock: @Sendable () -> TimeInterval
  private let receiver: Mutex<PieceReceiver>
  /// Locked while audio is delivered, which may wait for the disk. Nothing else waits for that.
  private let delivery = Mutex<(@Sendable (CapturedAudio) -> Void)?>(nil)

  /// - Parameters:
  ///   - rate: one of `rates`.
  ///   - clock: seconds that never decrease.
  init(
    rate: Int, clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  ) {
    self.rate = rate
    self.clock = clock
    receiver = Mutex(PieceReceiver(now: clock()))
  }

  /// The name of the stream, for the browser that records.
  var stream: String { receiver.withLock(\.stream) }
  /// Whether the browser should send and does not.
  var isDisconnected: Bool { receiver.withLock { $0.isDisconnected(now: clock()) } }
  /// Whether the recording ends because the browser does not come back.
  var isGone: Bool { receiver.withLock { $0.isGone(now: clock()) } }

  func format() throws -> RecordingFormat { RecordingFormat(sampleRate: rate, channels: 1) }

  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    receiver.withLock { $0.begin(now: clock()) }
    delivery.withLock { $0 = take }
  }

  func stop() { delivery.withLock { $0 = nil } }

  /// The browser does not come back.
  func end() { delivery.withLock { $0?(.ended) } }

  func pause() { receiver.withLock { $0.pause(now: clock()) } }

  /// Ends a pause.
  /// - Parameter seconds: how long it was, as the browser measured it; nil if it did not.
  func resume(seconds: TimeInterval? = nil) {
    receiver.withLock { $0.resume(now: clock(), seconds: seconds) }
  }

  /// Another browser records from now on; returns the name of its stream.
  func takeOver() -> String { receiver.withLock { $0.takeOver(now: clock()) } }

  /// The bytes of a stream that were received.
  /// - Throws: `PieceReceiver.Refusal`.
  func received(of stream: String) throws -> Int64 {
    try receiver.withLock { receiver throws(PieceReceiver.Refusal) in
      guard AccessToken.areEqual(stream, receiver.stream) else { throw .unknown }
      return receiver.received
    }
  }

  /// Takes a piece. It is handed over when this returns.
  /// - Parameters:
  ///   - piece: whole samples, little-endian.
  ///   - offset: the position of its first byte in the stream.
  ///   - missing: the seconds before it that the browser could not capture.
  /// - Returns: the bytes that were received in all.
  /// - Throws: `PieceReceiver.Refusal`.
  func append(
    _ piece: Data, at offset: Int64, of stream: String, missing: TimeInterval = 0
  ) throws -> Int64 {
    try delivery.withLock { take in
      guard let take else { throw PieceReceiver.Refusal.unknown }
      let (known, gap) = try receiver.withLock { receiver throws(PieceReceiver.Refusal) in
        try receiver.take(piece.count, at: offset, of: stream, missing: missing, now: clock())
      }
      let frames = Int64(clamping: ((gap?.seconds ?? 0) * Double(rate)).rounded())
      if let gap, frames > 0 { take(.gap(frames, gap.reason)) }
      if known < piece.count { take(.samples(Data(piece.dropFirst(known)), at: nil)) }
      return receiver.withLock(\.received)
    }
  }
}
