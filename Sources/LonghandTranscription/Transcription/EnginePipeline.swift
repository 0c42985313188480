import Foundation
import LonghandRecording
import LonghandTranscripts

/// An engine whose results pass through stages, in one loop.
struct EnginePipeline: TranscriptionEngine {
  private let engine: any TranscriptionEngine
  private let stages: [any FinalStage]

  /// - Parameters:
  ///   - engine: the engine that recognizes.
  ///   - stages: change each result, in this order. Each iteration of `events` works on copies of them.
  init(_ engine: any TranscriptionEngine, _ stages: [any FinalStage]) {
    self.engine = engine
    self.stages = stages
  }

  var selection: EngineSelection { engine.selection }

  func ofChannel(_ channel: Int) -> any TranscriptionEngine {
    EnginePipeline(engine.ofChannel(channel), stages)
  }

  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    guard !stages.isEmpty else { return engine.events(of: audio, from: start) }
    return stream { [engine, stages] emit in
      var stages = stages
      let audio = stages.indices.reduce(audio) { audio, index in stages[index].begin(audio) }
      for try await event in engine.events(of: audio, from: start) {
        switch event {
        case .final(let start, let end, let candidates, let selection):
          var result = FinalResult(start: start, end: end, candidates: candidates, selection: selection)
          for index in stages.indices { result = await stages[index].take(result) }
          for warning in result.warnings { emit(.warning(warning)) }
          emit(
            .final(start: start, end: end, candidates: result.candidates, selection: result.selection))
          // Logged only now, so that a final in the log is kept even if the work is cancelled at once.
          if let election = result.election { ElectionLog.add(election, at: start) }
        case .partial(var partial):
          for stage in stages { partial.text = stage.partial(partial.text) }
          emit(.partial(partial))
        case .processed(let time):
          for index in stages.indices { stages[index].forget(before: time) }
          emit(event)
        default: emit(event)
        }
      }
    }
  }
}

/// A step that changes what is known of a final result, such as the choice among its candidates.
protocol FinalStage: Sendable {
  /// Begins with the audio that the engine is about to read.
  /// - Returns: the audio in the form in which the engine must read it.
  mutating func begin(_ audio: any AudioSource) -> any AudioSource

  /// Takes the next final, which the stages before have changed.
  mutating func take(_ result: FinalResult) async -> FinalResult

  /// Text that may still change, as this stage writes it. The default leaves it as it is.
  func partial(_ text: String) -> String

  /// All finals before a time, in seconds, have been taken.
  mutating func forget(before time: TimeInterval)
}

extension FinalStage {
  mutating func begin(_ audio: any AudioSource) -> any AudioSource { audio }
  func partial(_ text: String) -> String { text }
  mutating func forget(before time: TimeInterval) {}
}

/// A final on its way through the stages.
struct FinalResult: Sendable {
  /// Seconds from the start of the audio.
  let start, end: TimeInterval
  /// What was said, the recognizer's first choice first.
  var candidates: [Candidate]
  /// Which of the candidates is chosen.
  var selection: Segment.Selection
  /// Why it is chosen, for the log; nil if no choice was made.
  var election: CandidateSelectionRecord?
  /// What readers of the transcript should know; reported before the final.
  var warnings: [TranscriptWarning] = []
}

/// Measures how the voice ends the words; see `WordVoice`.
///
/// It measures the audio that the engine reads, because the recognizers report nothing of the voice, or not the loudness.
struct VoiceStage: FinalStage {
  private var audio: TrackedSource?

  mutating func begin(_ audio: any AudioSource) -> any AudioSource {
    let tracked = TrackedSource(audio)
    self.audio = tracked
    return tracked
  }

  func take(_ result: FinalResult) -> FinalResult {
    var result = result
    let language = result.candidates.first?.language.map { Locale(identifier: $0) }
    if let audio, language?.isEnglish ?? true { result.candidates = audio.measure(result.candidates) }
    return result
  }

  func forget(before time: TimeInterval) { audio?.forget(before: time) }
}
