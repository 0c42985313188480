import Foundation

/// A measured value, beside that of the yardstick where there is one.
struct Figure: Encodable {
  enum Unit: String, Encodable {
    case count
    case share
    /// A difference of shares, in hundredths.
    case points
    /// A value divided by another.
    case ratio
    case milliseconds
    /// Where less than one matters.
    case fineMilliseconds
    case seconds
    case bytes
  }

  var name: String
  var unit: Unit
  var longhand: Double
  var pocketsphinx: Double?
  /// Longhand's value divided by the yardstick's.
  var ratio: Double?
  /// What is asked of Longhand's value, if anything.
  var goal: Goal?

  /// A value as people read it.
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

  /// What is asked, as people read it.
  var goalText: String {
    switch goal {
    case .atMost(let most): "at most \(text(most))"
    case .atLeast(let least): "at least \(text(least))"
    case nil: ""
    }
  }

  static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
}
