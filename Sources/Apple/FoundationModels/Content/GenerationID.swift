import Foundation

/// Tells generated values apart. It stays the same in all snapshots of a streamed answer.
public struct GenerationID: Sendable, Hashable {
  private let value = UUID()

  /// A new one, unlike all others.
  public init() {}
}
