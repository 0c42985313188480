import Foundation
import LonghandTranscripts

extension Library {
  /// The transcript of a session in a format, as a file.
  /// - Throws: `StoreError`.
  public func file(
    _ transcript: Transcript, of session: String, by formatter: TranscriptFormatter
  ) throws -> Data {
    guard formatter.format.isText else { return formatter.data(for: transcript) }
    return Data(try document(transcript, of: session, by: formatter).utf8)
  }

  /// The transcript of a session in a format. JSON lines have every version of each segment.
  /// - Throws: `StoreError`.
  public func document(
    _ transcript: Transcript, of session: String, by formatter: TranscriptFormatter
  ) throws -> String {
    guard formatter.format == .jsonl else { return formatter.string(for: transcript) }
    var revisions: [Int: [SegmentRevision]] = [:]
    for segment in transcript.segments where segment.revision > 0 {
      // Without corrections, the transcript ends with an earlier revision.
      revisions[segment.id] = try store.revisions(of: segment.id, in: session)
        .filter { $0.segment.revision <= segment.revision }
        .map { revision in
          var revision = revision
          revision.segment = revision.segment.moved(by: formatter.offset)
          return revision
        }
    }
    return JSONLinesDocument(
      wordTimestamps: formatter.wordTimestamps, alternatives: formatter.alternatives
    ).string(for: transcript.moved(by: formatter.offset), revisions: revisions)
  }
}
