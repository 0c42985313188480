import Foundation

/// What a generated value must keep to.
public struct GenerationGuide<Value> {
  let rule: SchemaGuide
}

/// A guide, whatever the type of its value.
indirect enum SchemaGuide: Sendable {
  case choices([String])
  /// nil: it cannot be told.
  case pattern(String?)
  case bounds(NumberBounds)
  case count(CountBounds)
  case element(SchemaGuide)
}

extension GenerationGuide where Value == String {
  /// This text.
  public static func constant(_ value: String) -> GenerationGuide<String> { anyOf([value]) }

  /// One of these texts.
  public static func anyOf(_ values: [String]) -> GenerationGuide<String> {
    .init(rule: .choices(values))
  }

  /// A text that the whole of a regular expression matches. On Linux it must be written as a literal or made of a
  /// text; of another, requests throw `LanguageModelSession.GenerationError.unsupportedGuide`.
  public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
    .init(rule: .pattern(regex._literalPattern))
  }
}

extension GenerationGuide where Value == Int {
  /// At least so much.
  public static func minimum(_ value: Int) -> GenerationGuide<Int> { bounds(Double(value), nil) }

  /// At most so much.
  public static func maximum(_ value: Int) -> GenerationGuide<Int> { bounds(nil, Double(value)) }

  /// In a range.
  public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
    bounds(Double(range.lowerBound), Double(range.upperBound))
  }
}

extension GenerationGuide where Value == Float {
  /// At least so much.
  public static func minimum(_ value: Float) -> GenerationGuide<Float> { bounds(Double(value), nil) }

  /// At most so much.
  public static func maximum(_ value: Float) -> GenerationGuide<Float> { bounds(nil, Double(value)) }

  /// In a range.
  public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
    bounds(Double(range.lowerBound), Double(range.upperBound))
  }
}

extension GenerationGuide where Value == Decimal {
  /// At least so much.
  public static func minimum(_ value: Decimal) -> GenerationGuide<Decimal> {
    bounds(NSDecimalNumber(decimal: value).doubleValue, nil)
  }

  /// At most so much.
  public static func maximum(_ value: Decimal) -> GenerationGuide<Decimal> {
    bounds(nil, NSDecimalNumber(decimal: value).doubleValue)
  }

  /// In a range.
  public static func range(_ range: ClosedRange<Decimal>) -> GenerationGuide<Decimal> {
    bounds(
      NSDecimalNumber(decimal: range.lowerBound).doubleValue,
      NSDecimalNumber(decimal: range.upperBound).doubleValue)
  }
}

extension GenerationGuide where Value == Double {
  /// At least so much.
  public static func minimum(_ value: Double) -> GenerationGuide<Double> { bounds(value, nil) }

  /// At most so much.
  public static func maximum(_ value: Double) -> GenerationGuide<Double> { bounds(nil, value) }

  /// In a range.
  public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
    bounds(range.lowerBound, range.upperBound)
  }
}

extension GenerationGuide {
  /// At least so many elements.
  public static func minimumCount<Element>(_ count: Int) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: count)))
  }

  /// At most so many elements.
  public static func maximumCount<Element>(_ count: Int) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(maximum: count)))
  }

  /// As many elements as the range has it.
  public static func count<Element>(_ range: ClosedRange<Int>) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: range.lowerBound, maximum: range.upperBound)))
  }

  /// So many elements.
  public static func count<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
    .init(rule: .count(CountBounds(minimum: count, maximum: count)))
  }

  /// What each element must keep to.
  public static func element<Element>(_ guide: GenerationGuide<Element>) -> GenerationGuide<[Element]>
  where Value == [Element] {
    .init(rule: .element(guide.rule))
  }

  private static func bounds(_ minimum: Double?, _ maximum: Double?) -> GenerationGuide<Value> {
    .init(rule: .bounds(NumberBounds(minimum: minimum, maximum: maximum)))
  }
}

/// In the arguments of `@Guide` the type of the elements is not known. These are there for that alone, as in Apple's
/// framework; the schema is made by those of the elements' type.
extension GenerationGuide where Value == [Never] {
  /// At least so many elements.
  public static func minimumCount(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: count)))
  }

  /// At most so many elements.
  public static func maximumCount(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(maximum: count)))
  }

  /// As many elements as the range has it.
  public static func count(_ range: ClosedRange<Int>) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: range.lowerBound, maximum: range.upperBound)))
  }

  /// So many elements.
  public static func count(_ count: Int) -> GenerationGuide<Value> {
    .init(rule: .count(CountBounds(minimum: count, maximum: count)))
  }
}
