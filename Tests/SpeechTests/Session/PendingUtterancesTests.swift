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

  private mutating func settled(_ number: UInt32) -> PendingUtterances.Utterance? {
    guard case .settled(let utterance) = pending.settle(number) else { return nil }
    return utterance
  }

  @Test mutating func aUtteranceIsKeptWithItsSoundUntilItsResultIsThere() throws {
    let number = speak(from: 100)
    #expect(pending.start(of: number) == 100)
    #expect(pending.newest?.isEnded == true)
    let utterance = try #require(settled(number))
    #expect(utterance.audio == UtteranceAudio(start: 100, samples: [1, 2, 3, 4]))
    #expect(utterance.nonspeech == [0..<1])
    #expect(pending.isEmpty)
    #expect(pending.start(of: number) == nil)
    // A second result for it is nobody's.
    #expect(pending.settle(number).isUnwanted)
  }

  /// What comes out of its order changes nothing.
  @Test mutating func resultsAreTakenInOrder() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    #expect(pending.settle(second).isEarly)
    #expect(pending.utterances.map(\.number) == [first, second])
    #expect(settled(first) != nil)
    #expect(settled(second) != nil)
  }

  @Test mutating func whoWaitsIsToldOnceAndNotBeforeTheLastResult() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    pending.wait(7)
    let third = speak(from: 20)
    #expect(settled(first) != nil)
    #expect(pending.answered().isEmpty)
    #expect(settled(second) != nil)
    #expect(pending.answered() == [7])
    #expect(pending.answered().isEmpty)
    #expect(settled(third) != nil)
    #expect(pending.answered().isEmpty)
    // Where nothing is pending there is nothing to wait for.
    pending.wait(8)
    #expect(pending.answered() == [8])
  }

  @Test mutating func aUtteranceIsGivenUpAfterSoManyDeaths() {
    let (first, second) = (speak(from: 0), speak(from: 10))
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.fail(after: 3)?.number == first)
    // The next one has its own count.
    #expect(pending.fail(after: 3) == nil)
    #expect(pending.utterances.map(\.number) == [second])
  }

  /// No sample falls between the part that is given up and the rest.
  @Test mutating func whatIsStillBeingSaidGoesOn() {
    let number = speak(from: 10, isEnded: false)
    pending.wait(1)
    #expect(pending.fail(after: 1)?.audio.range == 10..<14)
    #expect(pending.answered() == [1])
    pending.add([5])
    #expect(pending.utterances.map(\.audio) == [UtteranceAudio(start: 14, samples: [5])])
    #expect(pending.newest?.number != number)
    #expect(pending.newest?.isEnded == false)
  }

  @Test mutating func onlyWholeUtterancesBeforeAPlaceAreDropped() {
    speak(from: 0)
    let across = speak(from: 10)
    let open = speak(from: 12, isEnded: false)
    pending.drop(before: 13)
    #expect(pending.utterances.map(\.number) == [across, open])
    pending.drop(before: 100)
    #expect(pending.utterances.map(\.number) == [open])
  }

  @Test mutating func withoutAUtteranceThereIsNothingToDo() {
    pending.add([1])
    pending.end(nonspeech: nil)
    #expect(pending.fail(after: 1) == nil)
    #expect(pending.isEmpty)
    #expect(pending.newest == nil)
    #expect(pending.settle(1).isUnwanted)
  }
}

extension PendingUtterances.Settlement {
  fileprivate var isUnwanted: Bool { if case .unwanted = self { true } else { false } }
  fileprivate var isEarly: Bool { if case .early = self { true } else { false } }
}
