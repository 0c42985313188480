/// What a model is asked.
public struct Prompt: Sendable {
  let text: String

  init(text: String) { self.text = text }

  /// A prompt of one thing.
  public init(_ content: some PromptRepresentable) { self = content.promptRepresentation }

  @usableFromInline
  init<each P>(_ components: repeat each P) where repeat each P: PromptRepresentable {
    var lines: [String] = []
    for component in repeat each components { lines.append(component.promptRepresentation.text) }
    self.init(lines: lines)
  }

  /// A prompt that is put together.
  public init(@PromptBuilder _ content: () throws -> Prompt) rethrows { self = try content() }

  init(lines: [String]) { text = lines.filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// What can stand in a prompt.
public protocol PromptRepresentable {
  /// How it stands there.
  @PromptBuilder var promptRepresentation: Prompt { get }
}

extension Prompt: PromptRepresentable {
  /// The prompt itself.
  public var promptRepresentation: Prompt { return self }
}

extension String: PromptRepresentable {
  /// The text as it is.
  public var promptRepresentation: Prompt { return Prompt(text: self) }
}

extension Array: PromptRepresentable where Element: PromptRepresentable {
  /// The elements, a line each.
  public var promptRepresentation: Prompt { return Prompt(lines: map(\.promptRepresentation.text)) }
}
