import Foundation

/// A measured value, with that of the baseline if there is one.
struct Figure: Encodable {
  enum Unit: String, Encodable {
    case count
    case share
    /// A difference of shares in percentage points.
    case points
    /// A quotient of two values.
    case ratio
    case milliseconds
    /// Milliseconds with two decimals.
    case fineMilliseconds
    case seconds
    case bytes
  }

  var name: String
  var unit: Unit
  var longhand: Double
  var pocketsphinx: Double?
  /// Longhand's value divided by that of the baseline.
  var ratio: Double?
  /// The goal for Longhand's value, if there is one.
  var goal: Goal?

  /// A value with its unit, for people.
  func text(_ value: Double) -> String {
    switch unit {
    case .count: String(format: "%.0f", value)
    case .share: String(format: "%.2f %%", value * 100)
    case .points: String(format: "%.2f points", value)
    case .ratio: String(format: "%.3f", value)
    case .milliseconds: String(format: "%.0f ms", value)
    case .fineMilliseconds: String(format: "%.2f ms", value)
    case .seconds: Self.seconds(value)
    case .bytes: String(format: "%.1f MB", value / 1e6)
    }
  }

  /// The goal, for people.
  var goalText: String {
    switch goal {
    case .atMost(let limit): "at most \(text(limit))"
    case .atLeast(let limit): "at least \(text(limit))"
    case nil: ""
    }
  }

  static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
}

/// The goal of a figure. It is printed next to the value and never asserted.
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
    case .atMost(let limit): try container.encode(limit, forKey: .atMost)
    case .atLeast(let limit): try container.encode(limit, forKey: .atLeast)
    }
  }
}
