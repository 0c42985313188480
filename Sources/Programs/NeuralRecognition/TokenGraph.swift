/// The texts that a search has found, as a graph: texts that differ in their middle share their ends.
struct TokenGraph {
  /// A way to a node.
  struct Edge: Equatable {
    var from: Int
    /// The logarithm of the token's probability on this way.
    var logProbability: Float
    /// What a preference adds to it.
    var bonus: Float
  }

  private struct Node {
    var token: Int
    var edges: [Edge]
  }

  /// A text from the beginning to a node.
  private struct Text {
    var score: Float
    var count: Int
    var letters: SpokenLetters
    var edge: Int
    var rank: Int
  }

  /// Texts that are followed at a node, of which `maxForms` may have the same letters.
  private static let width = 16
  private static let maxForms = 2

  private var nodes = [Node(token: -1, edges: [])]
  /// Before the first token.
  static let root = 0

  /// Adds a token after a node.
  mutating func add(_ token: Int, _ edge: Edge) -> Int {
    nodes.append(Node(token: token, edges: [edge]))
    return nodes.count - 1
  }

  /// Adds a way to a node; none that goes round in a circle.
  mutating func join(_ edge: Edge, to node: Int) {
    guard !isReachable(node, before: edge.from) else { return }
    nodes[node].edges.append(edge)
  }

  func token(of node: Int) -> Int { nodes[node].token }

  /// The way by which a node was found; nil at the root.
  func first(_ node: Int) -> Edge? { nodes[node].edges.first }

  /// The nodes of the way by which a node was found, itself first.
  func chain(_ node: Int, _ count: Int) -> [Int] {
    var found: [Int] = []
    var next: Int? = node
    while let node = next, node != Self.root, found.count < count {
      found.append(node)
      next = first(node)?.from
    }
    return found
  }

  private func isReachable(_ wanted: Int, before node: Int) -> Bool {
    var seen: Set<Int> = []
    var open = [node]
    while let next = open.popLast() {
      if next == wanted { return true }
      guard seen.insert(next).inserted else { continue }
      open += nodes[next].edges.map(\.from)
    }
    return false
  }

  /// The best texts, no two of which have the same letters.
  /// - Parameters:
  ///   - ends: nodes of the token that ends a text.
  ///   - length: what is added for each token, so that long texts are not worse than short ones, and for how many.
  ///   - bytes: the bytes of a token.
  func best(
    _ count: Int, at ends: [Int], end: Int, length: (bonus: Float, count: Int), bytes: (Int) -> [UInt8]
  ) -> [TokenSequence] {
    var texts = [[Text]](repeating: [], count: nodes.count)
    texts[Self.root] = [Text(score: 0, count: 0, letters: SpokenLetters(), edge: 0, rank: 0)]
    for node in order(ends) where node != Self.root {
      var found: [Text] = []
      let token = nodes[node].token == end ? [] : bytes(nodes[node].token)
      for (index, edge) in nodes[node].edges.enumerated() {
        for (rank, text) in texts[edge.from].enumerated() {
          var letters = text.letters
          letters.append(token)
          let score =
            text.score + edge.logProbability + edge.bonus + (text.count < length.count ? length.bonus : 0)
          found.append(
            Text(score: score, count: text.count + 1, letters: letters, edge: index, rank: rank))
        }
      }
      texts[node] = Self.distinct(found, forms: Self.maxForms)
    }
    var all = ends.flatMap { end in texts[end].indices.map { (end: end, rank: $0) } }
    all.sort { texts[$0.end][$0.rank].score > texts[$1.end][$1.rank].score }
    var found: [TokenSequence] = []
    var places: [SpokenLetters: Int] = [:]
    for next in all {
      let letters = texts[next.end][next.rank].letters
      if let place = places[letters] {
        found[place].forms.append(sequence(next.end, next.rank, end: end, texts).tokens)
      } else if found.count < count {
        places[letters] = found.count
        found.append(sequence(next.end, next.rank, end: end, texts))
      }
    }
    return found
  }

  private static func distinct(_ texts: [Text], forms: Int) -> [Text] {
    var counts: [SpokenLetters: Int] = [:]
    var kept: [Text] = []
    for text in texts.sorted(by: { $0.score > $1.score }) where kept.count < width {
      guard counts[text.letters, default: 0] < forms else { continue }
      counts[text.letters, default: 0] += 1
      kept.append(text)
    }
    return kept
  }

  /// The nodes before some, each after those that lead to it.
  private func order(_ ends: [Int]) -> [Int] {
    var found: [Int] = []
    var isDone = [Bool](repeating: false, count: nodes.count)
    var open = ends.map { (node: $0, isLast: false) }
    while let next = open.popLast() {
      if next.isLast {
        found.append(next.node)
        continue
      }
      guard !isDone[next.node] else { continue }
      isDone[next.node] = true
      open.append((next.node, true))
      open += nodes[next.node].edges.filter { !isDone[$0.from] }.map { ($0.from, false) }
    }
    return found
  }

  private func sequence(_ node: Int, _ rank: Int, end: Int, _ texts: [[Text]]) -> TokenSequence {
    var sequence = TokenSequence()
    var (node, rank) = (node, rank)
    while node != Self.root {
      let text = texts[node][rank]
      let edge = nodes[node].edges[text.edge]
      if nodes[node].token == end {
        sequence.isComplete = true
      } else {
        sequence.tokens.append(nodes[node].token)
      }
      sequence.logProbabilities.append(edge.logProbability)
      sequence.bonus += edge.bonus
      (node, rank) = (edge.from, text.rank)
    }
    sequence.tokens.reverse()
    sequence.logProbabilities.reverse()
    return sequence
  }
}
