import ChildProcesses
import Foundation
import NeuralRecognition
import Sandboxing
import ServiceSupport
import RecognitionProtocol

// The recognizer has its own process, because the library ends its process on some errors. Standard input is the socket
// to the client, in both directions.

ChildProcess.closeInheritedFiles()

// Threads that wait for each other must not keep a processor from others. OpenMP reads this when the program starts.
if ProcessInfo.processInfo.environment["OMP_WAIT_POLICY"] == nil {
  setenv("OMP_WAIT_POLICY", "PASSIVE", 1)
  setenv("GOMP_SPINCOUNT", "0", 1)
  var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
  execv("/proc/self/exe", &arguments)
}

/// A second of audio was decoded before: the threads that the library needs run already, and nothing is opened any more. The
/// weights of the largest model have 3 GB.
func enterSandbox() { _ = Sandbox.enterRecognizer(memory: 8 << 30, isClosed: true) }

func recognizer(_ folder: String) throws -> NeuralRecognizer<WhisperEngine> {
  try NeuralRecognizer<WhisperEngine>(
    configuration: ServiceConfiguration(model: ModelReference(.whisper, folder: folder, digest: "")))
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case (nil, _):
    ServiceLoop<NeuralRecognizer<WhisperEngine>>(
      channel: ServiceChannel(descriptor: STDIN_FILENO), enterSandbox: enterSandbox
    ).run()
  case ("--check", 2):
    print(String(decoding: try JSONEncoder().encode(try recognizer(arguments[1]).description), as: UTF8.self))
  case ("--attempt", 2):
    let loaded = try recognizer(arguments[1])
    enterSandbox()
    let attempts = Sandbox.attempts()
    // The library must still work.
    loaded.begin()
    _ = loaded.append([Int16](repeating: 3, count: RecognitionLimits.sampleRate))
    _ = try loaded.finish()
    print(String(decoding: try JSONEncoder().encode(attempts), as: UTF8.self))
  default:
    let usage = """
      usage: whisper-service [--check FOLDER | --attempt FOLDER | --help]

      Serves one client over the socket on standard input. The Speech framework starts it.
        --check    load the model in FOLDER, decode a second with it, and print its description
        --attempt  load the model, enter the sandbox, try what it must refuse, and print the error numbers
        --help     print this text

      """
    if arguments == ["--help"] {
      print(usage, terminator: "")
    } else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
  }
} catch {
  FileHandle.standardError.write(Data("whisper-service: \(error)\n".utf8))
  exit(1)
}
