import Testing

@testable import LonghandTranscripts
@testable import LonghandVocabulary

@MainActor @Suite struct NormalizationCoordinatorTests {
  @Test func latestTextIsNormalized() async {
    let coordinator = NormalizationCoordinator(TranscriptNormalizer(entities: ["Kimura"]))
    #expect(coordinator.state == .idle)
    coordinator.update("a kimura")
    #expect(coordinator.state == .working)
    await coordinator.waitUntilIdle()
    guard case .ready(let normalized) = coordinator.state else {
      Issue.record("\(coordinator.state)")
      return
    }
    #expect(normalized.text == "a Kimura")
  }

  @Test func lateResultOfEarlierTextIsIgnored() async {
    let first = FirstAnswer<Void>()
    let begun = FirstAnswer<Void>()
    let coordinator = NormalizationCoordinator { text in
      if text == "first" {
        begun.give(())
        await first.value
      }
      return NormalizedTranscript(text: text)
    }
    coordinator.update("first")
    await begun.value
    coordinator.update("second")
    await coordinator.waitUntilIdle()
    #expect(coordinator.state == .ready(NormalizedTranscript(text: "second")))
    first.give(())
    for _ in 0..<100 { await Task.yield() }
    #expect(coordinator.state == .ready(NormalizedTranscript(text: "second")))
  }

  @Test func cancelledWorkHasNoResult() async {
    let gate = FirstAnswer<Void>()
    let coordinator = NormalizationCoordinator { text in
      await gate.value
      return NormalizedTranscript(text: text)
    }
    coordinator.update("text")
    coordinator.cancel()
    #expect(coordinator.state == .idle)
    gate.give(())
    for _ in 0..<100 { await Task.yield() }
    await coordinator.waitUntilIdle()
    #expect(coordinator.state == .idle)
    let other = NormalizationCoordinator { NormalizedTranscript(text: $0) }
    other.update("again")
    await other.waitUntilIdle()
    #expect(other.state == .ready(NormalizedTranscript(text: "again")))
  }

  @Test func workRunsOffTheMainActor() async {
    let isMain = FirstAnswer<Bool>()
    let coordinator = NormalizationCoordinator { text in
      isMain.give(#isolation === MainActor.shared)
      return NormalizedTranscript(text: text)
    }
    coordinator.update("text")
    let answer = await isMain.value
    #expect(!answer)
    await coordinator.waitUntilIdle()
  }
}
