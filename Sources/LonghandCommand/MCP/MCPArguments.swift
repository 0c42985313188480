/// The arguments of a call, which fit the parameters of the tool.
struct MCPArguments: Sendable, Equatable {
  private var values: [String: ReceivedJSON]

  /// - Parameter values: the arguments as they were sent: null for what is left out.
  /// - Throws: a `Failure`.
  init(_ values: [String: ReceivedJSON], of tool: MCPTools.Tool) throws {
    var known: [String: ReceivedJSON] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where value != .null {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        throw Failure.usage("The tool \(tool.name) has no argument '\(name)'.")
      }
      known[name] = try parameter.value(value)
    }
    for parameter in tool.parameters where parameter.isRequired && known[parameter.name] == nil {
      throw Self.missing(parameter.name)
    }
    self.values = known
  }

  /// Only the arguments of some parameters.
  func only(_ parameters: [MCPParameter]) -> MCPArguments {
    var arguments = self
    arguments.values = values.filter { name, _ in parameters.contains { $0.name == name } }
    return arguments
  }

  func text(_ name: String) -> String? { values[name]?.text }
  func integer(_ name: String) -> Int? { values[name]?.integer }
  func number(_ name: String) -> Double? { values[name]?.number }
  func flag(_ name: String) -> Bool { values[name] == .boolean(true) }
  func texts(_ name: String) -> [String] { values[name]?.asList.compactMap(\.text) ?? [] }

  func required(_ name: String) throws -> String {
    guard let text = values[name]?.text else { throw Self.missing(name) }
    return text
  }

  private static func missing(_ name: String) -> Failure { .usage("The argument '\(name)' is missing.") }
}
