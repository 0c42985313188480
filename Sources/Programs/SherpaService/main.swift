import Foundation
import ModelStorage
import NeuralRecognition
import RecognitionProtocol
import ServiceSupport

// Networks of half a gigabyte take more than their own size for an utterance of 30 seconds.
let program = ServiceProgram<NeuralRecognizer<SherpaEngine>>(
  .sherpaOnnx, memory: 4 << 30, isClosed: true,
  others: (
    " | --speakers FOLDER\n         | --punctuation FOLDER",
    """
      --speakers load the model in FOLDER, read 16 kHz samples of 16 bits and the number of voices from the socket on
                 standard input, and write who speaks when to it as JSON
      --punctuation  load the model in FOLDER, and answer each text from the socket on standard input with the same
                 text in which there are punctuation and capitals

    """
  ))

program.run { arguments in
  let channel = ServiceChannel(descriptor: STDIN_FILENO)
  switch (arguments.first, arguments.count) {
  case ("--speakers", 2):
    try SpeakerNetworks.serve(arguments[1], channel, loaded: program.enterSandbox)
  case ("--punctuation", 2):
    try PunctuationNetwork.serve(arguments[1], channel, loaded: program.enterSandbox)
  case ("--check", 2):
    switch (try? ModelInspection(folder: arguments[1]))?.family {
    case .some(.speakers): _ = try SpeakerNetworks(arguments[1])
    case .some(.punctuation): _ = try PunctuationNetwork(arguments[1])
    default: return false
    }
    print("{}")
  default: return false
  }
  return true
}
