import Foundation

/// Tells a handler of the whole audio: every partial result holds all that was heard so far, and the last one is
/// final.
final class ResultHandlerAudience: RecognitionAudience {
  /// Half an hour: more audio is not kept for its voice analytics.
  private static let mostKeptSamples = 30 * 60 * SpeechSegmenter.sampleRate
  /// The most readings of a final result.
  private static let mostTranscriptions = 10

  private let wantsPartialResults: Bool
  private let handler: (SFSpeechRecognitionResult?, (any Error)?) -> Void
  private var pieces: [(piece: RecognizedPiece, analytics: PieceAnalytics?)] = []
  private var keptSamples = 0
  /// Everything that is final.
  private var fixed: TranscriptionWriter?
  /// The same words before they were final, without confidences.
  private var shown: TranscriptionWriter?

  init(
    wantsPartialResults: Bool, handler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
  ) {
    self.wantsPartialResults = wantsPartialResults
    self.handler = handler
  }

  func receive(_ event: RecognitionEvent, of task: SFSpeechRecognitionTask, style: TranscriptionStyle) {
    switch event {
    case .hypothesis(let words):
      guard wantsPartialResults, !words.isEmpty else { return }
      var writer = shown ?? TranscriptionWriter(style: style)
      writer.write(words, end: nil)
      showPartial(writer)
    case .piece(let piece):
      guard !piece.candidates.isEmpty else { return }
      keep(piece, style: style)
      if let shown { showPartial(shown) }
    case .speechDetected, .processed, .flushed, .audioEnded, .failure, .ended:
      break
    }
  }

  private func showPartial(_ writer: TranscriptionWriter) {
    handler(SFSpeechRecognitionResult(best: writer.transcription, isFinal: false), nil)
  }

  private func keep(_ piece: RecognizedPiece, style: TranscriptionStyle) {
    keptSamples += piece.audio.samples.count
    let analytics = keptSamples <= Self.mostKeptSamples ? PieceAnalytics(audio: piece.audio) : nil
    var light = piece
    light.audio.samples = []
    pieces.append((light, analytics))
    var fixed = fixed ?? TranscriptionWriter(style: style)
    fixed.write(piece.candidates[0].words, end: piece.end, analytics: analytics) {
      piece.alternatives(toWord: $0, ofCandidate: 0)
    }
    self.fixed = fixed
    guard wantsPartialResults else { return }
    var shown = shown ?? TranscriptionWriter(style: style)
    shown.write(piece.candidates[0].words.map { $0.unsure }, end: piece.end)
    self.shown = shown
  }

  func receiveEnd(_ error: (any Error)?, of task: SFSpeechRecognitionTask, style: TranscriptionStyle) {
    guard let best = fixed?.transcription else { return handler(nil, error ?? RecognitionError.noSpeech) }
    let isWhole = pieces.allSatisfy { $0.analytics != nil }
    let metadata = SFSpeechRecognitionMetadata(
      timing: SpeechTiming(best.segments), pieces: isWhole ? pieces.compactMap(\.analytics) : [])
    handler(
      SFSpeechRecognitionResult(best: best, others: others(style: style), isFinal: true, metadata: metadata),
      error)
  }

  func receiveCancellation(_ error: any Error, of task: SFSpeechRecognitionTask) { handler(nil, error) }

  /// Other readings of the whole: the best one with one piece read otherwise, the least loss of confidence first.
  private func others(style: TranscriptionStyle) -> [SFTranscription] {
    let changes = pieces.enumerated().flatMap { place, piece in
      let candidates = piece.piece.candidates
      return candidates.indices.dropFirst().map { index in
        (
          place: place, index: index,
          ratio: candidates[index].confidence / max(1e-9, candidates[0].confidence)
        )
      }
    }
    return changes.sorted { ($1.ratio, $0.place, $0.index) < ($0.ratio, $1.place, $1.index) }
      .prefix(Self.mostTranscriptions - 1)
      .map { change in
        var writer = TranscriptionWriter(style: style)
        for (place, piece) in pieces.enumerated() {
          let index = place == change.place ? change.index : 0
          writer.write(
            piece.piece.candidates[index].words, end: piece.piece.end, analytics: piece.analytics)
        }
        return writer.transcription
      }
  }
}

extension RecognizedWord {
  /// The word without a confidence, as in results that are not final.
  fileprivate var unsure: RecognizedWord {
    var word = self
    word.confidence = 0
    return word
  }
}
