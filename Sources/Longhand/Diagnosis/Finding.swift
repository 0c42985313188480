/// One thing that Longhand stands on, and whether it is there.
public struct Finding: Sendable, Hashable, Codable {
  /// Whether a thing is there.
  public enum State: String, Sendable, Hashable, Codable {
    /// It is there and works.
    case ok
    /// It is needed, and not there or not working.
    case missing
    /// Everything works, but something may soon not.
    case warning
  }

  /// What was looked at, such as `temporary folder`.
  public var name: String
  /// Whether it is there.
  public var state: State
  /// What was found: a version, a path, or what is wrong.
  public var detail: String
  /// The command that mends it; nil when there is nothing to mend.
  public var remedy: String?

  /// Each field by its name.
  public init(name: String, state: State, detail: String, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.detail = detail
    self.remedy = remedy
  }
}
