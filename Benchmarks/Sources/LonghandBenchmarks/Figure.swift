import Foundation

/// A measured value, beside that of the yardstick where there is one.
struct Figure: Encodable {
  enum Unit: String, Encodable {
    case count
    case share
    case seconds
    case bytes
  }

  var name: String
  var unit: Unit
  var longhand: Double
  var pocketsphinx: Double?
  /// Longhand's value divided by the yardstick's.
  var ratio: Double?

  /// A value as people read it.
  func text(_ value: Double) -> String {
    switch unit {
    case .count: String(format: "%.0f", value)
    case .share: String(format: "%.2f %%", value * 100)
    case .seconds: Self.seconds(value)
    case .bytes: String(format: "%.1f MB", value / 1e6)
    }
  }

  static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
}
