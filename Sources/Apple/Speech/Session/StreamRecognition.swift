import AVFAudio
import SpeechServiceProtocol

/// Recognizes audio while it is spoken: it is cut at its pauses as it comes, handed to one service, and every piece
/// is kept until its result is there, so that a service that dies costs time and no words.
///
/// `@unchecked Sendable`: `lock` guards everything that changes, but for what only `intakeQueue` touches.
final class StreamRecognition: Recognition, @unchecked Sendable {
  private struct Pending {
    var number: UInt32
    var audio: AudioPiece
    var isEnded = false
    var failures = 0
  }

  private let configuration: ServiceConfiguration
  private let pool: SpeechServicePool
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.stream.events")
  private let intakeQueue = DispatchQueue(label: "speech.stream.intake")

  // Only on `intakeQueue`.
  private let intake = AudioIntake()
  private var segmenter: SpeechSegmenter
  private var splitter = StreamSplitter()
  private var taken = 0
  private var hasDetectedSpeech = false

  private let lock = NSLock()
  private var service: SpeechServiceProcess?
  private var pending: [Pending] = []
  private var number: UInt32 = 0
  private var isFinishing = false
  private var isFed = false
  private var isOver = false
  private var problem: (any Error)?

  init(
    configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    segmentation: SpeechSegmenter.Configuration = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.configuration = configuration
    self.pool = pool
    self.emit = emit
    segmenter = SpeechSegmenter(configuration: segmentation)
  }

  func start() {
    // The model loads while the first words are spoken.
    intakeQueue.async { self.withService { _ in } }
  }

  /// Takes more audio; returns at once. The buffer is copied: the caller may use it again.
  func append(_ buffer: AVAudioPCMBuffer) {
    guard let copy = buffer.copy() as? AVAudioPCMBuffer else { return }
    let box = UncheckedBox(value: copy)
    lock.lock()
    let isTaken = !isFinishing
    lock.unlock()
    guard isTaken else { return }
    intakeQueue.async {
      do { self.take(try self.intake.convert(box.value)) } catch { self.end(error) }
    }
  }

  func finish() {
    lock.lock()
    let isFirst = !isFinishing
    isFinishing = true
    lock.unlock()
    guard isFirst else { return }
    intakeQueue.async {
      do { self.take(try self.intake.finish()) } catch { return self.end(error) }
      self.forward(self.segmenter.finish())
      self.post(.audioEnded)
      self.lock.lock()
      self.isFed = true
      self.lock.unlock()
      self.endIfDone()
    }
  }

  func cancel() {
    lock.lock()
    isFinishing = true
    isOver = true
    let service = service
    self.service = nil
    lock.unlock()
    service?.kill()
  }

  // MARK: On `intakeQueue`

  private func take(_ samples: [Int16]) {
    taken += samples.count
    forward(segmenter.process(samples))
  }

  private func forward(_ actions: [SpeechSegmenter.Action]) {
    for action in actions.flatMap({ splitter.take($0) }) {
      switch action {
      case .begin(let start):
        if !hasDetectedSpeech { post(.speechDetected) }
        hasDetectedSpeech = true
        lock.lock()
        number += 1
        let begun = number
        pending.append(Pending(number: begun, audio: AudioPiece(start: start, samples: [])))
        lock.unlock()
        withService { try $0.channel.send(ServiceRequest.begin(piece: begun)) }
      case .audio(let samples):
        lock.lock()
        if !pending.isEmpty { pending[pending.count - 1].audio.samples += samples }
        lock.unlock()
        withService { try $0.channel.send(ServiceRequest.audio(samples)) }
      case .end:
        lock.lock()
        if !pending.isEmpty { pending[pending.count - 1].isEnded = true }
        lock.unlock()
        withService { try $0.channel.send(ServiceRequest.end) }
      }
    }
    lock.lock()
    let isIdle = pending.isEmpty
    lock.unlock()
    if isIdle { post(.processed(seconds(taken))) }
  }

