import Foundation
import ModelStorage
import NeuralRecognition
import RecognitionProtocol
import Sandboxing
import SpeakerDiarization

/// The networks of a model that separates voices: one says who of three speaks in each part of a window, the other one
/// describes a voice.
final class SpeakerNetworks: VoiceNetworks {
  let layout: VoiceLayout
  /// What each class of the segmentation stands for: the speakers, one bit each.
  private let classes: [UInt16]
  private let segmentation: OnnxNetwork
  private let embedding: OnnxNetwork
  private let dimension: Int

  /// - Parameter folder: the model's folder.
  /// - Throws: `NeuralError`.
  init(_ folder: String) throws {
    let model = try ModelInspection.checked(folder)
    guard model.family == .speakers,
      let (segmentation, windows) = try Self.network(model.path(.segmentation)),
      let (embedding, voices) = try Self.network(model.path(.embedding))
    else {
      throw NeuralError.model("The model in \(folder) does not separate voices.")
    }
    func number(_ network: ONNXMetadata, _ key: String) -> Int { network[key].flatMap { Int($0) } ?? 0 }
    let speakers = number(windows, "num_speakers")
    layout = VoiceLayout(
      window: number(windows, "window_size"), field: number(windows, "receptive_field_size"),
      shift: number(windows, "receptive_field_shift"), speakers: speakers)
    let pairs = (0..<speakers).flatMap { first in (first + 1..<speakers).map { (first, $0) } }
    classes =
      [0] + (0..<speakers).map { 1 << UInt16($0) }
      + (number(windows, "powerset_max_classes") > 1 ? pairs.map { 1 << UInt16($0) | 1 << UInt16($1) } : [])
    (self.segmentation, self.embedding) = (segmentation, embedding)
    dimension = number(voices, "output_dim")
    // A model that ends the process does it here.
    _ = try activity(in: [Float](repeating: 0, count: layout.window))
    _ = try description(of: [Float](repeating: 0, count: 100 * VoiceBands.count))
  }

  private static func network(_ path: String?) throws -> (OnnxNetwork, ONNXMetadata)? {
    guard let path else { return nil }
    let metadata = try ONNXMetadata(path: path)
    guard let input = metadata.inputs.first, let output = metadata.outputs.first else { return nil }
    return (try OnnxNetwork(path, input: input, output: output), metadata)
  }

  func activity(in window: [Float]) throws -> [UInt16] {
    let result = try segmentation.run(.init(values: window, shape: [1, 1, Int64(window.count)]))
    guard result.shape.count == 3, result.shape[0] == 1, result.shape[2] == classes.count else {
      throw NeuralError.failed("say who speaks")
    }
    return stride(from: 0, to: result.values.count, by: classes.count).map { start in
      var best = 0
      for index in classes.indices where result.values[start + index] > result.values[start + best] {
        best = index
      }
      return classes[best]
    }
  }

  func description(of bands: [Float]) throws -> [Float] {
    let frames = bands.count / VoiceBands.count
    let result = try embedding.run(.init(values: bands, shape: [1, Int64(frames), Int64(VoiceBands.count)]))
    guard result.values.count == dimension, result.values.allSatisfy(\.isFinite) else {
      throw NeuralError.failed("describe a voice")
    }
    return result.values
  }

  /// Receives a recording and hears it meanwhile. Answers who speaks when, as often as it is asked and at the end.
  /// - Parameters:
  ///   - folder: the model's folder.
  ///   - channel: first come parts of the recording, see `VoiceRequest`.
  ///   - loaded: called when the networks are loaded, before anything is read.
  static func serve(_ folder: String, _ channel: ServiceChannel, loaded: () -> Void) throws {
    // Little is kept of each window, between large arrays: without this, it took 30 MB for each minute.
    ProcessMemory.returnsLargeParts()
    var pipeline = VoicePipeline(try SpeakerNetworks(folder))
    loaded()
    var received: [UInt8] = []
    while case let part = try channel.receiveBytes(1 << 16), !part.isEmpty {
      received += part
      while let request = VoiceRequest(removedFrom: &received) {
        switch request {
        case .samples(let samples): try pipeline.add(samples)
        case .now(let voices): try send(try pipeline.found(voices: voices), to: channel)
        case .end(let voices): return try send(try pipeline.finish(voices: voices), to: channel)
        }
      }
    }
  }

  private static func send(_ voices: NeuralVoices, to channel: ServiceChannel) throws {
    try channel.send(ServiceText(String(decoding: try JSONEncoder().encode(voices), as: UTF8.self)))
  }
}
