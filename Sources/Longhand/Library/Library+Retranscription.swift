import Foundation

extension Library {
  /// Transcribes a recording again, with another vocabulary or engine. Where the new text differs, the segment gets a new
  /// revision. The earlier revisions stay.
  /// - Parameters:
  ///   - id: the ID of a session that is completely transcribed.
  ///   - transcriber: its options set the engine and the vocabulary.
  ///   - progress: called from any thread; the seconds never decrease.
  /// - Returns: the segments that are new or changed.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`. After an error the session is
  ///   unchanged; after a `StoreError` some segments may already have their new revision.
  @discardableResult public func retranscribe(
    _ id: String, by transcriber: FileTranscriber,
    progress: (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> [Segment] {
    var session = try store.session(matching: id)
    let manifest = try RecordingRecovery().recover(recording(of: session.id)).manifest
    let audio = RecordingAudio(recording(of: session.id), manifest)
    guard audio.durable > 0 else { throw TranscriptionError.noAudio }
    // The engine does not rerank: its candidates are first assigned to the old segments, then reranked.
    var plain = transcriber.options
    plain.reranking = .disabled
    let engine = try await plain.makeEngine(reportsPartials: false)
    let (recognized, known, warnings) = try await engine.transcribe(audio, progress: progress)
    let stamp = transcriber.options.languageModel?.stamp
    let reason = "transcribed again" + (stamp.map { " with the vocabulary \($0.name)" } ?? "")
    var changed: [Segment] = []
    let old = try store.transcript(of: session.id).segments
    let reranker = transcriber.options.makeReranker()
    var new = zip(old, SegmentAlignment(of: recognized, to: old).candidates).map { segment, candidates in
      var segment = segment
      (segment.candidates, segment.selection) = (candidates, .recognizer)
      return segment
    }
    if old.isEmpty { new = recognized }
    await new.elect(by: reranker)
    try Task.checkCancellation()
    if old.isEmpty {
      try store.append(new, to: session.id)
      changed = new
    }
    for (segment, new) in zip(old, new)
    where new.candidates != segment.candidates || new.selection.index != segment.selection.index {
      changed.append(
        try store.revise(
          segment.id, in: session.id, candidates: new.candidates, selection: new.selection, reason: reason))
    }
    let gaps = manifest.gaps.stretches(manifest.format.sampleRate)
    try store.setCoverage(
      CoverageSpan.all(of: audio.duration, (gaps + known).inOrderOfWeight), of: session.id)
    try recording(of: session.id).replace(.oppositePhase, by: warnings)
    session.engine = engine.selection.rawValue
    session.vocabulary = stamp
    try store.update(session)
    return changed
  }
}
