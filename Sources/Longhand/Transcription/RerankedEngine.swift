import Foundation

/// An engine that reranks the finals of another one.
struct RerankedEngine: TranscriptionEngine {
  private let engine: any TranscriptionEngine
  private let reranker: CandidateReranker

  /// The number of finals that the reranker gets as the preceding text.
  static let preceding = 8

  /// - Parameters:
  ///   - engine: the engine that recognizes.
  ///   - reranker: chooses among the candidates of each final, in order.
  init(_ engine: any TranscriptionEngine, _ reranker: CandidateReranker) {
    self.engine = engine
    self.reranker = reranker
  }

  var selection: EngineSelection { engine.selection }

  func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { [engine, reranker] emit in
      var preceding: [String] = []
      for try await event in engine.events(of: audio, from: start) {
        guard case .final(let start, let end, let candidates, _) = event, !candidates.isEmpty else {
          emit(event)
          continue
        }
        let election = await reranker.elect(candidates, after: preceding)
        let selection = election.selection
        emit(.final(start: start, end: end, candidates: candidates, selection: selection))
        // Logged only now, so that a final in the log is kept even if the work is cancelled at once.
        ElectionLog.add(election, at: start)
        preceding = preceding.suffix(Self.preceding - 1) + [candidates[selection.index].text]
      }
    }
  }
}

extension [Segment] {
  /// Chooses among the candidates of each segment, in order.
  mutating func elect(by reranker: CandidateReranker) async {
    for index in indices { await elect(index, by: reranker) }
  }

  /// Chooses among the candidates of one segment. The segments before it must be done.
  mutating func elect(_ index: Int, by reranker: CandidateReranker) async {
    guard reranker.policy != .disabled, !Task.isCancelled else { return }
    let preceding = self[..<index].suffix(RerankedEngine.preceding).map(\.text)
    self[index].selection = await reranker.elect(self[index].candidates, after: preceding).selection
  }
}
