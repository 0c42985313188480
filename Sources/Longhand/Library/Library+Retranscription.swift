import Foundation

extension Library {
  /// Listens to a recording again, with another vocabulary or engine. What is heard otherwise becomes a new revision of
  /// the segment that was said at that time; what was there before stays.
  /// - Parameters:
  ///   - id: the session's; all of it must have been listened to before.
  ///   - transcriber: how it is listened to.
  ///   - progress: called from any thread, with seconds that never go back.
  /// - Returns: the segments that are new or have changed.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`; nothing has changed then, unless
  ///   it was the store that failed.
  @discardableResult public func retranscribe(
    _ id: String, by transcriber: FileTranscriber,
    progress: (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> [Segment] {
    var session = try store.session(matching: id)
    let manifest = try RecordingRecovery().recover(recording(of: session.id)).manifest
    let audio = RecordingAudio(recording(of: session.id), manifest)
    guard audio.durable > 0 else { throw TranscriptionError.noAudio }
    // What is chosen among is what each segment has in the end.
    var plain = transcriber.options
    plain.reranking = .disabled
    let engine = try await plain.makeEngine(reportsPartials: false)
    let (heard, known) = try await engine.transcribe(audio, progress: progress)
    let stamp = transcriber.options.languageModel?.stamp
    let reason = "heard again" + (stamp.map { " with the vocabulary \($0.name)" } ?? "")
    var changed: [Segment] = []
    let old = try store.transcript(of: session.id).segments
    let reranker = transcriber.options.makeReranker()
    var new = zip(old, SegmentAlignment(of: heard, to: old).candidates).map { segment, candidates in
      var segment = segment
      (segment.candidates, segment.selection) = (candidates, .recognizer)
      return segment
    }
    if old.isEmpty { new = heard }
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
    let gaps = manifest.gaps.stretches(manifest.format)
    try store.setCoverage(
      CoverageSpan.all(of: audio.duration, (gaps + known).inOrderOfWeight), of: session.id)
    session.engine = engine.selection.rawValue
    session.vocabulary = stamp
    try store.update(session)
    return changed
  }
}

extension [RecordingGap] {
  /// Gaps that take time in the file, as a session's coverage has them.
  func stretches(_ format: RecordingFormat) -> [CoverageSpan.Stretch] {
    filter { $0.frames > 0 }.map { gap in
      (format.seconds(gap.start)...format.seconds(gap.start + gap.frames), .gap, gap.reason.rawValue)
    }
  }
}
