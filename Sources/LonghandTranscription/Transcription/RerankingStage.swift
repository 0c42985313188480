import LonghandTranscripts

/// Chooses among the candidates of each final.
struct RerankingStage: FinalStage {
  /// The number of finals that the reranker gets as the preceding text.
  static let maxPreceding = 8

  private let reranker: CandidateReranker
  private var preceding: [String] = []

  init(_ reranker: CandidateReranker) { self.reranker = reranker }

  mutating func take(_ result: FinalResult) async -> FinalResult {
    guard !result.candidates.isEmpty else { return result }
    var result = result
    let election = await reranker.elect(result.candidates, after: preceding)
    result.selection = election.selection
    result.election = election
    preceding =
      preceding.suffix(Self.maxPreceding - 1) + [result.candidates[result.selection.index].text]
    return result
  }
}

extension [Segment] {
  /// Chooses among the candidates of each segment, in order.
  package mutating func elect(by reranker: CandidateReranker) async {
    for index in indices { await elect(index, by: reranker) }
  }

  /// Chooses among the candidates of one segment. The segments before it must be done.
  mutating func elect(_ index: Int, by reranker: CandidateReranker) async {
    guard reranker.policy != .disabled, !Task.isCancelled else { return }
    let preceding = self[..<index].suffix(RerankingStage.maxPreceding).map(\.text)
    self[index].selection = await reranker.elect(self[index].candidates, after: preceding).selection
  }
}
