import Foundation
import Longhand
import Synchronization

/// One connection of the Model Context Protocol, revision 2025-06-18: takes lines and writes lines. It opens nothing.
final class MCPSession: Sendable {
  /// The name of a request: a text or a number.
  typealias RequestID = ReceivedJSON

  private struct Running {
    var task: Task<Void, Never>
    var isLong: Bool
    /// The progress that was reported last, in seconds.
    var progress = -1.0
  }

  private struct Calls {
    /// Those that are not answered, by the IDs of their requests.
    var running: [RequestID: Running] = [:]
    /// Those whose answers are not written, by their numbers.
    var tasks: [Int: Task<Void, Never>] = [:]
    var count = 0
  }

  /// Without 2025-03-26, whose servers have to take several messages in one array.
  private static let revisions = ["2025-06-18", "2024-11-05"]
  /// The most calls of tools at a time.
  private static let maxRunning = 16

  private let tools: MCPTools
  private let write: @Sendable (String) throws -> Void
  private let calls = Mutex(Calls())
  private let output = Mutex(())

  /// - Parameter write: writes one line.
  init(_ tools: MCPTools, write: @escaping @Sendable (String) throws -> Void) {
    self.tools = tools
    self.write = write
  }

  /// Handles one line; calls of tools go on when this returns.
  func receive(_ line: LineReader.Line) {
    guard case .bytes(let bytes) = line else { return send(.invalid("The message is too long.")) }
    guard bytes.contains(where: { !Character(UnicodeScalar($0)).isWhitespace }) else { return }
    guard let message = try? ReceivedJSON(bytes) else {
      return send(MCPError(code: -32700, message: "The message is not JSON."))
    }
    guard message.members != nil else { return send(.invalid("The message is not an object.")) }
    guard let method = message["method"]?.text else {
      // An answer to a request; the server sends none.
      if message["result"] == nil, message["error"] == nil { send(.invalid("The message has no method.")) }
      return
    }
    guard let id = message["id"] else { return notice(method, message["params"]) }
    guard id.text != nil || id.integer != nil else {
      return send(.invalid("The ID of a request is a text or a whole number."))
    }
    guard message["jsonrpc"]?.text == "2.0" else {
      return send(.invalid("The message is not of JSON-RPC 2.0."), to: id)
    }
    answer(id, method, message["params"])
  }

  /// Waits for the calls that are running; cancels those that take long, because their reader is gone.
  func finish() async {
    let tasks = calls.withLock { calls in
      for call in calls.running.values where call.isLong { call.task.cancel() }
      return calls.tasks.values.map(\.self)
    }
    for task in tasks { await task.value }
  }

  /// Cancels all calls.
  func cancel() { calls.withLock { for call in $0.running.values { call.task.cancel() } } }

  private func notice(_ method: String, _ parameters: ReceivedJSON?) {
    guard method == "notifications/cancelled", let id = parameters?["requestId"] else { return }
    calls.withLock { $0.running[id]?.task.cancel() }
  }

  private func answer(_ id: RequestID, _ method: String, _ parameters: ReceivedJSON?) {
    do {
      switch method {
      case "initialize": send(greeting(parameters), to: id)
      case "ping": send(.object([]), to: id)
      case "tools/list": send(tools.listing, to: id)
      case "tools/call": try call(id, parameters)
      case "resources/list": send(try tools.scope.resources(after: parameters?["cursor"]?.text), to: id)
      case "resources/templates/list": send(MCPScope.templates, to: id)
      case "prompts/list": send(MCPPrompts.listing, to: id)
      case "prompts/get": send(try MCPPrompts(scope: tools.scope).prompt(parameters), to: id)
      case "resources/read": send(try tools.scope.resource(parameters?["uri"]?.text ?? ""), to: id)
      default: send(MCPError(code: -32601, message: "There is no method '\(method)'."), to: id)
      }
    } catch let error as MCPError {
      send(error, to: id)
    } catch {
      send(MCPError(code: -32603, message: Failure(error).message), to: id)
    }
  }

  private func greeting(_ parameters: ReceivedJSON?) -> JSONValue {
    let wanted = parameters?["protocolVersion"]?.text ?? ""
    return .object([
      // A client knows the revisions before its own rather than those after it.
      ("protocolVersion", .string(Self.revisions.first { $0 <= wanted } ?? Self.revisions[0])),
      (
        "capabilities",
        .object([("tools", .object([])), ("resources", .object([])), ("prompts", .object([]))])
      ),
      (
        "serverInfo",
        .object([
          ("name", .string("longhand")), ("title", .string("Longhand")),
          ("version", .string(String(HelpPage.version.dropFirst("longhand ".count)))),
        ])
      ),
      ("instructions", .string(tools.instructions)),
    ])
  }

