#if os(Linux)
  import ChildProcesses
  import Foundation
  import ModelStorage
  import RecognitionProtocol

  /// Separates voices with networks that the user has installed, see `ModelProcess`.
  package final class NeuralDiarizer: SpeakerDiarizer {
    package static let engine = "sherpa-onnx"

    /// Why the voices are not known.
    package typealias Failure = ModelProcess.Failure

    /// Seconds that loading the networks may take, and that each second of audio may take.
    private static let patience = (loading: 120.0, audio: 10.0)
    private static let maxAnswer = 64 << 20
    /// The longest recording in samples, 6 hours: the library wants all of it at once, in memory.
    private static let maxSamples = 6 * 3600 * VoiceDiarizer.sampleRate

    private let model: InstalledModel
    private var samples: [Int16] = []
    private let service: String?

    /// The diarizer with the model that is installed; nil if none is.
    package static func installed(in store: ModelStore = ModelStore()) -> NeuralDiarizer? {
      store.speakers().map { NeuralDiarizer($0) }
    }

    /// - Parameters:
    ///   - model: a model of the family `speakers`.
    ///   - service: the path of the executable; nil if there is none.
    package init(_ model: InstalledModel, service: String? = Recognizer.sherpaOnnx.locator.find()) {
      self.model = model
      self.service = service
    }

    package func add(_ more: [Int16]) {
      // More than the limit fails at the end.
      if samples.count <= Self.maxSamples { samples += more }
    }

    package func turns(in speech: [ClosedRange<Double>], voices: Int?) async throws -> [VoiceDiarizer.Turn] {
      guard samples.count <= Self.maxSamples else {
        throw Failure(description: "The model takes recordings of up to 6 hours.")
      }
      let process = try ModelProcess(
        service, ["--speakers", model.folder.path, voices.map(String.init) ?? "auto"])
      let seconds = Self.patience.loading + Self.patience.audio * duration
      let samples = samples
      let answer = try await withTaskCancellationHandler {
        // The threads of Swift's concurrency must not wait for a process.
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(
              with: Result {
                try process.ask(within: seconds) { try Self.answer(of: $0, to: samples, by: $1) }
              })
          }
        }
      } onCancel: {
        process.kill()
      }
      try Task.checkCancellation()
      return try Self.turns(answer, duration: duration)
    }

    private static func answer(
      of process: ServiceProcess, to samples: [Int16], by deadline: ServiceDeadline
    ) throws -> Data {
      try samples.map(\.littleEndian).withUnsafeBytes { try process.channel.send($0, by: deadline) }
      process.channel.endSending()
      var answer = Data()
      while case let part = try process.channel.receiveBytes(1 << 16, by: deadline), !part.isEmpty {
        answer += part
        guard answer.count <= maxAnswer else { throw Failure(description: "The model's answer is too long.") }
      }
      guard process.wait() == 0 else { throw ServiceChannelError.closed }
      return answer
    }

    private var duration: Double { Double(samples.count) / Double(VoiceDiarizer.sampleRate) }

    /// Reads and checks an answer.
    static func turns(_ answer: Data, duration: Double) throws -> [VoiceDiarizer.Turn] {
      struct Item: Decodable {
        var start: Double
        var end: Double
        var voice: Int
      }
      guard let items = try? JSONDecoder().decode([Item].self, from: answer) else {
        throw Failure(description: "The model gave no answer that can be read.")
      }
      var numbers: [Int: Int] = [:]
      return try items.sorted { $0.start < $1.start }.compactMap { item in
        guard item.start.isFinite, item.end.isFinite, item.start >= -0.1, item.end >= item.start else {
          throw Failure(description: "The model gave a turn from \(item.start) to \(item.end) seconds.")
        }
        let (start, end) = (max(0, item.start), min(item.end, duration))
        guard start < end else { return nil }
        let number = numbers[item.voice] ?? numbers.count
        guard number < VoiceDiarizer.maxVoices else {
          throw Failure(description: "The model found more than \(VoiceDiarizer.maxVoices) voices.")
        }
        numbers[item.voice] = number
        return VoiceDiarizer.Turn(start: start, end: end, voice: number, confidence: nil)
      }
    }
  }
#endif
