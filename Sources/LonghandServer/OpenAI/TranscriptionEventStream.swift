import Foundation
import Longhand

/// The text of a file while it is recognized, in the events of OpenAI's API. Each event has its type also as its name,
/// because some clients read only that.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
final class TranscriptionEventStream: HTTPContent, @unchecked Sendable {
  private let job: TranscriptionJob
  private let request: TranscriptionRequest
  private var rest = Data()
  private var text = ""
  /// What was sent, with its times, for a client that wants them.
  private var sent: [JSONValue] = []
  private var words: [JSONValue] = []
  /// Writes the text in sentences.
  private var sentences: SentenceWriter
  /// The lines of the segments whose marks are not certain yet, by the segments' numbers.
  private var waiting: [Int: TranscriptLine] = [:]
  private var firstEvents: Data?
  /// The last events, which are sent when the process has ended in good order.
  private var lastEvents: Data?
  private var isEnded = false

  /// Waits for the first segment, so that a failure before it gets a status code of its own.
  /// - Parameters:
  ///   - locale: the language that is spoken.
  ///   - request: what the client wants to have.
  /// - Throws: `HTTPError` if the transcription fails before the first segment, `TranscriptionJob.Abandoned`.
  init(_ job: TranscriptionJob, locale: String, request: TranscriptionRequest) throws {
    self.job = job
    self.request = request
    sentences = SentenceWriter(locale: locale)
    while firstEvents == nil {
      guard let output = try job.next() else {
        firstEvents = try end()
        break
      }
      let events = events(output)
      if !events.isEmpty { firstEvents = events }
    }
    job.isResponding = true
  }

  func next() throws -> Data? {
    if let events = firstEvents {
      firstEvents = nil
      return events
    }
    while !isEnded {
      guard let output = try job.next() else {
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
    // The answer that is sent whole has no echoes of another channel either.
    case .final where line.echo == true: return Data()
    case .final:
      let segment = Segment(line)
      waiting[segment.id] = line
      return deltas(sentences.append(segment))
    case .end:
      let rest = deltas(sentences.finish())
      let times: [(key: String, value: JSONValue)] =
        (request.hasSegments ? [("segments", .array(sent))] : [])
        + (request.hasWords ? [("words", .array(words))] : [])
      lastEvents =
        event(
          "transcript.text.done",
          [("text", .string(text))] + times + OpenAITranscript.failure(line.coverage?.failed ?? 0))
        + ServerSentEvent.data(nil, "[DONE]")
      return rest
    case .partial, .silence, .gap, .level, .revision, .normalized, .translated: return Data()
    }
  }

  /// The events of segments whose marks are certain now.
  private func deltas(_ written: [Segment]) -> Data {
    written.reduce(into: Data()) { events, segment in
      let delta = text.separator(before: segment.text) + segment.text
      text += delta
      var members: [(key: String, value: JSONValue)] = [("delta", .string(delta))]
      let line = waiting.removeValue(forKey: segment.id)
      if request.hasSegments {
        sent.append(
          .object([
            ("id", .integer(segment.id)), ("start", .seconds(segment.start)), ("end", .seconds(segment.end)),
            ("text", .string(segment.text)),
          ]))
      }
      if request.hasWords {
        words += (line?.words ?? []).map { OpenAITranscript.word($0.text, $0.start, $0.end) }
      }
      if let alternatives = request.alternatives {
        members += [
          ("start", .seconds(segment.start)), ("end", .seconds(segment.end)),
          ("alternatives", OpenAITranscript.alternatives(line?.alternatives ?? [], alternatives)),
        ]
      }
      events += event("transcript.text.delta", members)
    }
  }

  private func event(_ type: String, _ members: [(key: String, value: JSONValue)]) -> Data {
    ServerSentEvent.data(type, .object([("type", .string(type))] + members))
  }
}

extension Segment {
  /// The segment of a final line with the times of its words.
  fileprivate init(_ line: TranscriptLine) {
    let words = (line.words ?? []).map {
      Word(text: $0.text, start: $0.start, end: $0.end, confidence: nil)
    }
    self.init(
      id: line.segment ?? 0, start: line.start ?? 0, end: line.end ?? 0,
      candidates: [
        Candidate(text: line.text ?? "", words: words, confidence: nil, language: line.language)
      ])
  }
}
