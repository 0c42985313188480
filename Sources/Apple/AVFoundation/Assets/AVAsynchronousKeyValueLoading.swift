import Foundation

/// A property that `load(_:)` reads, with the type of its value.
open class AVPartialAsyncProperty<Root: Sendable>: @unchecked Sendable {
  fileprivate init() {}
}

/// A property of `Root` that `load(_:)` reads.
///
/// `@unchecked Sendable`: nothing changes after `init`.
public final class AVAsyncProperty<Root: Sendable, T>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
  let value: (Root) throws -> T

  init(_ value: @escaping (Root) throws -> T) {
    self.value = value
    super.init()
  }
}

/// Properties that are loaded without blocking the caller.
public protocol AVAsynchronousKeyValueLoading: Sendable {}

extension AVAsynchronousKeyValueLoading {
  /// Loads a property, such as `try await asset.load(.duration)`. Throws if the media cannot be read.
  public func load<T: Sendable>(_ property: AVAsyncProperty<Self, T>) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try property.value(self) }) }
    }
  }

  /// Loads two properties, such as `try await asset.load(.duration, .tracks)`.
  public func load<A: Sendable, B: Sendable>(
    _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>
  ) async throws -> (A, B) { (try await load(first), try await load(second)) }

  /// Loads three properties.
  public func load<A: Sendable, B: Sendable, C: Sendable>(
    _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>,
    _ third: AVAsyncProperty<Self, C>
  ) async throws -> (A, B, C) { (try await load(first), try await load(second), try await load(third)) }
}
