import Foundation
import SpeechServiceProtocol

@testable import Speech

/// Hears one word, named after its place, in every stretch of `pieceLength` samples, or shorter where it has to end
/// early. Answers late, after a delay that a seed determines.
///
/// `@unchecked Sendable`: everything that changes is used only on `queue`.
final class FakeRecognizer: AnalysisRecognizer, @unchecked Sendable {
  static let pieceLength = 8000

  private let queue = DispatchQueue(label: "tests.fake-recognizer")
  private let emit: @Sendable (RecognitionEvent) -> Void
  private var generator: SeededGenerator
  private var piece = AudioPiece(start: 0, samples: [])
  private var pending: [AudioPiece] = []
  private var flushes: [(token: Int, place: Int)] = []
  private var isWorking = false
  private var isOver = false
  private var isFinishing = false

  init(seed: UInt64, emit: @escaping @Sendable (RecognitionEvent) -> Void) {
    generator = SeededGenerator(seed: seed)
    self.emit = emit
  }

  func start() {}

  func append(_ samples: [Int16]) {
    queue.async {
      self.piece.samples += samples
      while self.piece.samples.count >= Self.pieceLength { self.endPiece(Self.pieceLength) }
      if !self.piece.samples.isEmpty {
        self.emit(.hypothesis([self.word(of: self.piece, confidence: 0)]))
      }
    }
  }

  func flush(_ token: Int, isLast: Bool) {
    queue.async {
      self.endPiece(self.piece.samples.count)
      self.flushes.append((token, self.piece.start))
      self.answer()
    }
  }

  func skip(to place: Int) {
    queue.async {
      self.endPiece(self.piece.samples.count)
      self.piece.start = place
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
      self.endPiece(self.piece.samples.count)
      self.answer()
    }
  }

  func cancel() { queue.async { self.isOver = true } }

  private func endPiece(_ length: Int) {
    guard length > 0 else { return }
    pending.append(AudioPiece(start: piece.start, samples: Array(piece.samples.prefix(length))))
    piece = AudioPiece(start: piece.start + length, samples: Array(piece.samples.dropFirst(length)))
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
        let piece = self.pending.removeFirst()
        let candidate = RecognizedCandidate(words: [self.word(of: piece, confidence: 0.5)], confidence: 1)
        self.emit(.piece(RecognizedPiece(audio: piece, candidates: [candidate])))
        self.emit(.processed(Double(piece.range.upperBound) / 16_000))
      }
      self.answer()
      self.work()
    }
  }

  private func answer() {
    let first = pending.first?.start ?? .max
    for flush in flushes where flush.place <= first { emit(.flushed(flush.token)) }
    flushes.removeAll { $0.place <= first }
    if isFinishing, pending.isEmpty, !isOver {
      isOver = true
      emit(.ended(nil))
    }
  }

  private func word(of piece: AudioPiece, confidence: Double) -> RecognizedWord {
    RecognizedWord(
      text: "\(piece.range.lowerBound)-\(piece.range.upperBound)",
      start: Double(piece.range.lowerBound) / 16_000, end: Double(piece.range.upperBound) / 16_000,
      confidence: confidence)
  }
}
