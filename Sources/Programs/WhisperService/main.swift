import ChildProcesses
import Foundation
import NeuralRecognition
import Sandboxing

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

let usage = """
  usage: whisper-service [--check FOLDER | --attempt FOLDER | --help]

  Serves one client over the socket on standard input. The Speech framework starts it.
    --check    load the model in FOLDER, decode a second with it, and print its description
    --attempt  load the model, enter the sandbox, try what it must refuse, and print the error numbers
    --help     print this text

  """

NeuralProgram<WhisperEngine>(usage: usage, enterSandbox: enterSandbox).run()
