import Foundation

/// Which sessions a list or a search takes. What is nil does not matter.
public struct SessionFilter: Sendable, Hashable {
  /// A tag that the session has.
  public var tag: String?
  /// The session started at this time or later.
  public var since: Date?
  /// The ID of the only session.
  public var session: String?

  /// Creates a filter.
  public init(tag: String? = nil, since: Date? = nil, session: String? = nil) {
    self.tag = tag
    self.since = since
    self.session = session
  }

  /// `since` as the store has it.
  var sinceValue: StoreValue { since.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null }
}
