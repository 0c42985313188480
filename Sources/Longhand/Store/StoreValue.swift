import Foundation

/// A value of a statement or of a row.
enum StoreValue: Sendable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case data(Data)

  init(_ text: String?) { self = text.map(Self.text) ?? .null }
}
