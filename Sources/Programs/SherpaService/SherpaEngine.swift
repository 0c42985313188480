import Foundation
import ModelStorage
import NeuralRecognition
import Sandboxing
import RecognitionProtocol

/// A model that a user has installed, in the library sherpa-onnx.
final class SherpaEngine: NeuralEngine {
  static let recognizer = Recognizer.sherpaOnnx
  static let version = SherpaLibrary.version
  /// Bytes of the networks up to which a second copy is loaded for searches over several paths, even if the first
  /// configuration has no phrases.
  private static let maxSecondCopy: Int64 = 256 << 20

  private let model: ModelInspection
  private let networks: SherpaNetworks
  private let hotwords: Hotwords?
  let capabilities: NeuralCapabilities

  init(configuration: ServiceConfiguration) throws(NeuralError) {
    try SherpaLibrary.checkVersion()
    let folder = configuration.model.folder
    guard !folder.isEmpty else { throw .noModel }
    model = try ModelInspection.checked(folder)
    if let purpose = model.family.otherPurpose {
      throw .model("The model in \(folder) \(purpose) and recognizes no words.")
    }
    let wantsBeam = !configuration.contextualStrings.isEmpty || Self.size(of: model) <= Self.maxSecondCopy
    let list = model.path(.pieces).flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    hotwords = model.family.isTransducer && wantsBeam ? Hotwords(tokens: model.tokens, list: list) : nil
    let vocabulary = hotwords.flatMap { MemoryFile($0.vocabulary) }
    networks = try SherpaNetworks(
      Loading(
        model: model, threads: Processors.threads(), language: configuration.locale,
        vocabulary: vocabulary?.path))
    let family = model.family
    // Transducers have searches over several paths, and the library gives the probabilities of their tokens alone.
    var capabilities = NeuralCapabilities(
      .init(
        prefersPhrases: family.isTransducer, hasConfidence: family.hasConfidence,
        isPunctuated: model.isPunctuated, isLive: family.isStreaming,
        bindsLanguage: family.bindsLanguage))
    capabilities.beams = networks.hasBeam ? Int(BeamSettings.paths) : 1
    capabilities.hasMarks = WordAssembly(vocabulary: model.tokens).hasMarks
    self.capabilities = capabilities
  }

  func reconfigure(_ wanted: ServiceConfiguration, from current: ServiceConfiguration) -> Bool {
    guard !capabilities.service.bindsLanguage || wanted.locale == current.locale else { return false }
    // Without a second copy of the networks there is no search for phrases, and the sandbox has no paths any more.
    return wanted.contextualStrings.isEmpty || !model.family.isTransducer || networks.hasBeam
  }

  func takes(_ phrases: [String]) -> Bool { networks.hasBeam && hotwords?.line(phrases) != nil }

  func live() -> (any LiveDecoding)? { networks.live() }

  func decode(_ samples: [Float], _ request: DecodingRequest) throws(NeuralError) -> [RecognizedTokens] {
    guard let line = hotwords?.line(request.phrases) else {
      return [try networks.decode(samples, overPaths: request.beams > 1)]
    }
    // The library adds the bonus to the probability of each token.
    var tokens = try networks.decode(samples, overPaths: true, hotwords: line)
    tokens.removeBonus(Double(BeamSettings.score))
    return [tokens]
  }

  private static func size(of model: ModelInspection) -> Int64 {
    model.files.values.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: model.folder + "/" + name)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }
}
