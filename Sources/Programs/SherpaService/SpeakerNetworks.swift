import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition
import RecognitionProtocol

/// The library's speaker diarization: a network says who speaks in parts of a recording, another one describes each
/// voice, and the descriptions are clustered.
final class SpeakerNetworks {
  /// A part of a recording in which one voice speaks. The client reads it as JSON.
  struct Turn: Encodable {
    var start: Double
    var end: Double
    var voice: Int
  }

  /// The distance from which on voices are different, if their number is not known: the library's default.
  private static let threshold: Float = 0.5
  /// Turns are not shorter, in seconds, and pauses inside a turn are shorter: the defaults of the library's program.
  private static let (shortestTurn, shortestPause): (Float, Float) = (0.3, 0.5)

  private let diarizer: OpaquePointer
  private let texts = CTexts()

  /// - Parameters:
  ///   - folder: the model's folder.
  ///   - count: how many voices there are; nil to find it.
  /// - Throws: `NeuralError`.
  init(_ folder: String, count: Int?) throws(NeuralError) {
    try SherpaLibrary.checkVersion()
    let model = try ModelInspection.checked(folder)
    guard model.family == .speakers else {
      throw .model("The model in \(folder) does not separate voices.")
    }
    var configuration = SherpaOnnxOfflineSpeakerDiarizationConfig()
    configuration.segmentation.pyannote.model = texts(model.path(.segmentation))
    configuration.segmentation.num_threads = Processors.threads()
    configuration.segmentation.provider = texts("cpu")
    configuration.embedding.model = texts(model.path(.embedding))
    configuration.embedding.num_threads = Processors.threads()
    configuration.embedding.provider = texts("cpu")
    configuration.clustering.num_clusters = Int32(count ?? -1)
    configuration.clustering.threshold = Self.threshold
    configuration.min_duration_on = Self.shortestTurn
    configuration.min_duration_off = Self.shortestPause
    guard let diarizer = SherpaOnnxCreateOfflineSpeakerDiarization(&configuration) else {
      throw .notLoaded(folder)
    }
    self.diarizer = diarizer
    // A model that ends the process does it here.
    _ = try turns(in: [Float](repeating: 0, count: Int(SherpaLibrary.sampleRate)))
  }

  deinit { SherpaOnnxDestroyOfflineSpeakerDiarization(diarizer) }

  /// - Parameter samples: a whole recording at 16 kHz, from -1 to 1.
  /// - Throws: `NeuralError`.
  func turns(in samples: [Float]) throws(NeuralError) -> [Turn] {
    guard !samples.isEmpty else { return [] }
    // Without any speech the library returns nothing.
    guard
      let result = SherpaOnnxOfflineSpeakerDiarizationProcess(diarizer, samples, Int32(samples.count))
    else { return [] }
    defer { SherpaOnnxOfflineSpeakerDiarizationDestroyResult(result) }
    let count = SherpaOnnxOfflineSpeakerDiarizationResultGetNumSegments(result)
    guard count > 0 else { return [] }
    guard let parts = SherpaOnnxOfflineSpeakerDiarizationResultSortByStartTime(result) else {
      throw .failed("separate the speakers")
    }
    defer { SherpaOnnxOfflineSpeakerDiarizationDestroySegment(parts) }
    return (0..<Int(count)).map { index in
      Turn(
        start: Double(parts[index].start), end: Double(parts[index].end), voice: Int(parts[index].speaker))
    }
  }

  /// Reads a recording from a socket until its end, and writes the turns to it.
  /// - Parameters:
  ///   - channel: samples of 16 bits come from it.
  ///   - loaded: called when the networks are loaded, before anything is read.
  static func serve(_ folder: String, count: Int?, _ channel: ServiceChannel, loaded: () -> Void) throws {
    let networks = try SpeakerNetworks(folder, count: count)
    loaded()
    var samples: [Float] = []
    var rest: [UInt8] = []
    while case let part = try channel.receiveBytes(1 << 16), !part.isEmpty {
      rest += part
      let count = rest.count / 2
      rest.withUnsafeBytes { bytes in
        for index in 0..<count {
          let sample = bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
          samples.append(Float(Int16(littleEndian: sample)) / 32768)
        }
      }
      rest.removeFirst(2 * count)
    }
    let answer = try JSONEncoder().encode(try networks.turns(in: samples))
    try answer.withUnsafeBytes { try channel.send($0) }
  }
}
