/// How long an answer may be, and what its parts have.
struct MCPForm: Sendable {
  /// What segments can have beside their text.
  enum Detail: String, Sendable, CaseIterable {
    case words, alternatives, normalized
  }

  static let usualCharacters = 30_000
  static let include = MCPParameter(
    "include", .texts(Detail.allCases.map(\.rawValue)),
    "What segments have beside their text. 'words': each with its time and confidence; 'alternatives': all candidates of "
      + "the recognizer and which one was chosen by which rule; 'normalized': the second text with corrected names, and "
      + "the terms with their IDs.")

  var maxCharacters = usualCharacters
  /// The address of the page, for links; nil for none.
  var page: String?
  var details: Set<Detail> = []

  init(maxCharacters: Int = usualCharacters) { self.maxCharacters = maxCharacters }

  /// - Parameter scope: knows the address of the page; nil where nothing has one.
  init(_ arguments: MCPArguments, of scope: MCPScope? = nil) {
    maxCharacters = arguments.integer(MCPParameter.maxCharacters.name) ?? Self.usualCharacters
    page = arguments.flag(MCPParameter.links.name) ? scope?.address : nil
    details = Set(arguments.texts(Self.include.name).compactMap(Detail.init))
  }
}
