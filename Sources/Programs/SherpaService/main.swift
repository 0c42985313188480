import ChildProcesses
import Foundation
import Sandboxing
import ModelStorage
import NeuralRecognition
import RecognitionProtocol

// The recognizer has its own process, because the library ends its process on some errors. Standard input is the socket
// to the client, in both directions.

ChildProcess.closeInheritedFiles()

/// Networks of half a gigabyte take more than their own size for an utterance of 30 seconds. The library starts threads
/// before the sandbox is entered; therefore nothing may be opened any more.
func enterSandbox() { _ = Sandbox.enterRecognizer(memory: 4 << 30, isClosed: true) }

let usage = """
  usage: sherpa-service [--check FOLDER | --attempt FOLDER | --speakers FOLDER COUNT
         | --punctuation FOLDER | --help]

  Serves one client over the socket on standard input. The Speech framework starts it.
    --check    load the model in FOLDER, decode a second with it, and print its description
    --attempt  load the model, enter the sandbox, try what it must refuse, and print the error numbers
    --speakers load the model in FOLDER, read 16 kHz samples of 16 bits from the socket on standard input, and write
               who speaks when to it as JSON; COUNT is the number of voices, or auto
    --punctuation  load the model in FOLDER, and answer each text from the socket on standard input with the same
               text in which there are punctuation and capitals
    --help     print this text

  """

NeuralProgram<SherpaEngine>(usage: usage, enterSandbox: enterSandbox).run { arguments in
  switch (arguments.first, arguments.count) {
  case ("--speakers", 3):
    try SpeakerNetworks.serve(
      arguments[1], count: Int(arguments[2]), ServiceChannel(descriptor: STDIN_FILENO), loaded: enterSandbox)
  case ("--punctuation", 2):
    try PunctuationNetwork.serve(
      arguments[1], ServiceChannel(descriptor: STDIN_FILENO), loaded: enterSandbox)
  case ("--check", 2):
    switch (try? ModelInspection(folder: arguments[1]))?.family {
    case .some(.speakers): _ = try SpeakerNetworks(arguments[1], count: nil)
    case .some(.punctuation): _ = try PunctuationNetwork(arguments[1])
    default: return false
    }
    print("{}")
  default: return false
  }
  return true
}
