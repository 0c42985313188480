import Foundation
import Longhand
import Synchronization

/// Recordings of a browser's microphone: the browser sends the audio in pieces.
extension RecordingHost {
  private static let noStream = HTTPError(
    .notFound, "No recording takes this browser's microphone. Start one with POST /api/recording.",
    code: "no_stream")

  /// Seconds of a browser's audio that may wait for the disk.
  private static let maxWaiting = 5.0
  /// Bytes that a browser's audio leaves free on the disk.
  private static let reserve: Int64 = 32 << 20

  /// Continues a browser's recording with another browser, which the first one has left.
  /// - Parameter rate: the rate of its microphone, in Hz.
  /// - Returns: the document, with the name of the `stream` and the `choice` of how the recording is transcribed.
  /// - Throws: `HTTPError` if there is none.
  func takeOver(rate: Int) throws -> JSONValue {
    guard let current = state.withLock(\.current), let known = current.browser?.rate else {
      throw Self.noRecording
    }
    guard rate == known else {
      throw HTTPError(
        .conflict,
        "The recording has \(known) Hz, and this browser's microphone \(rate). Stop it, and start another one.",
        parameter: "sampleRate", code: "other_rate")
    }
    guard phase == .disconnected || phase == .paused else {
      throw HTTPError(
        .conflict, "Another browser records, and is connected. Pause the recording first.",
        code: "is_recording")
    }
    var stream = ""
    try change(from: phase, to: .recording) { _, browser in stream = browser?.takeOver() ?? "" }
    return .object(members + [("stream", .string(stream)), ("choice", Self.choice(of: current))])
  }

  /// How a recording is transcribed, as `POST /api/recording` takes it.
  private static func choice(of recording: Current) -> JSONValue {
    let choice = recording.choice
    let texts: [(name: String, value: String?)] = [
      ("locale", choice?.locale), ("model", choice?.model), ("vocabulary", choice?.vocabulary),
      ("speakers", choice?.voices?.rawValue),
    ]
    var members: [(key: String, value: JSONValue)] = [
      ("translate", .boolean(recording.translation != nil))
    ]
    for text in texts {
      if let value = text.value { members.append((key: text.name, value: .string(value))) }
    }
    return .object(members)
  }

  /// Takes a piece of a browser's audio.
  /// - Parameters:
  ///   - piece: whole samples.
  ///   - offset: the position of its first byte in the stream.
  ///   - missing: the seconds before it that the browser could not capture.
  /// - Returns: how many bytes of the stream were received, and the state of the recording.
  /// - Throws: `HTTPError`.
  func receive(
    _ piece: Data, at offset: Int64, of stream: String, missing: TimeInterval
  ) throws -> JSONValue {
    guard piece.count % 2 == 0, offset % 2 == 0 else {
      throw HTTPError(.badRequest, "Samples have two bytes each. Send whole ones.", parameter: "offset")
    }
    let (browser, session) = try sender(of: stream)
    // What is not taken is kept by the browser.
    guard session.waitingSeconds < Self.maxWaiting,
      (freeBytes() ?? .max) - Int64(piece.count) >= Self.reserve
    else { throw HTTPError.diskFull }
    let wasDisconnected = browser.isDisconnected
    do {
      let received = try browser.append(piece, at: offset, of: stream, missing: missing)
      // The browser forgets what was received.
      session.flush()
      if wasDisconnected { publish() }
      guard session.waitingSeconds == 0 else { throw HTTPError.diskFull }
      return progress(received)
    } catch PieceReceiver.Refusal.hole(let received) {
      throw HTTPError(
        .conflict, "The server has \(received) bytes. Send those from there on.", parameter: "offset",
        code: "wrong_offset")
    } catch is PieceReceiver.Refusal {
      throw Self.noStream
    }
  }

  /// How many bytes of a stream were received, and the state of the recording.
  /// - Throws: `HTTPError`.
  func received(of stream: String) throws -> JSONValue {
    let (browser, _) = try sender(of: stream)
    guard let received = try? browser.received(of: stream) else { throw Self.noStream }
    return progress(received)
  }

  private func progress(_ bytes: Int64) -> JSONValue {
    .object([("received", .integer(Int(bytes))), ("state", .string(phase.rawValue))])
  }

  private func sender(of stream: String) throws -> (browser: BrowserCapture, session: LiveSession) {
    try state.withLock { state in
      if let stopped = state.stopped, AccessToken.areEqual(stopped, stream) {
        throw HTTPError(
          .conflict, "The recording was stopped. Its rest is being transcribed.", code: "stopped")
      }
      guard let current = state.current, let browser = current.browser, let session = current.session,
        current.wanted != .finishing, AccessToken.areEqual(browser.stream, stream)
      else { throw Self.noStream }
      return (browser, session)
    }
  }

  /// Reports when a browser is disconnected, and ends its recording if it does not come back.
  func watch(_ browser: BrowserCapture) async {
    var reported = Phase.recording
    while state.withLock({ $0.current?.browser === browser && $0.current?.wanted != .finishing }) {
      if browser.isGone { return browser.end() }
      if phase != reported {
        reported = phase
        publish()
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }
}
