import Foundation

/// An engine that measures how the voice ends the words of another one's finals; see `WordVoice`.
///
/// It measures the audio that the engine reads, because the recognizers report nothing of the voice, or not the loudness.
struct VoicedEngine: TranscriptionEngine {
  private let engine: any TranscriptionEngine

  init(_ engine: any TranscriptionEngine) { self.engine = engine }

  var selection: EngineSelection { engine.selection }

  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { [engine] emit in
      let audio = TrackedSource(audio)
      for try await event in engine.events(of: audio, from: start) {
        switch event {
        case .final(let start, let end, let candidates, let selection):
          emit(
            .final(start: start, end: end, candidates: audio.measure(candidates), selection: selection))
        case .processed(let time):
          audio.forget(before: time)
          emit(event)
        default: emit(event)
        }
      }
    }
  }
}
