import FoundationModels

@Generable(description: "Which candidate was said")
struct Election: Equatable {
  @Guide(description: "Its index", .range(0...3))
  var index: Int
  var reason: String?
}

@Generable
enum Piece: String, CaseIterable {
  case king
  case knight = "horse"
}

@Generable
indirect enum Step: Equatable {
  case castle
  case move(from: String, to: String)
  case variation(Step, note: String?)
}

/// Labels that are keywords, or names that the macro uses itself.
@Generable
enum Clause: Equatable {
  case from(in: String, for: Int)
  case keywords(is: Bool, as: String?, where: String, default: Int, `let`: Int)
  case mark(case: String)
  case unlabeled(String, value: String)
  case `switch`(content: String, properties: String)
}

@Generable
struct Player: Equatable {
  let name: String
  @Guide(.minimum(0)) var rating: Double
}

@Generable
struct Game: Equatable {
  @Guide(description: "The event", .anyOf(["open", "closed"]))
  var event: String
  @Guide(description: "Both", .count(2))
  var players: [Player]
  @Guide(description: "A square", #/[a-h][1-8]/#)
  var square: String
  @Guide(.element(.range(1...9)), .maximumCount(3))
  var rounds: [Int]
  var piece: Piece?
  var `class`: Bool
  var variations: [Game]
  static let unrelated = 3
  var count: Int { players.count }
}

@Generable(representNilExplicitlyInGeneratedContent: true)
struct Explicit: Equatable {
  var id: Int
  var note: String?
}

extension Game {
  static let sample = Game(
    event: "open", players: [Player(name: "Ada", rating: 2000.5), Player(name: "Ben", rating: 1500)],
    square: "e4", rounds: [1, 9], piece: .knight, class: true, variations: [])
}

/// As in Apple's documentation: values with an identity from the framework.
@Generable
struct SearchSuggestions: Equatable {
  @Guide(description: "Suggested terms", .count(2))
  var searchTerms: [SearchTerm]

  @Generable
  struct SearchTerm: Hashable {
    var id: GenerationID
    @Guide(description: "A few words")
    var searchTerm: String
  }
}

@Generable
struct Marked: Equatable {
  let mark: FoundationModels.GenerationID
}
