import AVFAudio
import SpeechServiceProtocol

/// Recognizes a sound file: one thread reads and cuts it at its pauses, several decode the pieces, each on its own,
/// and the results come in the order of the audio whatever the order they were decoded in.
///
/// `@unchecked Sendable`: `condition` guards everything that changes.
final class RecordingRecognition: Recognition, @unchecked Sendable {
  /// How often a piece is tried, each time by a fresh service, before it counts as failed.
  static let attempts = 3

  private enum Outcome {
    case decoded([ServiceHypothesis])
    case failed(String)
  }

  private let url: URL
  private let configuration: ServiceConfiguration
  private let pool: SpeechServicePool
  private let segmentation: SpeechSegmenter.Configuration
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.recording.events")

  private let condition = NSCondition()
  private var waiting: [(index: Int, piece: AudioPiece)] = []
  private var undelivered: [Int: AudioPiece] = [:]
  private var outcomes: [Int: Outcome] = [:]
  private var busy: [ObjectIdentifier: SpeechServiceProcess] = [:]
  private var found = 0
  private var delivered = 0
  private var samplesRead = 0
  private var isRead = false
  private var isOver = false
  private var problem: (any Error)?

  init(
    url: URL, configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    segmentation: SpeechSegmenter.Configuration = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.url = url
    self.configuration = configuration
    self.pool = pool
    self.segmentation = segmentation
    self.emit = emit
  }

  func start() {
    Self.thread { self.read() }
    for _ in 0..<pool.capacity { Self.thread { self.decode() } }
  }

  /// No effect: the file is taken whole from the start.
  func finish() {}

  func cancel() {
    condition.lock()
    isOver = true
    condition.broadcast()
    condition.unlock()
    // Whoever decodes a piece that nobody wants any more gives the processor back now.
    for service in services { service.channel.shutDown() }
  }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] {
    condition.lock()
    defer { condition.unlock() }
    return Array(busy.values)
  }

  private static func thread(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread(block: work)
    thread.stackSize = 2 << 20
    thread.start()
  }

  // MARK: Reading

  private func read() {
    do {
      let file = try AVAudioFile(forReading: url)
      let intake = AudioIntake()
      var segmenter = SpeechSegmenter(configuration: segmentation)
      var assembler = PieceAssembler()
      guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 16_384) else {
        throw SFSpeechError(.insufficientResources)
      }
      while true {
        try file.read(into: buffer)
        guard buffer.frameLength > 0 else { break }
        let samples = try intake.convert(buffer)
        guard take(samples.count, segmenter.process(samples), &assembler) else { return }
      }
      let rest = try intake.finish()
      guard take(rest.count, segmenter.process(rest) + segmenter.finish(), &assembler) else { return }
      endReading(nil)
    } catch {
      let wrapped =
        error as? SFSpeechError ?? SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
      endReading(wrapped)
    }
  }

  /// Queues the pieces that are whole; false if nobody wants them any more.
  private func take(_ count: Int, _ actions: [SpeechSegmenter.Action], _ assembler: inout PieceAssembler)
    -> Bool
  {
    let pieces = actions.flatMap { assembler.take($0) }
    condition.lock()
    defer { condition.unlock() }
    samplesRead += count
    for piece in pieces {
      while waiting.count >= 2 * pool.capacity, !isOver { condition.wait() }
      guard !isOver else { return false }
      waiting.append((found, piece))
      undelivered[found] = piece
      found += 1
      condition.broadcast()
    }
    if undelivered.isEmpty { post(.processed(seconds(samplesRead))) }
    return !isOver
  }

  private func endReading(_ error: (any Error)?) {
    condition.lock()
    defer { condition.unlock() }
    isRead = true
    problem = error
    post(.audioEnded)
    condition.broadcast()
    deliver()
  }

  // MARK: Decoding

  private func decode() {
    while let (index, piece) = nextPiece() {
      do {
        let outcome = try outcome(of: piece, index: index)
        condition.lock()
        outcomes[index] = outcome
        deliver()
        condition.unlock()
      } catch {
        // Nothing that a second try would mend: no service, no model, or not wanted any more.
        condition.lock()
        if !isOver {
          isOver = true
          post(.ended(RecognitionError.error(for: error)))
        }
        condition.broadcast()
        condition.unlock()
      }
    }
  }

  private func nextPiece() -> (Int, AudioPiece)? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, !isRead, !isOver { condition.wait() }
    guard !isOver, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    condition.broadcast()
    return (next.index, next.piece)
  }

  private func outcome(of piece: AudioPiece, index: Int) throws -> Outcome {
    var reason = ""
    for _ in 0..<Self.attempts {
      do {
        return try pool.withService(configuration, isCancelled: { self.isCancelled }) { service in
          try hold(service)
          defer { letGo(service) }
          return .decoded(try service.decode(piece.samples, piece: UInt32(truncatingIfNeeded: index)))
        }
      } catch SpeechServiceFailure.interrupted(let cause) {
        if isCancelled { throw SpeechServiceFailure.cancelled }
        reason = cause
      }
    }
    return .failed(reason)
  }

  private var isCancelled: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isOver
  }

  private func hold(_ service: SpeechServiceProcess) throws {
    condition.lock()
    defer { condition.unlock() }
    guard !isOver else { throw SpeechServiceFailure.cancelled }
    busy[ObjectIdentifier(service)] = service
  }

  private func letGo(_ service: SpeechServiceProcess) {
    condition.lock()
    busy[ObjectIdentifier(service)] = nil
    condition.unlock()
  }

  // MARK: Delivering, with `condition` locked

  private func deliver() {
    while let outcome = outcomes.removeValue(forKey: delivered),
      let piece = undelivered.removeValue(forKey: delivered)
    {
      switch outcome {
      case .decoded(let hypotheses):
        post(.piece(RecognizedPiece(audio: piece, hypotheses: hypotheses)))
      case .failed(let reason):
        post(.failure(samples: piece.range, reason: reason))
      }
      delivered += 1
      post(
        .processed(
          seconds(
            undelivered[delivered]?.start ?? (found == delivered ? samplesRead : piece.range.upperBound))))
    }
    guard isRead, delivered == found, !isOver else { return }
    isOver = true
    post(.processed(seconds(samplesRead)))
    post(.ended(problem))
    condition.broadcast()
  }

  private func post(_ event: RecognitionEvent) { events.async { self.emit(event) } }

  private func seconds(_ samples: Int) -> TimeInterval {
    Double(samples) / Double(SpeechSegmenter.sampleRate)
  }
}
