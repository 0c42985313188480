import Foundation
import Longhand

/// The text of a file as it is recognized, in the events of OpenAI's API.
///
/// `@unchecked Sendable`: its connection's thread alone uses it.
final class TranscriptionEvents: HTTPContent, @unchecked Sendable {
  private let work: TranscriptionQueue.Work
  private let alternatives: Int?
  private var rest = Data()
  private var text = ""
  private var waiting: Data?
  private var isEnded = false

  /// Waits for the first that is recognized.
  /// - Throws: `HTTPError` if nothing can be, `TranscriptionProcess.Abandoned`.
  init(_ work: TranscriptionQueue.Work, alternatives: Int?) throws {
    self.work = work
    self.alternatives = alternatives
    while waiting == nil {
      guard let piece = try work.process.next() else {
        guard rest.isEmpty, work.process.exitStatus == 0 else { throw work.failure }
        break
      }
      let events = events(piece)
      if !events.isEmpty { waiting = events }
    }
  }

  func next() throws -> Data? {
    if let events = waiting {
      waiting = nil
      return events
    }
    while !isEnded {
      guard let piece = try work.process.next() else {
        isEnded = true
        return ServerSentEvent.data(nil, work.failure.json)
      }
      let events = events(piece)
      if !events.isEmpty { return events }
      // Nothing for a second: somebody may wait for a sign.
      if piece.isEmpty { return ServerSentEvent.comment }
    }
    return nil
  }

  private func events(_ piece: Data) -> Data {
    rest += piece
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
      isEnded = true
      let done = JSONValue.object(
        [("type", .string("transcript.text.done")), ("text", .string(text))]
          + OpenAITranscript.failure(line.coverage?.failed ?? 0))
      return ServerSentEvent.data(nil, done) + ServerSentEvent.data(nil, "[DONE]")
    default: return Data()
    }
  }
}
