import Foundation
import Longhand

/// What is known of a browser that sends the audio of its microphone in pieces: a pure state machine. The callers pass the
/// time, in seconds.
struct PieceReceiver: Sendable {
  /// Why a piece is not taken.
  enum Refusal: Error, Hashable {
    /// Another browser records now, or none did with this name of a stream.
    case unknown
    /// Bytes before the piece are missing. The value is the number of bytes that were received.
    case hole(received: Int64)
  }

  /// Audio that is missing before the next piece.
  struct Gap: Sendable, Hashable {
    var seconds: TimeInterval
    var reason: RecordingGap.Reason
  }

  /// Seconds without a piece after which the browser counts as disconnected. It sends one every half second.
  static let patience = 5.0
  /// Seconds without a piece after which the recording ends.
  static let maxAbsence = 300.0
  /// Seconds that a browser can miss at once. Its clock may have been set.
  static let maxMissing = 3600.0
  /// Seconds of a pause that a browser may measure.
  static let pauses = 0.0...86_400.0

  /// The name of the stream, which only the browser knows that records.
  private(set) var stream: String
  /// The bytes of the stream that were received.
  private(set) var received: Int64 = 0
  private var lastPiece: TimeInterval
  private var pauseStart: TimeInterval?
  private var gap: Gap?

  init(stream: String = AccessToken.secret(), now: TimeInterval) {
    self.stream = stream
    lastPiece = now
  }

  /// The recording begins.
  mutating func begin(now: TimeInterval) { lastPiece = now }

  /// Takes a piece, as far as it is new: a piece whose answer was lost is sent again.
  /// - Parameters:
  ///   - count: its bytes.
  ///   - offset: the position of its first byte in the stream.
  ///   - missing: the seconds before it that the browser could not capture.
  /// - Returns: how many of its first bytes are known, and what is missing before the others.
  /// - Throws: `Refusal`.
  mutating func take(
    _ count: Int, at offset: Int64, of stream: String, missing: TimeInterval = 0, now: TimeInterval
  ) throws(Refusal) -> (known: Int, gap: Gap?) {
    guard AccessToken.areEqual(stream, self.stream) else { throw .unknown }
    guard offset <= received else { throw .hole(received: received) }
    lastPiece = now
    let known = Int(min(Int64(count), received - offset))
    guard known < count else { return (count, nil) }
    received += Int64(count - known)
    // What is missing is before the first byte, so with that byte it is known.
    if missing > 0, known == 0 {
      // A pause that another window made meanwhile is a part of it.
      let paused = gap?.reason == .paused ? gap?.seconds ?? 0 : 0
      add(Gap(seconds: max(0, min(missing, Self.maxMissing) - paused), reason: .interrupted))
    }
    defer { gap = nil }
    return (known, gap)
  }

  /// Whether the browser should send and does not.
  func isDisconnected(now: TimeInterval) -> Bool { pauseStart == nil && now - lastPiece >= Self.patience }

  /// Whether the recording ends because the browser does not come back.
  func isGone(now: TimeInterval) -> Bool { pauseStart == nil && now - lastPiece >= Self.maxAbsence }

  /// The user pauses. What the browser still sends was captured before.
  mutating func pause(now: TimeInterval) { pauseStart = pauseStart ?? now }

  /// The user continues, and the browser has to send again.
  /// - Parameter seconds: how long the pause was, as the browser measured it, which may have been offline; nil if it did not.
  mutating func resume(now: TimeInterval, seconds: TimeInterval? = nil) {
    guard let start = pauseStart else { return }
    let measured = seconds.flatMap { Self.pauses.contains($0) ? $0 : nil }
    add(Gap(seconds: measured ?? now - start, reason: .paused))
    (pauseStart, lastPiece) = (nil, now)
  }

  /// Another browser records from now on.
  /// - Returns: the name of its stream, which begins with the byte 0.
  mutating func takeOver(now: TimeInterval, stream: String = AccessToken.secret()) -> String {
    if pauseStart == nil { add(Gap(seconds: now - lastPiece, reason: .device)) } else { resume(now: now) }
    (self.stream, received, lastPiece) = (stream, 0, now)
    return stream
  }

  private mutating func add(_ new: Gap) {
    gap = Gap(seconds: max(0, new.seconds) + (gap?.seconds ?? 0), reason: new.reason)
  }
}
