import RecognitionCore
import Foundation
import VoiceMeasurement

/// Reports the whole audio to a handler: every partial result holds the text so far, and the last result is
/// final.
final class HandlerResultAdapter: RecognitionResultAdapter {
  /// Half an hour: more audio is not kept for its voice analytics.
  private static let maxKeptSamples = 30 * 60 * SpeechSegmenter.sampleRate
  /// The transcriptions of a final result.
  private static let maxTranscriptions = 10

  private let wantsPartialResults: Bool
  private let handler: (SFSpeechRecognitionResult?, (any Error)?) -> Void
  private var utterances: [(recognized: RecognizedUtterance, analytics: UtteranceAnalytics?)] = []
  private var keptSamples = 0
  /// The final text.
  private var fixed: TranscriptionWriter?
  /// The same words as partial results show them, without confidences.
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
      writer.write(words)
      showPartial(writer)
    case .utterance(let utterance):
      guard !utterance.candidates.isEmpty else { return }
      keep(utterance, style: style)
      if let shown { showPartial(shown) }
    case .speechDetected, .decoded, .processed, .flushed, .audioEnded, .failure, .ended:
      break
    }
  }

  private func showPartial(_ writer: TranscriptionWriter) {
    handler(SFSpeechRecognitionResult(best: writer.transcription, isFinal: false), nil)
  }

  private func keep(_ utterance: RecognizedUtterance, style: TranscriptionStyle) {
    keptSamples += utterance.audio.samples.count
    let analytics = keptSamples <= Self.maxKeptSamples ? UtteranceAnalytics(audio: utterance.audio) : nil
    var light = utterance
    light.audio.samples = []
    utterances.append((light, analytics))
    var fixed = fixed ?? TranscriptionWriter(style: style)
    fixed.write(utterance.candidates[0].words, analytics: analytics) {
      utterance.alternatives(toWord: $0, ofCandidate: 0)
    }
    self.fixed = fixed
    guard wantsPartialResults else { return }
    var shown = shown ?? TranscriptionWriter(style: style)
    shown.write(utterance.candidates[0].words.map { $0.unsure })
    self.shown = shown
  }

  func receiveEnd(_ error: (any Error)?, of task: SFSpeechRecognitionTask, style: TranscriptionStyle) {
    fixed?.finish()
    guard let best = fixed?.transcription else { return handler(nil, error ?? RecognitionError.noSpeech) }
    let isWhole = utterances.allSatisfy { $0.analytics != nil }
    let metadata = SFSpeechRecognitionMetadata(
      timing: SpeechTiming(best.segments), utterances: isWhole ? utterances.compactMap(\.analytics) : [])
    handler(
      SFSpeechRecognitionResult(best: best, others: others(style: style), isFinal: true, metadata: metadata),
      error)
  }

  func receiveCancellation(_ error: any Error, of task: SFSpeechRecognitionTask) { handler(nil, error) }

  /// Other transcriptions of the whole: the best one with one utterance replaced, the smallest loss of
  /// confidence first.
  private func others(style: TranscriptionStyle) -> [SFTranscription] {
    let changes = utterances.enumerated().flatMap { position, utterance in
      let candidates = utterance.recognized.candidates
      return candidates.indices.dropFirst().map { index in
        (
          position: position, index: index,
          ratio: (candidates[index].confidence ?? 0) / max(1e-9, candidates[0].confidence ?? 0)
        )
      }
    }
    return changes.sorted { ($1.ratio, $0.position, $0.index) < ($0.ratio, $1.position, $1.index) }
      .prefix(Self.maxTranscriptions - 1)
      .map { change in
        var writer = TranscriptionWriter(style: style)
        for (position, utterance) in utterances.enumerated() {
          let index = position == change.position ? change.index : 0
          writer.write(utterance.recognized.candidates[index].words, analytics: utterance.analytics)
        }
        writer.finish()
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
