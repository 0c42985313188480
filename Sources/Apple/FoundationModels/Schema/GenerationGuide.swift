import Foundation

/// A limit for a generated value.
public struct GenerationGuide<Value> {
  let rule: SchemaGuide
}

/// A guide without the type of its value.
indirect enum SchemaGuide: Sendable {
  case choices([String])
  /// A regular expression; nil if it has no text form.
  case pattern(String?)
  case bounds(NumberBounds)
  case count(CountBounds)
  case element(SchemaGuide)
}

extension GenerationGuide where Value == String {
  /// Exactly this text.
  public static func constant(_ value: String) -> GenerationGuide<String> { anyOf([value]) }

  /// One of these texts.
  public static func anyOf(_ values: [String]) -> GenerationGuide<String> {
    .init(rule: .choices(values))
  }

  /// A text that a regular expression matches as a whole. On Linux the expression must be a literal or created from a
  /// string; with others, requests throw `LanguageModelSession.GenerationError.unsupportedGuide`.
  public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
    .init(rule: .pattern(regex._literalPattern))
  }
}

extension GenerationGuide where Value == Int {
  /// At least this value.
  public static func minimum(_ value: Int) -> GenerationGuide<Int> { bounds(Double(value), nil) }

  /// At most this value.
  public static func maximum(_ value: Int) -> GenerationGuide<Int> { bounds(nil, Double(value)) }

  /// A value in this range.
  public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
    bounds(Double(range.lowerBound), Double(range.upperBound))
  }
}

extension GenerationGuide where Value == Float {
  /// At least this value.
  public static func minimum(_ value: Float) -> GenerationGuide<Float> { bounds(Double(value), nil) }

  /// At most this value.
  public static func maximum(_ value: Float) -> GenerationGuide<Float> { bounds(nil, Double(value)) }

  /// A value in this range.
  public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
    bounds(Double(range.lowerBound), Double(range.upperBound))
  }
}

extension GenerationGuide where Value == Decimal {
  /// At least this value.
  public static func minimum(_ value: Decimal) -> GenerationGuide<Decimal> {
    bounds(NSDecimalNumber(decimal: value).doubleValue, nil)
  }

  /// At most this value.
  public static func maximum(_ value: Decimal) -> GenerationGuide<Decimal> {
    bounds(nil, NSDecimalNumber(decimal: value).doubleValue)
  }

  /// A value in this range.
  public static func range(_ range: ClosedRange<Decimal>) -> GenerationGuide<Decimal> {
    bounds(
      NSDecimalNumber(decimal: range.lowerBound).doubleValue,
      NSDecimalNumber(decimal: range.upperBound).doubleValue)
  }
}

extension GenerationGuide where Value == Double {
  /// At least this value.
  public static func minimum(_ value: Double) -> GenerationGuide<Double> { bounds(value, nil) }

  /// At most this value.
  public static func maximum(_ value: Double) -> GenerationGuide<Double> { bounds(nil, value) }

  /// A value in this range.
  public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
    bounds(range.lowerBound, range.upperBound)
  }
}

extension GenerationGuide {
  /// At least this number of elements.
  public static func minimumCount<Element>(_ count: Int) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: count)))
  }

  /// At most this number of elements.
  public static func maximumCount<Element>(_ count: Int) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(maximum: count)))
  }

  /// A number of elements in this range.
  public static func count<Element>(_ range: ClosedRange<Int>) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: range.lowerBound, maximum: range.upperBound)))
  }

  /// Exactly this number of elements.
  public static func count<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: count, maximum: count)))
  }

  /// A limit for each element.
  public static func element<Element>(_ guide: GenerationGuide<Element>) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .element(guide.rule))
  }

  private static func bounds(_ minimum: Double?, _ maximum: Double?) -> GenerationGuide<Value> {
    .init(rule: .bounds(NumberBounds(minimum: minimum, maximum: maximum)))
  }
}

/// In the arguments of `@Guide` the compiler does not know the type of the elements and uses these functions, as in
/// Apple's framework. The schema is created with the functions for the type of the elements.
extension GenerationGuide where Value == [Never] {
  /// At least this number of elements.
  public static func minimumCount(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: count)))
  }

  /// At most this number of elements.
  public static func maximumCount(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(maximum: count)))
  }

  /// A number of elements in this range.
  public static func count(_ range: ClosedRange<Int>) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: range.lowerBound, maximum: range.upperBound)))
  }

  /// Exactly this number of elements.
  public static func count(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: count, maximum: count)))
  }
}
