/// What a model keeps to in a whole session.
public struct Instructions: Sendable {
  let text: String

  init(text: String) { self.text = text }

  /// Instructions of one thing.
  public init(_ content: some InstructionsRepresentable) { self = content.instructionsRepresentation }

  @usableFromInline
  init<each I>(_ components: repeat each I) where repeat each I: InstructionsRepresentable {
    var lines: [String] = []
    for component in repeat each components { lines.append(component.instructionsRepresentation.text) }
    self.init(lines: lines)
  }

  /// Instructions that are put together.
  public init(@InstructionsBuilder _ content: () throws -> Instructions) rethrows { self = try content() }

  init(lines: [String]) { text = lines.filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// What can stand in instructions.
public protocol InstructionsRepresentable {
  /// How it stands there.
  @InstructionsBuilder var instructionsRepresentation: Instructions { get }
}

extension Instructions: InstructionsRepresentable {
  /// The instructions themselves.
  public var instructionsRepresentation: Instructions { return self }
}

extension String: InstructionsRepresentable {
  /// The text as it is.
  public var instructionsRepresentation: Instructions { return Instructions(text: self) }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {
  /// The elements, a line each.
  public var instructionsRepresentation: Instructions {
    return Instructions(lines: map(\.instructionsRepresentation.text))
  }
}
