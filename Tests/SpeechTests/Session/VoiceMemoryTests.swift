import SpeechServiceProtocol
import Testing

@testable import Speech

@Suite struct VoiceMemoryTests {
  /// An utterance of a second.
  private func range(at second: Int) -> Range<Int> {
    second * SpeechSegmenter.sampleRate..<(second + 1) * SpeechSegmenter.sampleRate
  }

  private func memory(of seconds: [Int]) -> VoiceMemory {
    var memory = VoiceMemory()
    for second in seconds { memory.add(AdaptationStatistics(sums: [Double(second)]), of: range(at: second)) }
    return memory
  }

  @Test func aMinuteBeforeAndHalfAMinuteAfterCount() {
    let memory = memory(of: [38, 40, 100, 130, 131])
    #expect(memory.statistics(at: range(at: 100)).sums == [40 + 100 + 130])
  }

  /// Additions of numbers with a fraction depend on their order.
  @Test func theOrderOfLearningDoesNotCount() {
    var (first, second) = (VoiceMemory(), VoiceMemory())
    let lessons = [(1, 0.1), (2, 1e16), (3, -1e16), (4, 0.7)]
    for (time, value) in lessons { first.add(AdaptationStatistics(sums: [value]), of: range(at: time)) }
    for (time, value) in lessons.reversed() {
      second.add(AdaptationStatistics(sums: [value]), of: range(at: time))
    }
    #expect(first.statistics(at: range(at: 5)) == second.statistics(at: range(at: 5)))
  }

  @Test func halfOfEachMinuteIsLearnedFrom() {
    let learned = [0, 29, 30, 59, 60, 89, 90].filter { VoiceMemory.wants(range(at: $0)) }
    #expect(learned == [0, 29, 60, 89])
  }

  @Test func onlyWhatIsTooOldIsForgotten() {
    var memory = memory(of: [1, 41, 100])
    memory.forget(before: range(at: 101).lowerBound)
    #expect(memory.statistics(at: range(at: 101)).sums == [141])
    #expect(memory.statistics(at: range(at: 12)).sums == [41])
  }

  @Test func sumsOfAnotherModelAreNotAdded() {
    var statistics = AdaptationStatistics(sums: [1, 2])
    statistics.add(AdaptationStatistics(sums: [1]))
    statistics.add(AdaptationStatistics())
    #expect(statistics.sums == [1, 2])
    statistics.add(AdaptationStatistics(sums: [10, 20]))
    #expect(statistics.sums == [11, 22])
  }

  /// What is no number cannot be sent to a service.
  @Test func sumsThatOverflowAreNotAdded() {
    var statistics = AdaptationStatistics(sums: [.greatestFiniteMagnitude, 1])
    statistics.add(AdaptationStatistics(sums: [.greatestFiniteMagnitude, 1]))
    #expect(statistics.sums == [.greatestFiniteMagnitude, 1])
  }
}
