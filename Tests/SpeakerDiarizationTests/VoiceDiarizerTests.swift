import Foundation
import TestSupport
import Testing

@testable import SpeakerDiarization

@Suite struct VoiceDiarizerTests {
  private typealias Turn = VoiceDiarizer.Turn

  private func turns(of conversation: SyntheticConversation, voices: Int?) -> [Turn] {
    var diarizer = VoiceDiarizer()
    diarizer.add(conversation.samples)
    // Pauses between turns are shorter than a detector finds.
    let speech = conversation.turns.map { $0.range.lowerBound - 0.15...$0.range.upperBound + 0.15 }
    return diarizer.found(in: speech, voices: voices)
  }

  /// The share of the speech with the right voice, in the best assignment of two or three voices.
  private func accuracy(_ turns: [Turn], _ conversation: SyntheticConversation) -> Double {
    var shared: [[Double]] = Array(repeating: Array(repeating: 0, count: 8), count: 3)
    var total = 0.0
    for (range, voice) in conversation.turns {
      total += range.upperBound - range.lowerBound
      for turn in turns where turn.voice < 8 {
        let (start, end) = (max(turn.start, range.lowerBound), min(turn.end, range.upperBound))
        shared[voice][turn.voice] += max(0, end - start)
      }
    }
    func best(_ voice: Int, without used: Set<Int>) -> Double {
      guard voice < shared.count else { return 0 }
      return (0..<8).filter { !used.contains($0) }
        .map { shared[voice][$0] + best(voice + 1, without: used.union([$0])) }.max() ?? 0
    }
    return best(0, without: []) / total
  }

  @Test(arguments: [[SyntheticVoice.low, .high], [.low, .middle, .high]])
  func numberOfVoicesIsFound(voices: [SyntheticVoice]) {
    let conversation = SyntheticConversation(voices, seconds: 25 * Double(voices.count))
    let turns = turns(of: conversation, voices: nil)
    #expect(Set(turns.map(\.voice)).count == voices.count)
    #expect(accuracy(turns, conversation) > 0.95)
  }

  @Test func oneVoiceIsNotSplit() {
    let turns = turns(of: SyntheticConversation([.middle], seconds: 50), voices: nil)
    #expect(Set(turns.map(\.voice)) == [0])
    // That there are no others is a guess.
    #expect(turns.allSatisfy { $0.confidence == nil })
  }

  /// A real voice, whose sounds differ more than those of a synthetic one: 25 s of one reader.
  @Test func oneReaderIsNotSplit() throws {
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    let folder = URL(fileURLWithPath: prefix + "/share/pocketsphinx/samples/librivox")
    var (diarizer, speech, start) = (VoiceDiarizer(), [ClosedRange<Double>](), 0.0)
    for number in ["0870", "0880", "0890", "0920", "0930"] {
      let file = folder.appendingPathComponent("sense_and_sensibility_01_austen_64kb-\(number).wav")
      let samples = try Data(contentsOf: file).dropFirst(44).withUnsafeBytes {
        Array($0.bindMemory(to: Int16.self))
      }
      diarizer.add(samples)
      let end = start + Double(samples.count) / 16_000
      speech.append(start...end)
      start = end
    }
    #expect(Set(diarizer.found(in: speech, voices: nil).map(\.voice)) == [0])
  }

  /// As measured; less is claimed where the number of voices may be wrong too.
  @Test func nobodyIsCertain() {
    let conversation = SyntheticConversation([.low, .high], seconds: 40)
    let given = turns(of: conversation, voices: 2).compactMap(\.confidence)
    let found = turns(of: conversation, voices: nil).compactMap(\.confidence)
    #expect(given.count == found.count && given.count > 5)
    #expect(given.allSatisfy { (0.3...0.95).contains($0) })
    #expect(zip(given, found).allSatisfy { $0 > $1 })
    #expect(stride(from: -1.0, to: 8, by: 0.25).map(VoiceMargins.right).isAscending)
    #expect(abs(VoiceMargins.right(margin: 2.5) - 0.685) < 1e-9)
  }

  @Test func numberThatIsGivenIsUsed() {
    let conversation = SyntheticConversation([.low, .middle, .high], seconds: 40, seed: 3)
    let turns = turns(of: conversation, voices: 2)
    #expect(Set(turns.map(\.voice)).count == 2)
  }

  @Test func turnsCoverTheSpeechInOrder() {
    let conversation = SyntheticConversation([.low, .high], seconds: 20, seed: 5)
    var diarizer = VoiceDiarizer()
    diarizer.add(conversation.samples)
    let speech = [2.0...3.5, 1.0...2.5, 4.0...9.0, 15.0...1000.0]
    let turns = diarizer.found(in: speech, voices: 2)
    for (turn, next) in zip(turns, turns.dropFirst()) { #expect(turn.end <= next.start) }
    let end = (Double(conversation.samples.count) / 16_000 * 100).rounded(.down) / 100
    let spoken = turns.reduce(0) { $0 + $1.end - $1.start }
    #expect(abs(spoken - (2.5 + 5 + end - 15)) < 0.1)
    #expect(turns.first?.start == 1)
    #expect(turns.allSatisfy { (0...1).contains($0.confidence ?? -1) })
  }

  @Test(arguments: [nil, 1, 3] as [Int?])
  func audioWithoutVoiceHasNoTurns(voices: Int?) {
    var diarizer = VoiceDiarizer()
    #expect(diarizer.found(in: [0...1], voices: voices).isEmpty)
    diarizer.add([Int16](repeating: 0, count: 16_000))
    #expect(diarizer.found(in: [], voices: voices).isEmpty)
    #expect(diarizer.found(in: [0...1], voices: voices).isEmpty)
  }

  @Test func chunksDoNotMatter() {
    let samples = SyntheticConversation([.low, .high], seconds: 8, seed: 7).samples
    var (whole, parts) = (MelBands(), MelBands())
    whole.add(samples)
    for start in stride(from: 0, to: samples.count, by: 777) {
      parts.add(samples[start..<min(samples.count, start + 777)])
    }
    let areEqual = whole.levels == parts.levels
    #expect(areEqual)
  }
}

extension [Double] {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
