import Foundation
import RecognitionProtocol
import Sandboxing
import ServiceSupport

/// The program of a neural recognizer: it serves a client, or does what its argument says.
package struct NeuralProgram<Engine: NeuralEngine> {
  private let usage: String
  private let enterSandbox: () -> Void

  /// - Parameters:
  ///   - usage: what `--help` prints.
  ///   - enterSandbox: called once, when the model is loaded.
  package init(usage: String, enterSandbox: @escaping () -> Void) {
    (self.usage, self.enterSandbox) = (usage, enterSandbox)
  }

  /// Runs the program, and ends it if its arguments or what they ask for fail.
  /// - Parameter others: arguments of this program alone; false for those that it does not know.
  package func run(_ others: ([String]) throws -> Bool = { _ in false }) {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if try others(arguments) { return }
      switch (arguments.first, arguments.count) {
      case (nil, _):
        ServiceLoop<NeuralRecognizer<Engine>>(
          channel: ServiceChannel(descriptor: STDIN_FILENO), enterSandbox: enterSandbox
        ).run()
      case ("--check", 2):
        print(String(decoding: try JSONEncoder().encode(recognizer(arguments[1]).description), as: UTF8.self))
      case ("--attempt", 2):
        let loaded = try recognizer(arguments[1])
        enterSandbox()
        let attempts = Sandbox.attempts()
        // The library must still work.
        loaded.begin()
        _ = loaded.append([Int16](repeating: 3, count: RecognitionLimits.sampleRate))
        _ = try loaded.finish()
        print(String(decoding: try JSONEncoder().encode(attempts), as: UTF8.self))
      case ("--help", 1): print(usage, terminator: "")
      default:
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
      }
    } catch {
      FileHandle.standardError.write(Data("\(Engine.recognizer.program): \(error)\n".utf8))
      exit(1)
    }
  }

  private func recognizer(_ folder: String) throws -> NeuralRecognizer<Engine> {
    try NeuralRecognizer<Engine>(
      configuration: ServiceConfiguration(
        model: ModelReference(Engine.recognizer, folder: folder, digest: "")))
  }
}
