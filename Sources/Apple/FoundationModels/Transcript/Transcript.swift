/// What was said in a session, in order.
public struct Transcript: Sendable, Equatable, RandomAccessCollection {
  /// What it is a list of.
  public typealias Element = Entry

  /// One turn.
  public enum Entry: Sendable, Identifiable, Equatable {
    /// What the model keeps to.
    case instructions(Instructions)
    /// What it was asked.
    case prompt(Prompt)
    /// What it asked of tools.
    case toolCalls(ToolCalls)
    /// What a tool gave back.
    case toolOutput(ToolOutput)
    /// What it answered.
    case response(Response)

    /// The turn's identity.
    public var id: String {
      switch self {
      case .instructions(let entry): entry.id
      case .prompt(let entry): entry.id
      case .toolCalls(let entry): entry.id
      case .toolOutput(let entry): entry.id
      case .response(let entry): entry.id
      }
    }
  }

  private var entries: [Entry]

  /// A transcript of turns.
  public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

  /// A turn.
  public subscript(index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  /// The first turn's index.
  public var startIndex: Int { entries.startIndex }

  /// The index behind the last turn.
  public var endIndex: Int { entries.endIndex }

  mutating func append(_ entry: Entry) { entries.append(entry) }
}
