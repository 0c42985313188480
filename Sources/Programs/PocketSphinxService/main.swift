import ChildProcesses
import Foundation
import Sandboxing
import ServiceSupport
import RecognitionProtocol

// The recognizer has its own process, because PocketSphinx ends its process on some errors. Standard input is the socket
// to the client, in both directions.

ChildProcess.closeInheritedFiles()

do {
  switch CommandLine.arguments.dropFirst().first {
  case nil:
    ServiceLoop<Decoder>(channel: ServiceChannel(descriptor: STDIN_FILENO)) {
      _ = Sandbox.enterRecognizer()
    }.run()
  case "--check":
    let description = try Decoder(configuration: ServiceConfiguration(model: .pocketSphinx)).description
    print(String(decoding: try JSONEncoder().encode(description), as: UTF8.self))
  case "--attempt":
    _ = try Decoder(configuration: ServiceConfiguration(model: .pocketSphinx))
    _ = Sandbox.enterRecognizer()
    print(String(decoding: try JSONEncoder().encode(Sandbox.attempts()), as: UTF8.self))
  case "--model":
    print(try Model(locale: Model.locale).folder)
  default:
    FileHandle.standardError.write(
      Data(
        """
        usage: pocketsphinx-service [--check | --model | --attempt]

        Serves one client over the socket on standard input. The Speech framework starts it.
          --check   load the model and print its description
          --model   print the folder of the model
          --attempt load the model, enter the sandbox, try what it must refuse, and print the error numbers

        """.utf8))
    exit(CommandLine.arguments.contains("--help") ? 0 : 2)
  }
} catch {
  FileHandle.standardError.write(Data("pocketsphinx-service: \(error)\n".utf8))
  exit(1)
}
