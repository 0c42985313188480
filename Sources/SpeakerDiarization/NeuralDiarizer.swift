#if os(Linux)
  import ChildProcesses
  import Foundation
  import Glibc
  import SpeechModels

  /// Tells voices apart with networks that the user has installed, in a process of its own.
  ///
  /// The library that runs the networks ends its process on some errors, so that whatever goes wrong there is an error here.
  /// The process cannot open files or sockets once it has loaded the networks. What it answers is checked.
  package final class NeuralDiarizer: SpeakerDiarizer {
    package static let engine = "sherpa-onnx"

    /// Why the voices are not known.
    package struct Failure: Error, CustomStringConvertible {
      /// What went wrong, as a sentence.
      package let description: String
    }

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
    package init(_ model: InstalledModel, service: String? = SpeechServiceLocator.find(.neural)) {
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
      guard let service else { throw Failure(description: SpeechServiceLocator.missing(.neural)) }
      let run = try NeuralDiarizerRun(
        service, folder: model.folder.path, voices: voices,
        seconds: Self.patience.loading + Self.patience.audio * duration, maxAnswer: Self.maxAnswer)
      let samples = samples
      let answer = try await withTaskCancellationHandler {
        // The threads of Swift's concurrency must not wait for a process.
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread { continuation.resume(with: Result { try run.answer(to: samples) }) }
        }
      } onCancel: {
        run.cancel()
      }
      try Task.checkCancellation()
      return try Self.turns(answer, duration: duration)
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

  /// One recording in the process.
  private final class NeuralDiarizerRun: Sendable {
    private let process: ChildProcess
    private let socket: Int32
    private let deadline: ContinuousClock.Instant
    private let maxAnswer: Int

    init(_ service: String, folder: String, voices: Int?, seconds: Double, maxAnswer: Int) throws {
      var sockets: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &sockets) == 0
      else {
        throw NeuralDiarizer.Failure(
          description: "No socket could be made: \(String(cString: strerror(errno))).")
      }
      defer { close(sockets[1]) }
      do {
        process = try ChildProcess(
          service, ["--speakers", folder, voices.map(String.init) ?? "auto"],
          input: .descriptor(sockets[1]), output: .null, errors: .null)
      } catch {
        close(sockets[0])
        throw NeuralDiarizer.Failure(description: "\(error)")
      }
      socket = sockets[0]
      deadline = .now + .seconds(seconds)
      self.maxAnswer = maxAnswer
    }

    deinit {
      process.end()
      close(socket)
    }

    func cancel() { process.kill() }

    func answer(to samples: [Int16]) throws -> Data {
      let littleEndian = samples.map(\.littleEndian)
      try littleEndian.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          try wait(for: Int16(POLLOUT))
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16))
          let sent = send(
            socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
          if sent < 0, errno == EINTR || errno == EAGAIN { continue }
          guard sent > 0 else { throw ended() }
          rest = rest.dropFirst(sent)
        }
      }
      shutdown(socket, Int32(SHUT_WR))
      var answer = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        try wait(for: Int16(POLLIN))
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        answer.append(contentsOf: buffer[..<count])
        guard answer.count <= maxAnswer else {
          throw NeuralDiarizer.Failure(description: "The model's answer is too long.")
        }
      }
      guard process.wait() == 0 else { throw ended() }
      return answer
    }

    private func ended() -> NeuralDiarizer.Failure {
      NeuralDiarizer.Failure(
        description:
          "The model ended its process. Check it with 'longhand models verify', or install it again.")
    }

    private func wait(for events: Int16) throws {
      while true {
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        guard left > 0 else { throw NeuralDiarizer.Failure(description: "The model gave no answer in time.") }
        var state = pollfd(fd: socket, events: events, revents: 0)
        let ready = poll(&state, 1, Int32(min(left, 60_000)))
        if ready > 0 { return }
      }
    }
  }
#endif
