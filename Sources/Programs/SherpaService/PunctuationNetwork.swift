import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition
import RecognitionProtocol

/// The library's way to write words with punctuation and capitals.
final class PunctuationNetwork {
  private let network: OpaquePointer
  private let texts = CTexts()

  /// - Parameter folder: the model's folder.
  /// - Throws: `NeuralError`.
  init(_ folder: String) throws(NeuralError) {
    try SherpaLibrary.checkVersion()
    let model = try ModelInspection.checked(folder)
    guard model.family == .punctuation else {
      throw .model("The model in \(folder) does not write punctuation.")
    }
    var configuration = SherpaOnnxOnlinePunctuationConfig()
    configuration.model.cnn_bilstm = texts(model.path(.model))
    configuration.model.bpe_vocab = texts(model.path(.pieces))
    // A text takes some milliseconds.
    configuration.model.num_threads = 1
    configuration.model.provider = texts("cpu")
    guard let network = SherpaOnnxCreateOnlinePunctuation(&configuration) else { throw .notLoaded(folder) }
    self.network = network
    // A model that ends the process does it here.
    _ = try write("yes")
  }

  deinit { SherpaOnnxDestroyOnlinePunctuation(network) }

  /// - Parameter text: words in lower case, with spaces between them.
  /// - Throws: `NeuralError`.
  func write(_ text: String) throws(NeuralError) -> String {
    guard let written = SherpaOnnxOnlinePunctuationAddPunct(network, text) else {
      throw .failed("write punctuation")
    }
    defer { SherpaOnnxOnlinePunctuationFreeText(written) }
    return String(cString: written)
  }

  /// Answers each text from a socket, until its other side has ended.
  /// - Parameter loaded: called when the network is loaded, before anything is read.
  static func serve(_ folder: String, _ channel: ServiceChannel, loaded: () -> Void) throws {
    let network = try PunctuationNetwork(folder)
    loaded()
    do {
      while true {
        let message: ServiceText = try channel.receive()
        try channel.send(ServiceText(try network.write(message.text)))
      }
    } catch ServiceChannelError.closed {
      // The client needs no more.
    }
  }
}
