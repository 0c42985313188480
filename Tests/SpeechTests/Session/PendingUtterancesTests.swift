@testable import RecognitionCore
import Testing

@testable import Speech

@Suite struct PendingUtterancesTests {
  private var pending = PendingUtterances()

  /// Adds an utterance of four samples.
  @discardableResult private mutating func speak(from start: Int, isEnded: Bool = true) -> UInt32 {
    let number = pending.begin(at: start)
    pending.add([1, 2])
    pending.add([3, 4])
    if isEnded { pending.end(nonspeech: [0..<1]) }
    return number
  }

  private mutating func completed(_ number: UInt32) -> PendingUtterances.Utterance? {
    guard case .completed(let utterance) = pending.complete(number) else { return nil }
    return utterance
  }

  @Test mutating func utteranceKeepsItsAudioUntilItsResult() throws {
    let number = speak(from: 100)
    #expect(pending.audio(of: number)?.start == 100)
    #expect(try #require(pending.newest).isEnded)
    let utterance = try #require(completed(number))
    #expect(utterance.audio == UtteranceAudio(start: 100, samples: [1, 2, 3, 4]))
    #expect(utterance.nonspeech == [0..<1])
    #expect(pending.isEmpty)
    #expect(pending.audio(of: number) == nil)
    // A second result is not wanted.
    #expect(pending.complete(number).isUnwanted)
  }

  /// An early result changes nothing.
  @Test mutating func resultsAreTakenInOrder() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    #expect(pending.complete(second).isEarly)
    #expect(pending.utterances.map(\.number) == [first, second])
    #expect(completed(first) != nil)
    #expect(completed(second) != nil)
  }

  @Test mutating func flushCompletesOnceAndAfterTheLastResult() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    pending.wait(7)
    let third = speak(from: 20)
    #expect(completed(first) != nil)
    #expect(pending.completedFlushes().isEmpty)
    #expect(completed(second) != nil)
    #expect(pending.completedFlushes() == [7])
    #expect(pending.completedFlushes().isEmpty)
    #expect(completed(third) != nil)
    #expect(pending.completedFlushes().isEmpty)
    // Without pending utterances a flush completes at once.
    pending.wait(8)
    #expect(pending.completedFlushes() == [8])
  }

  @Test mutating func utteranceIsGivenUpAfterThreeDeaths() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.fail(after: 3)?.number == first)
    // The next one has its own count.
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.utterances.map(\.number) == [second])
  }

  /// No sample is lost between the given up part and the rest.
  @Test mutating func restOfAGivenUpUtteranceGoesOn() {
    let number = speak(from: 10, isEnded: false)
    pending.wait(1)
    #expect(pending.fail(after: 1)?.audio.range == 10..<14)
    #expect(pending.completedFlushes() == [1])
    pending.add([5])
    #expect(pending.utterances.map(\.audio) == [UtteranceAudio(start: 14, samples: [5])])
    #expect(pending.newest?.number != number)
    #expect(pending.newest?.isEnded == false)
  }

  @Test mutating func onlyWholeUtterancesBeforeThePositionAreDropped() {
    speak(from: 0)
    let across = speak(from: 10)
    let open = speak(from: 12, isEnded: false)
    pending.drop(before: 13)
    #expect(pending.utterances.map(\.number) == [across, open])
    pending.drop(before: 100)
    #expect(pending.utterances.map(\.number) == [open])
  }

  @Test mutating func emptyQueueIgnoresCalls() {
    pending.add([1])
    pending.end(nonspeech: nil)
    #expect(pending.fail(after: 1) == nil)
    #expect(pending.isEmpty)
    #expect(pending.newest == nil)
    #expect(pending.complete(1).isUnwanted)
  }
}

extension PendingUtterances.Completion {
  fileprivate var isUnwanted: Bool { if case .unwanted = self { true } else { false } }
  fileprivate var isEarly: Bool { if case .early = self { true } else { false } }
}
