/// What is asked of a figure. Nothing is asserted: it stands beside what was measured.
enum Goal: Encodable {
  case atMost(Double)
  case atLeast(Double)

  private enum CodingKeys: CodingKey {
    case atMost
    case atLeast
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .atMost(let most): try container.encode(most, forKey: .atMost)
    case .atLeast(let least): try container.encode(least, forKey: .atLeast)
    }
  }
}
