import Foundation
import Longhand

/// The text of a file while it is recognized, in the events of OpenAI's API.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
final class TranscriptionEventStream: HTTPContent, @unchecked Sendable {
  private let job: TranscriptionQueue.Job
  private let alternatives: Int?
  private var rest = Data()
  private var text = ""
  private var firstEvents: Data?
  /// The last events, which are sent when the process has ended in good order.
  private var lastEvents: Data?
  private var isEnded = false

  /// Waits for the first segment, so that a failure before it gets a status code of its own.
  /// - Throws: `HTTPError` if the transcription fails before the first segment, `TranscriptionProcess.Abandoned`.
  init(_ job: TranscriptionQueue.Job, alternatives: Int?) throws {
    self.job = job
    self.alternatives = alternatives
    while firstEvents == nil {
      guard let output = try job.process.next() else {
        firstEvents = try end()
        break
      }
      let events = events(output)
      if !events.isEmpty { firstEvents = events }
    }
    job.process.isResponding = true
  }

  func next() throws -> Data? {
    if let events = firstEvents {
      firstEvents = nil
      return events
    }
    while !isEnded {
      guard let output = try job.process.next() else {
        do { return try end() } catch { return ServerSentEvent.data(nil, HTTPError(error).json) }
      }
      let events = events(output)
      if !events.isEmpty { return events }
      // No output for a second: the comment keeps the connection open.
      if output.isEmpty { return ServerSentEvent.comment }
    }
    return nil
  }

  /// The last events, after the end of the process.
  /// - Throws: `HTTPError` if the text is not whole.
  private func end() throws -> Data {
    isEnded = true
    try job.check()
    guard let lastEvents else { throw job.failure }
    return lastEvents
  }

  /// The events in the next bytes of output.
  private func events(_ output: Data) -> Data {
    rest += output
    var events = Data()
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = try? JSONDecoder().decode(TranscriptLine.self, from: rest[..<end])
      rest = Data(rest[rest.index(after: end)...])
      if let line { events += event(line) }
    }
    return events
  }

  private func event(_ line: TranscriptLine) -> Data {
    switch line.type {
    case .final:
      let delta = (text.isEmpty ? "" : " ") + (line.text ?? "")
      text += delta
      var members: [(key: String, value: JSONValue)] = [
        ("type", .string("transcript.text.delta")), ("delta", .string(delta)),
      ]
      if let alternatives {
        members += [
          ("start", .seconds(line.start ?? 0)), ("end", .seconds(line.end ?? 0)),
          ("alternatives", OpenAITranscript.alternatives(line.alternatives ?? [], alternatives)),
        ]
      }
      return ServerSentEvent.data(nil, .object(members))
    case .end:
      let done = JSONValue.object(
        [("type", .string("transcript.text.done")), ("text", .string(text))]
          + OpenAITranscript.failure(line.coverage?.failed ?? 0))
      lastEvents = ServerSentEvent.data(nil, done) + ServerSentEvent.data(nil, "[DONE]")
      return Data()
    case .partial, .silence, .gap, .level, .revision: return Data()
    }
  }
}
