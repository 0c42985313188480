import Foundation
import Synchronization

/// Where a module's results wait to be read, and which analyzer the module belongs to.
final class ModuleOutput<Element: Sendable>: Sendable {
  let stream: AsyncThrowingStream<Element, any Error>
  private let continuation: AsyncThrowingStream<Element, any Error>.Continuation
  private let owner = Mutex<UUID?>(nil)

  init() { (stream, continuation) = AsyncThrowingStream.makeStream() }

  /// Gives the module to an analyzer; false if it belongs to another one.
  func claim(for analyzer: UUID) -> Bool {
    owner.withLock { owner in
      if owner == nil { owner = analyzer }
      return owner == analyzer
    }
  }

  func publish(_ element: Element) { continuation.yield(element) }

  /// Ends the results, with the error that ended the analysis.
  func finish(_ error: (any Error)?) { continuation.finish(throwing: error) }
}
