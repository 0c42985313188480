@testable import RecognitionCore
import Foundation
import RecognitionProtocol

@testable import Speech

/// Returns one word for every `utteranceLength` samples, or fewer where it is flushed. The word's text is its range of samples.
/// Answers arrive after a delay that the seed determines.
///
/// `@unchecked Sendable`: all mutable state is used only on `queue`.
final class FakeRecognizer: AnalysisRecognizer, @unchecked Sendable {
  static let utteranceLength = 8000

  private let queue = DispatchQueue(label: "tests.fake-recognizer")
  private let emit: @Sendable (RecognitionEvent) -> Void
  private var generator: SeededGenerator
  private var utterance = UtteranceAudio(start: 0, samples: [])
  private var pending: [UtteranceAudio] = []
  private var flushes: [(token: Int, position: Int)] = []
  private var isWorking = false
  private var isOver = false
  private var isFinishing = false

  init(seed: UInt64, emit: @escaping @Sendable (RecognitionEvent) -> Void) {
    generator = SeededGenerator(seed: seed)
    self.emit = emit
  }

  func start() {}

  /// Holds everything back until `release()`.
  func hold() { queue.suspend() }

  func release() { queue.resume() }

  func append(_ samples: [Int16]) {
    queue.async {
      self.utterance.samples += samples
      while self.utterance.samples.count >= Self.utteranceLength { self.endUtterance(Self.utteranceLength) }
      if !self.utterance.samples.isEmpty {
        self.emit(.hypothesis([self.word(of: self.utterance, confidence: 0)]))
      }
    }
  }

  func flush(_ token: Int, isLast: Bool) {
    queue.async {
      self.endUtterance(self.utterance.samples.count)
      self.flushes.append((token, self.utterance.start))
      self.answer()
    }
  }

  func skip(to place: Int) {
    queue.async {
      self.endUtterance(self.utterance.samples.count)
      self.utterance.start = place
    }
  }

  func drop(before place: Int) {
    queue.async {
      self.pending.removeAll { $0.range.upperBound <= place }
      self.answer()
    }
  }

  func reconfigure(_ wanted: ServiceConfiguration) {}

  func finish() {
    queue.async {
      self.isFinishing = true
      self.endUtterance(self.utterance.samples.count)
      self.answer()
    }
  }

  func cancel() { queue.async { self.isOver = true } }

  private func endUtterance(_ length: Int) {
    guard length > 0 else { return }
    pending.append(UtteranceAudio(start: utterance.start, samples: Array(utterance.samples.prefix(length))))
    utterance = UtteranceAudio(
      start: utterance.start + length, samples: Array(utterance.samples.dropFirst(length)))
    work()
  }

  private func work() {
    guard !isWorking, !isOver, !pending.isEmpty else { return }
    isWorking = true
    let delay = Int.random(in: 0...300, using: &generator)
    queue.asyncAfter(deadline: .now() + .microseconds(delay)) {
      self.isWorking = false
      guard !self.isOver else { return }
      if !self.pending.isEmpty {
        let utterance = self.pending.removeFirst()
        let candidate = RecognizedCandidate(words: [self.word(of: utterance, confidence: 0.5)], confidence: 1)
        self.emit(.utterance(RecognizedUtterance(audio: utterance, candidates: [candidate])))
        self.emit(.processed(Double(utterance.range.upperBound) / 16_000))
      }
      self.answer()
      self.work()
    }
  }

  private func answer() {
    let first = pending.first?.start ?? .max
    for flush in flushes where flush.position <= first { emit(.flushed(flush.token)) }
    flushes.removeAll { $0.position <= first }
    if isFinishing, pending.isEmpty, !isOver {
      isOver = true
      emit(.ended(nil))
    }
  }

  private func word(of utterance: UtteranceAudio, confidence: Double) -> RecognizedWord {
    RecognizedWord(
      text: "\(utterance.range.lowerBound)-\(utterance.range.upperBound)",
      start: Double(utterance.range.lowerBound) / 16_000, end: Double(utterance.range.upperBound) / 16_000,
      confidence: confidence)
  }
}