  /// Sends to the service, starting one if there is none. A service that does not take it is noticed by the thread
  /// that listens to it; what was not taken is among the pieces that are sent again.
  private func withService(_ send: (SpeechServiceProcess) throws -> Void) {
    lock.lock()
    let current = service
    let isOver = isOver
    lock.unlock()
    guard !isOver else { return }
    if let current {
      try? send(current)
    } else {
      restart()
    }
  }

  /// Starts a service and gives it every piece that has no result yet.
  private func restart() {
    do {
      let fresh = try pool.start()
      try fresh.configure(configuration)
      lock.lock()
      guard !isOver else { return lock.unlock() }
      service = fresh
      let again = pending
      lock.unlock()
      listen(to: fresh)
      for piece in again {
        try fresh.channel.send(ServiceRequest.begin(piece: piece.number))
        try fresh.channel.send(ServiceRequest.audio(piece.audio.samples))
        if piece.isEnded { try fresh.channel.send(ServiceRequest.end) }
      }
    } catch ServiceChannelError.closed {
      // It died already; whoever listens to it has noticed.
    } catch {
      end(error)
    }
  }

  // MARK: On the listening thread

  private func listen(to service: SpeechServiceProcess) {
    let thread = Thread {
      do {
        while true {
          let reply: ServiceReply = try service.channel.receive()
          self.handle(reply)
        }
      } catch {
        service.kill()
        self.lost(service)
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  private func handle(_ reply: ServiceReply) {
    switch reply {
    case .partial(let result):
      lock.lock()
      let piece = pending.first { $0.number == result.piece }
      lock.unlock()
      guard let piece, let hypothesis = result.hypotheses.first else { return }
      post(.hypothesis(RecognizedWord.words(of: hypothesis, offset: seconds(piece.audio.start))))
    case .final(let result):
      guard let piece = remove(result.piece) else { return }
      post(.piece(RecognizedPiece(audio: piece.audio, hypotheses: result.hypotheses)))
      post(.processed(seconds(piece.audio.range.upperBound)))
      endIfDone()
    case .failed(let failure):
      guard let piece = remove(failure.piece) else { return }
      post(.failure(samples: piece.audio.range, reason: failure.reason))
      endIfDone()
    case .ready, .unavailable:
      return
    }
  }

  private func remove(_ number: UInt32) -> Pending? {
    lock.lock()
    defer { lock.unlock() }
    return pending.firstIndex { $0.number == number }.map { pending.remove(at: $0) }
  }

  /// The service has died: the piece that it was at is tried again, and given up after some deaths.
  private func lost(_ service: SpeechServiceProcess) {
    lock.lock()
    guard self.service === service, !isOver else { return lock.unlock() }
    self.service = nil
    var given: Pending?
    if !pending.isEmpty {
      pending[0].failures += 1
      if pending[0].failures >= RecordingRecognition.attempts, pending[0].isEnded {
        given = pending.removeFirst()
      }
    }
    let isNeeded = !pending.isEmpty
    lock.unlock()
    if let given { post(.failure(samples: given.audio.range, reason: "the speech service died")) }
    endIfDone()
    if isNeeded { intakeQueue.async { self.withService { _ in } } }
  }

  // MARK: Anywhere

  private func endIfDone() {
    lock.lock()
    let isDone = isFed && pending.isEmpty
    lock.unlock()
    if isDone {
      post(.processed(seconds(taken)))
      end(nil)
    }
  }

  private func end(_ error: (any Error)?) {
    lock.lock()
    guard !isOver else { return lock.unlock() }
    isOver = true
    isFinishing = true
    let service = service
    self.service = nil
    lock.unlock()
    post(.ended(error.map(RecognitionError.error(for:))))
    service?.kill()
  }

  private func post(_ event: RecognitionEvent) { events.async { self.emit(event) } }

  private func seconds(_ samples: Int) -> TimeInterval {
    Double(samples) / Double(SpeechSegmenter.sampleRate)
  }
}