  private func call(_ id: RequestID, _ parameters: ReceivedJSON?) throws {
    let name = parameters?["name"]?.text ?? ""
    guard let tool = tools.tool(named: name) else { throw MCPError.parameters("There is no tool '\(name)'.") }
    guard let members = ReceivedJSON.arguments(in: parameters) else {
      throw MCPError.parameters("The arguments of a tool are an object.")
    }
    let token = parameters?["_meta"]?["progressToken"]
    let problem = calls.withLock { calls -> MCPError? in
      guard calls.running[id] == nil else { return .invalid("A request with this ID is running.") }
      guard calls.running.count < Self.maxRunning else {
        return MCPError(code: -32000, message: "Too many calls are running. Wait for an answer.")
      }
      calls.count += 1
      let number = calls.count
      let task = Task {
        let result = await self.result(of: tool, members) { self.progress(id, token, $0, $1) }
        let isCancelled = Task.isCancelled
        // Before the answer: after it, the program may use the ID again.
        _ = self.calls.withLock { $0.running.removeValue(forKey: id) }
        // A request that was cancelled gets no answer.
        if !isCancelled { self.send(result, to: id) }
        _ = self.calls.withLock { $0.tasks.removeValue(forKey: number) }
      }
      calls.running[id] = Running(task: task, isLong: tool.isLong)
      calls.tasks[number] = task
      return nil
    }
    if let problem { throw problem }
  }

  private func result(
    of tool: MCPTools.Tool, _ arguments: [String: ReceivedJSON],
    progress: @escaping MCPTools.Progress
  ) async -> JSONValue {
    do {
      let document = try await tool.run(try MCPArguments(arguments, of: tool), progress)
      return .object([
        ("content", .array([.object([("type", .string("text")), ("text", .string(document.text))])])),
        ("structuredContent", document), ("isError", .boolean(false)),
      ])
    } catch {
      let failure = Failure(error)
      let text = failure.message + (failure.hint.map { " \($0)" } ?? "")
      return .object([
        ("content", .array([.object([("type", .string("text")), ("text", .string(text))])])),
        ("isError", .boolean(true)),
      ])
    }
  }

  /// Reports progress, if it has increased: the protocol allows no value again.
  private func progress(_ id: RequestID, _ token: ReceivedJSON?, _ done: Double, _ total: Double) {
    guard let token = token.flatMap(Self.json), !Task.isCancelled else { return }
    let done = (done * 1000).rounded() / 1000
    let members: [(key: String, value: JSONValue)] = [
      ("method", .string("notifications/progress")),
      (
        "params",
        .object([("progressToken", token), ("progress", .seconds(done)), ("total", .seconds(total))])
      ),
    ]
    write(members) {
      calls.withLock { calls in
        guard let call = calls.running[id], done > call.progress else { return false }
        calls.running[id]?.progress = done
        return true
      }
    }
  }

  private func send(_ result: JSONValue, to id: RequestID) {
    write([("id", Self.json(id) ?? .null), ("result", result)])
  }

  private func send(_ error: MCPError, to id: RequestID? = nil) {
    write([
      ("id", id.flatMap(Self.json) ?? .null),
      ("error", .object([("code", .integer(error.code)), ("message", .string(error.message))])),
    ])
  }

  /// - Parameter isDue: whether it is written now, after all that was written before.
  private func write(_ members: [(key: String, value: JSONValue)], isDue: () -> Bool = { true }) {
    let line = JSONValue.object([("jsonrpc", .string("2.0"))] + members).text + "\n"
    // If the reader is gone, standard input ends too.
    output.withLock { _ in if isDue() { try? write(line) } }
  }

  private static func json(_ id: ReceivedJSON) -> JSONValue? {
    id.text.map(JSONValue.string) ?? id.integer.map(JSONValue.integer)
  }
}

/// An error of the protocol.
struct MCPError: Error, Hashable {
  var code: Int
  var message: String

  static func invalid(_ message: String) -> MCPError { MCPError(code: -32600, message: message) }
  static func parameters(_ message: String) -> MCPError { MCPError(code: -32602, message: message) }
}
