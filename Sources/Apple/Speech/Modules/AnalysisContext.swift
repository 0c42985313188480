import Foundation
import Synchronization

/// What an analyzer may know beyond the sound: words that are likely to be said, and the caller's own data.
///
/// A context can be read and changed from everywhere. An analyzer reads it when it is given to
/// `SpeechAnalyzer.setContext(_:)`: later changes of the same context are for the next time it is given.
final public class AnalysisContext: Sendable {
  /// What the words of `contextualStrings` are about.
  public struct ContextualStringsTag: RawRepresentable, Sendable, Equatable, Hashable {
    /// Words and phrases of no particular kind.
    public static let general = ContextualStringsTag("general")

    /// The tag's name.
    public let rawValue: String

    /// A tag of any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// A tag of any name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The name of one of the caller's own data.
  public struct UserDataTag: RawRepresentable, Sendable, Equatable, Hashable {
    /// The tag's name.
    public let rawValue: String

    /// A tag of any name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// A tag of any name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  private struct State {
    var contextualStrings: [ContextualStringsTag: [String]] = [:]
    var userData: [UserDataTag: any Sendable] = [:]
  }

  private let state = Mutex(State())

  /// A context without anything.
  public init() {}

  /// Words and phrases that are likely to be said. Each reading and each writing is one step for other
  /// threads; a change in place is two.
  final public var contextualStrings: [ContextualStringsTag: [String]] {
    get { state.withLock { $0.contextualStrings } }
    set { state.withLock { $0.contextualStrings = newValue } }
  }

  /// The caller's own data, which no module of this framework reads.
  final public var userData: [UserDataTag: any Sendable] {
    get { state.withLock { $0.userData } }
    set { state.withLock { $0.userData = newValue } }
  }
}
