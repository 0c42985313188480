import Foundation
import Longhand

/// The level of a source before it is recorded, ten times a second. Nothing is stored.
///
/// `@unchecked Sendable`: `condition` guards what the source's thread writes; the rest is used by the thread of the connection.
final class LevelStream: HTTPContent, @unchecked Sendable {
  /// The level of digital silence, in dBFS.
  private static let lowest = -120.0

  private let capture: any AudioCapture
  private let hub: LiveHub
  private let condition = NSCondition()
  private var keepalive: Keepalive
  private var level: Double?
  private var isEnded = false

  /// - Throws: `HTTPError` if the source cannot be opened.
  init(of capture: any AudioCapture, by hub: LiveHub, to client: any HTTPClient) throws {
    self.capture = capture
    self.hub = hub
    keepalive = Keepalive(client)
    do {
      try capture.start { [weak self] audio in self?.take(audio) }
    } catch {
      throw HTTPError(.unavailable, "\(error)", code: "no_input")
    }
  }

  deinit { capture.stop() }

  private func take(_ audio: CapturedAudio) {
    condition.withLock {
      switch audio {
      case .samples(let samples, _): level = max(Self.lowest, LevelMeter.decibels(samples))
      case .failed, .ended: isEnded = true
      case .gap, .channelGap, .channelLost, .channelRecovered: return
      }
      condition.broadcast()
    }
  }

  func next() throws -> Data? {
    while !hub.isEnding {
      let (found, isEnded) = condition.withLock {
        if level == nil, !self.isEnded { _ = condition.wait(until: Date(timeIntervalSinceNow: 1)) }
        defer { level = nil }
        return (level, self.isEnded)
      }
      if let found {
        return keepalive.note(ServerSentEvent.data("level", .object([("dBFS", .decibels(found))])))
      }
      if isEnded { return nil }
      if let comment = try keepalive.comment() { return comment }
    }
    return nil
  }
}
