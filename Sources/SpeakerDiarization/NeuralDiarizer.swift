#if os(Linux)
  import ChildProcesses
  import Foundation
  import ModelStorage
  import RecognitionProtocol

  /// Separates voices with networks, see `ModelProcess`, which hear a recording while it is read.
  package final class NeuralDiarizer: SpeakerDiarizer {
    package static let engine = "sherpa-onnx"

    /// Why the voices are not known.
    package typealias Failure = ModelProcess.Failure

    /// Seconds that loading the networks may take, that each second of audio may take, and that comparing its voices may.
    private static let patience = (loading: 120.0, audio: 2.0, comparing: 1.0)
    private static let maxAnswer = 64 << 20
    /// The longest recording in samples, a day: what is kept of each window adds up.
    private static let maxSamples = 24 * 3600 * VoiceDiarizer.sampleRate
    /// Samples that are sent at once: 10 s.
    private static let batch = 10 * VoiceDiarizer.sampleRate
    private static let maxDimension = 8192

    private let model: InstalledModel
    private let service: String?
    private var process: ModelProcess?
    private var samples: [Int16] = []
    private var count = 0
    /// After `turns(in:voices:)`.
    package private(set) var prints: [Int: NetworkPrint] = [:]
    package private(set) var others: [Int: [VoiceDiarizer.Turn]] = [:]
    /// The SHA-256 of the network that says what voices sound like.
    package var network: String {
      model.description.files.first { $0.role == .embedding }?.sha256 ?? model.digest
    }

    /// The diarizer with the model that is installed; nil if none is.
    package static func installed(in store: ModelStore = ModelStore()) -> NeuralDiarizer? {
      store.speakers().map { NeuralDiarizer($0) }
    }

    /// The name of the installed model, after every byte of it was read; nil if none is installed.
    package static func verified(in store: ModelStore = ModelStore()) throws -> String? {
      guard let name = store.speakers()?.name else { return nil }
      try store.verify(name)
      return name
    }

    /// - Parameters:
    ///   - model: a model of the family `speakers`.
    ///   - service: the path of the executable; nil if there is none.
    package init(_ model: InstalledModel, service: String? = Recognizer.sherpaOnnx.locator.find()) {
      self.model = model
      self.service = service
    }

    package func add(_ more: [Int16]) async throws {
      samples += more
      count += more.count
      guard count <= Self.maxSamples else {
        throw Failure(description: "The model takes recordings of up to 24 hours.")
      }
      while samples.count >= Self.batch {
        try await send(Array(samples.prefix(Self.batch)))
        samples.removeFirst(Self.batch)
      }
    }

    package func turns(in speech: [ClosedRange<Double>], voices: Int?) async throws -> [VoiceDiarizer.Turn] {
      let found = try await found(voices: voices)
      for print in found.prints {
        prints[print.voice] = NetworkPrint(network: network, seconds: print.seconds, values: print.values)
      }
      for turns in found.others ?? [] {
        others[Set(turns.map(\.voice)).count] = turns.map(VoiceDiarizer.Turn.init)
      }
      return found.turns.map(VoiceDiarizer.Turn.init)
    }

    /// Who speaks when, also at once, and what the voices sound like. It is called once, after all audio was added.
    /// - Parameter voices: the number of voices; nil to find it.
    /// - Returns: turns in the order of their start, whose voices are numbered in the order in which they begin.
    package func found(voices: Int?) async throws -> NeuralVoices {
      try await answer(to: .end(voices: voices))
    }

    package func turnsSoFar(voices: Int?) async throws -> [VoiceDiarizer.Turn]? {
      try await answer(to: .now(voices: voices)).turns.map(VoiceDiarizer.Turn.init)
    }

    private func answer(to request: VoiceRequest) async throws -> NeuralVoices {
      if !samples.isEmpty { try await send(samples) }
      samples = []
      let duration = Double(count) / Double(VoiceDiarizer.sampleRate)
      let bytes = request.bytes
      // Its windows are heard when the length of a short recording is known.
      let seconds = Self.patience.loading + Self.patience.audio * 300 + Self.patience.comparing * duration
      let answer = try await asking(within: seconds) { process, deadline in
        try bytes.withUnsafeBytes { try process.channel.send($0, by: deadline) }
        return try process.channel.receive(by: deadline, longest: Self.maxAnswer) as ServiceText
      }
      return try Self.voices(Data(answer.text.utf8), duration: duration)
    }

    private func send(_ samples: [Int16]) async throws {
      let request = VoiceRequest.samples(samples).bytes
      let seconds = Self.patience.loading + Self.patience.audio * 300
      try await asking(within: seconds) { process, deadline in
        try request.withUnsafeBytes { try process.channel.send($0, by: deadline) }
      }
    }

    private func asking<Answer: Sendable>(
      within seconds: Double,
      _ exchange: @escaping @Sendable (ServiceProcess, ServiceDeadline) throws -> Answer
    ) async throws -> Answer {
      let process = try process ?? ModelProcess(service, ["--speakers", model.folder.path])
      self.process = process
      return try await withTaskCancellationHandler {
        try Task.checkCancellation()
        // The threads of Swift's concurrency must not wait for a process.
        do {
          return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try process.ask(within: seconds, exchange) })
            }
          }
        } catch {
          try Task.checkCancellation()
          throw error
        }
      } onCancel: {
        process.kill()
      }
    }

    /// Reads and checks an answer.
    static func voices(_ answer: Data, duration: Double) throws -> NeuralVoices {
      guard let found = try? JSONDecoder().decode(NeuralVoices.self, from: answer) else {
        throw Failure(description: "The model gave no answer that can be read.")
      }
      var numbers: [Int: Int] = [:]
      let turns = try checked(found.turns, duration: duration, numbers: &numbers)
      let others = try found.others?.map { turns in
        var numbers: [Int: Int] = [:]
        return try checked(turns, duration: duration, numbers: &numbers)
      }
      let dimension = found.prints.first?.values.count ?? 1
      let prints = try found.prints.compactMap { print in
        guard (1...maxDimension).contains(dimension), print.values.count == dimension,
          print.values.allSatisfy({ abs($0) <= 1.001 }), (0...duration + 1).contains(print.seconds)
        else { throw Failure(description: "The model gave a print of a voice that cannot be right.") }
        guard let number = numbers.removeValue(forKey: print.voice) else { return nil as NeuralVoices.Print? }
        return NeuralVoices.Print(voice: number, seconds: print.seconds, values: print.values)
      }
      return NeuralVoices(turns: turns, prints: prints.sorted { $0.voice < $1.voice }, others: others)
    }

    /// Checks turns, and numbers their voices in the order in which they begin.
    private static func checked(
      _ turns: [NeuralVoices.Turn], duration: Double, numbers: inout [Int: Int]
    ) throws -> [NeuralVoices.Turn] {
      try turns.sorted { $0.start < $1.start }.compactMap { turn in
        guard turn.start.isFinite, turn.end.isFinite, turn.start >= -0.1, turn.end >= turn.start,
          (0...1).contains(turn.confidence)
        else {
          throw Failure(
            description:
              "The model gave a turn from \(turn.start) to \(turn.end) seconds with a confidence of \(turn.confidence)."
          )
        }
        var own = turn
        (own.start, own.end) = (max(0, turn.start), min(turn.end, duration))
        guard own.start < own.end else { return nil as NeuralVoices.Turn? }
        own.voice = numbers[turn.voice] ?? numbers.count
        guard own.voice < VoiceDiarizer.maxVoices else {
          throw Failure(description: "The model found more than \(VoiceDiarizer.maxVoices) voices.")
        }
        numbers[turn.voice] = own.voice
        return own
      }
    }
  }

  extension VoiceDiarizer.Turn {
    fileprivate init(_ turn: NeuralVoices.Turn) {
      self.init(start: turn.start, end: turn.end, voice: turn.voice, confidence: turn.confidence)
    }
  }
#endif
