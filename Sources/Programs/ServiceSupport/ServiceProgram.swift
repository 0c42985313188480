import ChildProcesses
import Foundation
import RecognitionProtocol
import Sandboxing

/// The program of a recognizer: it serves a client, or does what its arguments say. A recognizer has its own process,
/// because libraries end theirs on some errors.
package struct ServiceProgram<Service: ServiceRecognizer> {
  private let recognizer: Recognizer
  private let memory: UInt64
  private let isClosed: Bool
  private let others: (synopsis: String, help: String)

  /// - Parameters:
  ///   - memory: the bytes that decoding may take.
  ///   - isClosed: whether the library opens nothing any more when its model is loaded, because its threads run already.
  ///   - others: arguments of this program alone, for `--help`.
  package init(
    _ recognizer: Recognizer, memory: UInt64, isClosed: Bool,
    others: (synopsis: String, help: String) = ("", "")
  ) {
    (self.recognizer, self.memory, self.isClosed, self.others) = (recognizer, memory, isClosed, others)
  }

  /// Users install the models of most recognizers, in folders of their own.
  private var operand: String { recognizer.ownLanguages.isEmpty ? " FOLDER" : "" }

  private var usage: String {
    """
    usage: \(recognizer.program) [--check\(operand) | --attempt\(operand)\(others.synopsis) | --help]

    Serves one client over the socket on standard input, in both directions. The Speech framework starts it.
      --check    load the model, and print its description
      --attempt  load the model, enter the sandbox, try what it must refuse, and print the error numbers
    \(others.help)  --help     print this text

    """
  }

  /// Enters the sandbox, once the model is loaded.
  package func enterSandbox() { _ = Sandbox.enterRecognizer(memory: memory, isClosed: isClosed) }

  /// Runs the program, and ends it if its arguments or what they ask for fail.
  /// - Parameter others: runs the arguments of this program alone; returns false for those that it does not know.
  package func run(_ others: ([String]) throws -> Bool = { _ in false }) {
    ChildProcess.closeInheritedFiles()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let count = operand.isEmpty ? 1 : 2
    do {
      if try others(arguments) { return }
      switch (arguments.first, arguments.count) {
      case (nil, _):
        ServiceLoop<Service>(channel: ServiceChannel(descriptor: STDIN_FILENO), enterSandbox: enterSandbox)
          .run()
      case ("--check", count): try printJSON(load(arguments).description)
      case ("--attempt", count):
        let service = try load(arguments)
        var attempts: [String: Int32] = [:]
        if Sandbox.isLoader {
          for (name, error) in Sandbox.attempts() { attempts["\(name), loading"] = error }
        }
        enterSandbox()
        attempts.merge(Sandbox.attempts()) { $1 }
        // The library must still work.
        service.begin()
        _ = service.append([Int16](repeating: 3, count: 16_000))
        _ = try service.finish()
        try printJSON(attempts)
      case ("--help", 1): print(usage, terminator: "")
      default:
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
      }
    } catch {
      FileHandle.standardError.write(Data("\(recognizer.program): \(error)\n".utf8))
      exit(1)
    }
  }

  private func load(_ arguments: [String]) throws -> Service {
    let folder = operand.isEmpty ? "" : arguments[1]
    return try Service(
      configuration: ServiceConfiguration(model: ModelReference(recognizer, folder: folder, digest: "")))
  }

  private func printJSON(_ value: some Encodable) throws {
    print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
  }
}
