import Foundation
import LonghandRecording
import LonghandTranscription
import LonghandTranscripts
import LonghandVocabulary

extension Library {
  /// What a new decoding changed.
  public struct Retranscription: Sendable, Hashable {
    /// The segments that are new or changed, in order.
    public var changed: [Segment]
    /// The segments whose text a person chose, and that stay although the new decoding differs. The version before the
    /// current one has the new decoding; `TranscriptStore.restore(_:of:in:)` takes it.
    public var kept: [Segment]
  }

  /// Transcribes a recording again, with another vocabulary or engine. Where the new decoding differs, the segment gets a
  /// new revision with the new words at their times. Words where no segment was get a segment of their own. The earlier revisions
  /// stay, and what a person chose stays current.
  /// - Parameters:
  ///   - id: the ID of a session that is completely transcribed.
  ///   - transcriber: its options set the engine and the vocabulary.
  ///   - progress: called from any thread; the seconds never decrease.
  /// - Returns: the changes.
  /// - Throws: `TranscriptionError`, `RecordingError`, `StoreError`, `CancellationError`, `WorkStopped`. After an error the session is
  ///   unchanged.
  @discardableResult public func retranscribe(
    _ id: String, by transcriber: FileTranscriber,
    progress: @escaping @Sendable (FileTranscriber.Progress) -> Void = { _ in }
  ) async throws -> Retranscription {
    let session = try store.session(matching: id)
    return try await stoppable(session.id) {
      try await decodeAgain(session, by: transcriber, progress: progress)
    }
  }

  private func decodeAgain(
    _ known: RecordedSession, by transcriber: FileTranscriber,
    progress: (FileTranscriber.Progress) -> Void
  ) async throws -> Retranscription {
    var session = known
    let (hold, manifest, audio) = try heldAudio(of: session.id)
    defer { hold.close() }
    let options = try transcriber.options.resolved()
    // The engine does not rerank: its segments are first assigned to the old ones, then reranked.
    var plain = options
    plain.reranking = .disabled
    let engine = try await EngineFactory(plain).engine(reportsPartials: false)
    let names = plain.speakerNames.isEmpty ? manifest.speakerNames ?? [] : plain.speakerNames
    let plan = try await ChannelPlan(
      plain.channels ?? ChannelMode(names: plain.speakerNames, channels: manifest.format.channels)
        ?? manifest.channelMode, names: names, for: audio)
    let read = try plan.audio(of: audio)
    let (recognized, known, warnings) = try await plan.engine(engine).transcribe(read, progress: progress)
    session.locale = plain.request.locale(of: recognized).identifier(.bcp47)
    session.engine = engine.selection.rawValue
    session.model = plain.modelStamp
    session.punctuation = plain.punctuation
    session.vocabulary = transcriber.options.languageModel?.stamp
    let evidence = try await SpeakerEvidence(
      of: read, recognized, wordless: known.wordless, voices: plain.voices,
      remembered: plain.rememberedVoices)
    let gaps = manifest.gaps.stretches(manifest.format.sampleRate)
    let revision = try await revise(
      session, by: recognized, gaps + known, duration: manifest.duration,
      EngineFactory(options).reranker(),
      spellings: transcriber.options.languageModel?.spellings
    ) { number, database in
      // What was heard in the mix is not about the channels.
      if evidence.hasVoices || plan.isSeparate {
        try store.setTurnsByNumber(evidence.turnsByNumber, of: number, in: database)
      }
      try store.changeSpeakers(of: number, in: database) { speakers in
        plan.addSpeakers(to: &speakers)
        if plan.isSeparate, speakers.turns.contains(where: { $0.channel == nil }) { speakers.setTurns([]) }
        evidence.add(to: &speakers)
      }
    }
    try recording(of: session.id).replaceWarnings(
      ofTranscription: [plan.warning].compactMap(\.self)
        + recognized.languageWarnings(audio.duration) + warnings + evidence.warnings,
      silence: transcriber.options.silence,
      mode: plan.mode, mixed: plan.mixed)
    return revision
  }

  /// Stores a new decoding of a session.
  /// - Parameters:
  ///   - session: the session with its new properties.
  ///   - recognized: the segments of the new decoding, in order.
  ///   - known: what is known of the audio besides.
  ///   - duration: the length of the audio in seconds.
  ///   - reranker: chooses among the candidates.
  ///   - spellings: what the second text is written by.
  ///   - speakers: changes what is known of the speakers, in the same transaction.
  func revise(
    _ session: RecordedSession, by recognized: [Segment], _ known: [CoverageSpan.Stretch],
    duration: TimeInterval, _ reranker: CandidateReranker, spellings: Vocabulary? = nil,
    changeSpeakers speakers: @Sendable (_ session: Int, StoreDatabase) throws -> Void = { _, _ in }
  ) async throws -> Retranscription {
    var revision = TranscriptRevision(
      of: try store.transcript(of: session.id).segments.map { segment in
        try store.revisions(of: segment.id, in: session.id)
      }, by: recognized)
    await revision.elect(by: reranker)
    try Task.checkCancellation()
    let (edits, transcribed) = revision.result()
    let others = known.filter { $0.kind != .transcribed }
    let (changed, kept) = try store.apply(
      edits,
      reason: "transcribed again" + (session.vocabulary.map { " with the vocabulary \($0.name)" } ?? ""),
      CoverageSpan.all(of: duration, (transcribed + others).inOrderOfWeight), to: session,
      spellings: spellings, after: speakers)
    return Retranscription(changed: changed, kept: kept)
  }
}

extension RecordingManifest {
  /// The coverage of the part that is missing at the end, beyond the audio that is on the disk; empty if nothing is.
  var missingEnd: [CoverageSpan] {
    let end = format.seconds(frames ?? 0)
    return gaps.stretches(format.sampleRate).filter { $0.range.upperBound > end }.map {
      CoverageSpan(
        start: max(end, $0.range.lowerBound), end: $0.range.upperBound, kind: $0.kind, reason: $0.reason)
    }
  }
}
