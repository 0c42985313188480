/// A search over several texts at once.
///
/// At each step every text is continued with the tokens that keep it within `margin` of the best one. Texts with equal
/// letters compete for one place. Texts with equal last tokens are continued as one; both paths to these tokens are kept.
/// The text of greedy search (the best token at each step) is always followed to its end, so that it is among the results.
package struct BeamSearch {
  /// How wide a search is.
  package struct Settings: Equatable {
    /// Texts that are followed side by side.
    package var beams: Int
    /// How much less likely than the best text a text may be, as a logarithm.
    package var margin: Float = 4
    /// Equal tokens after which two texts are continued as one.
    package var common = 3

    package init(beams: Int) { self.beams = beams }
  }

  /// The probability, as a logarithm, of an end token after which a text is not continued: what would follow was not
  /// said.
  private static let likely: Float = -0.7
  /// Tokens that continue a text at most.
  private static let maxBranches = 8
  /// Tokens that a text may have after the end of the greedy text. Longer texts repeat themselves.
  private static let maxExtra = 4
  /// How many tokens further from its end one text may have the equal tokens.
  private static let maxLag = 3

  /// A text that is followed.
  private struct Path {
    var node: Int
    var sequence: Int
    /// Whether each of its tokens was the best one.
    var isGreedy: Bool
  }

  /// What is known of a text at a node of the graph, on the way by which the node was found.
  private struct Mark {
    var sum: Float
    var letters: SpokenLetters
    var place: PhraseTrie.Place
  }

  /// A text with one more token.
  private struct Candidate {
    var path: Int
    var token: Int
    var logProbability: Float
    var step: PhraseTrie.Step
    var total: Float
    var isGreedy: Bool
  }

  private let settings: Settings
  private let rules: TokenRules
  private let phrases: PhraseTrie?
  private let bytes: (Int) -> [UInt8]
  private var graph = TokenGraph()
  private var marks: [Mark]
  private var paths = [Path(node: TokenGraph.root, sequence: 0, isGreedy: true)]
  private var sequences = 0..<0
  private var ends: [Int] = []
  /// The node where the greedy text ends, and its number of tokens.
  private var greedyEnd: (node: Int, count: Int)?
  private var count = 0

  /// - Parameters:
  ///   - phrases: what is preferred.
  ///   - bytes: the bytes of a token.
  package init(
    _ settings: Settings, rules: TokenRules, phrases: PhraseTrie? = nil, bytes: @escaping (Int) -> [UInt8]
  ) {
    (self.settings, self.rules, self.phrases, self.bytes) = (settings, rules, phrases, bytes)
    marks = [Mark(sum: 0, letters: SpokenLetters(), place: PhraseTrie.Place())]
  }

  /// Continues a prompt by searches side by side. None changes what another one finds, and a text that several follow is decoded
  /// once.
  /// - Parameters:
  ///   - count: how many texts are wanted of each search.
  ///   - row: the logarithms of the probabilities of the first token.
  ///   - position: the first token's position in sequence 0. Each search uses as many sequences as it has beams.
  /// - Returns: for each search the greedy text and others, the best first. No two have the same letters.
  package static func texts(
    _ count: Int, _ searches: [BeamSearch], first row: [Float], at position: Int, of decoder: some NextTokens
  ) throws(NeuralError) -> [[TokenSequence]] {
    var searches = searches
    var reached = 0
    for index in searches.indices {
      if reached > 0 { decoder.copy(0, to: reached) }
      searches[index].paths[0].sequence = reached
      searches[index].sequences = reached..<reached + searches[index].settings.beams
      reached += searches[index].settings.beams
    }
    var rows = searches.map { _ in [row] }
    while true {
      var steps: [TokenStep] = []
      var known: [[Int]: Int] = [:]
      var repeated: [(sequence: Int, first: Int)] = []
      var places = searches.map { _ in [Int]() }
      for index in searches.indices where !searches[index].paths.isEmpty {
        searches[index].advance(rows[index], of: decoder)
        for path in searches[index].paths {
          let text = searches[index].graph.chain(path.node, .max).map(searches[index].graph.token)
          if let place = known[text] {
            repeated.append((path.sequence, steps[place].sequence))
            places[index].append(place)
            continue
          }
          known[text] = steps.count
          places[index].append(steps.count)
          let last = position + searches[index].count - 1
          steps.append(TokenStep(token: text[0], position: last, sequence: path.sequence))
        }
      }
      guard !steps.isEmpty else { return searches.map { $0.found(count) } }
      let next = try decoder.next(steps)
      guard next.count == steps.count else { throw .failed("decode an utterance") }
      for (sequence, first) in repeated {
        decoder.remove(sequence)
        decoder.copy(first, to: sequence)
      }
      rows = places.map { $0.map { next[$0] } }
    }
  }

  /// One more token for each text.
  /// - Parameter rows: the logarithms of the probabilities of what follows each text.
  private mutating func advance(_ rows: [[Float]], of decoder: some NextTokens) {
    var followed: [Path] = []
    var letters: Set<SpokenLetters> = []
    let isFull = count >= min(rules.maxTokens, (greedyEnd?.count ?? rules.maxTokens) + Self.maxExtra)
    for next in candidates(rows) {
      guard followed.count < settings.beams || next.token == rules.end else { continue }
      let before = paths[next.path]
      guard next.token != rules.end else {
        let node = add(next, marks[before.node].letters)
        ends.append(node)
        if next.isGreedy { greedyEnd = (node, count) }
        continue
      }
      if isFull {
        if next.isGreedy {
          ends.append(before.node)
          greedyEnd = (before.node, count)
        }
        continue
      }
      var spoken = marks[before.node].letters
      spoken.append(bytes(next.token))
      guard letters.insert(spoken).inserted else { continue }
      followed.append(Path(node: add(next, spoken), sequence: before.sequence, isGreedy: next.isGreedy))
    }
    // A row without numbers ends the text.
    if greedyEnd == nil, !followed.contains(where: \.isGreedy), let path = paths.first(where: \.isGreedy) {
      ends.append(path.node)
      greedyEnd = (path.node, count)
    }
    count += 1
    join(&followed)
    assignSequences(&followed, of: decoder)
    paths = followed
  }

  private mutating func add(_ next: Candidate, _ letters: SpokenLetters) -> Int {
    let from = paths[next.path].node
    let edge = TokenGraph.Edge(from: from, logProbability: next.logProbability, bonus: next.step.bonus)
    marks.append(Mark(sum: next.total, letters: letters, place: next.step.place))
    return graph.add(next.token, edge)
  }

  /// The texts with one more token that are worth following, the greedy one first and then the best.
  private func candidates(_ rows: [[Float]]) -> [Candidate] {
    var found: [Candidate] = []
    var best = greedyEnd.map { marks[$0.node].sum } ?? -.infinity
    var ended: Set<Int> = []
    for (index, path) in paths.enumerated() {
      guard let token = TokenRow.best(rows[index], without: excluded) else { continue }
      if token == rules.end, rows[index][token] > Self.likely { ended.insert(index) }
      let next = candidate(index, token, rows[index], isGreedy: path.isGreedy)
      best = max(best, next.total)
      if path.isGreedy { found.append(next) }
    }
    let greedy = found.first
    let least = best - settings.margin
    for (index, path) in paths.enumerated() where settings.beams > 1 {
      let row = rows[index]
      let sum = marks[path.node].sum
      guard !ended.contains(index) else {
        let next = candidate(index, rules.end, row, isGreedy: false)
        if !path.isGreedy, next.total >= least { found.append(next) }
        continue
      }
      var tokens = TokenRow.best(row, count: Self.maxBranches, atLeast: least - sum, without: excluded)
      if let phrases {
        let place = marks[path.node].place
        let known = Set(tokens)
        tokens += phrases.tokens(after: place) { token, bonus in
          row[token] + bonus >= least - sum && !known.contains(token) && !excluded.contains(token)
        }
      }
      for token in tokens where !(path.isGreedy && token == greedy?.token) {
        let next = candidate(index, token, row, isGreedy: false)
        if next.total >= least { found.append(next) }
      }
    }
    let start = greedy == nil ? 0 : 1
    found[start...].sort { $0.total > $1.total }
    return found
  }

  private var excluded: Set<Int> { count == 0 ? rules.notFirst : [] }

  private func candidate(_ path: Int, _ token: Int, _ row: [Float], isGreedy: Bool) -> Candidate {
    let mark = marks[paths[path].node]
    var step = PhraseTrie.Step()
    if let phrases {
      step = token == rules.end ? phrases.end(mark.place) : phrases.next(mark.place, token)
    }
    return Candidate(
      path: path, token: token, logProbability: row[token], step: step,
      total: mark.sum + row[token] + step.bonus, isGreedy: isGreedy)
  }

  /// Continues texts with equal last tokens as one.
  private mutating func join(_ followed: inout [Path]) {
    // The candidates are in order, so that a text is compared with better ones.
    var kept: [Path] = []
    for path in followed {
      guard let index = kept.firstIndex(where: { common($0, path) != nil }),
        let nodes = common(kept[index], path)
      else {
        kept.append(path)
        continue
      }
      let isBetter = kept[index].isGreedy || marks[nodes.one].sum >= marks[nodes.other].sum
      let (winner, loser) = isBetter ? nodes : (nodes.other, nodes.one)
      if let edge = graph.first(loser) { graph.join(edge, to: winner) }
      if !isBetter { kept[index] = path }
    }
    followed = kept
  }

  /// The nodes, one of each text, after the same tokens; nil if there are none.
  private func common(_ one: Path, _ other: Path) -> (one: Int, other: Int)? {
    let length = settings.common
    let ones = graph.chain(one.node, length + 2 * Self.maxLag + 2)
    let others = graph.chain(other.node, length + 2 * Self.maxLag + 2)
    let lags = [(0, 0)] + (1...Self.maxLag).flatMap { [($0, 0), (0, $0)] }
    for (lag, otherLag) in lags where lag + length <= ones.count && otherLag + length <= others.count {
      let (nodes, otherNodes) = (ones[lag..<lag + length], others[otherLag..<otherLag + length])
      guard zip(nodes, otherNodes).allSatisfy({ graph.token(of: $0) == graph.token(of: $1) }),
        !nodes.contains(where: others.contains), !otherNodes.contains(where: ones.contains),
        marks[ones[lag]].place == marks[others[otherLag]].place
      else { continue }
      return (ones[lag], others[otherLag])
    }
    return nil
  }

  /// Gives each text a sequence of the decoder that has its tokens but the last.
  private func assignSequences(_ followed: inout [Path], of decoder: some NextTokens) {
    let used = Set(followed.map(\.sequence))
    var free = sequences.filter { !used.contains($0) }
    for path in paths where !used.contains(path.sequence) { decoder.remove(path.sequence) }
    var taken: Set<Int> = []
    for index in followed.indices where !taken.insert(followed[index].sequence).inserted {
      let sequence = free.removeFirst()
      decoder.copy(followed[index].sequence, to: sequence)
      followed[index].sequence = sequence
    }
  }

  private func found(_ count: Int) -> [TokenSequence] {
    let greedy = graph.chain(greedyEnd?.node ?? TokenGraph.root, .max)
    let sum = greedy.reduce(0) { $0 + (graph.first($1)?.logProbability ?? 0) }
    let length = (bonus: -sum / Float(max(1, greedy.count)), count: greedy.count)
    return graph.best(count, at: ends, end: rules.end, length: length, bytes: bytes)
  }
}
