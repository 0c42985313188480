import Foundation
import Testing

@testable import NeuralRecognition

@Suite struct AttentionAlignmentTests {
  /// The costs of tokens that have attention in some frames, and of what follows them.
  private func costs(_ attended: [Range<Int>], frames: Int) -> [Float] {
    (attended + [frames - 1..<frames]).flatMap { own in (0..<frames).map { own.contains($0) ? -3 : 0 } }
  }

  private func loudness(_ frames: Int, quiet: [Range<Int>]) -> [Float] {
    (0..<frames).map { frame in quiet.contains { $0.contains(frame) } ? -1 : 1 }
  }

  @Test func attentionIsFollowedAfterItsDelay() throws {
    let found = try #require(
      AttentionAlignment(
        costs: costs([0..<20, 20..<30, 30..<60], frames: 60), loudness: loudness(60, quiet: []),
        beginsWord: [true, true, true]))
    #expect(found.starts == [0, 20 + AttentionAlignment.delay, 30 + AttentionAlignment.delay, 60])
    #expect(found.pauses.isEmpty)
  }

  @Test(arguments: [
    // Attention stays on the first word, or goes to the second one early.
    [10..<50, 50..<80], [10..<30, 30..<80],
  ])
  func pauseBelongsToNoWord(_ attended: [Range<Int>]) throws {
    let found = try #require(
      AttentionAlignment(
        costs: costs(attended, frames: 100), loudness: loudness(100, quiet: [0..<10, 30..<50, 80..<100]),
        beginsWord: [true, true]))
    #expect(found.starts == [10, 50, 80])
    #expect(found.pauses == [30..<50])
  }

  @Test func wordIsNotDividedByAPause() throws {
    let found = try #require(
      AttentionAlignment(
        costs: costs([0..<30, 50..<80], frames: 80), loudness: loudness(80, quiet: [30..<50]),
        beginsWord: [true, false]))
    #expect(found.pauses.isEmpty)
  }

  @Test func quietFrameOfAConsonantIsNoPause() throws {
    let found = try #require(
      AttentionAlignment(
        costs: costs([0..<30, 30..<60], frames: 60), loudness: loudness(60, quiet: [27..<30]),
        beginsWord: [true, true]))
    #expect(found.pauses.isEmpty)
  }

  @Test func weakEndOfAWordIsStillLoud() {
    func sound(_ decibels: Float) -> [Float] {
      let level = 0.5 * powf(10, decibels / 20)
      return (0..<8000).map { $0 % 2 == 0 ? level : -level }
    }
    let energy = SpeechEnergy(sound(0) + sound(-18) + sound(-60) + sound(0))
    #expect(energy.loudness[30] == 1)
    #expect(energy.loudness[60] == -1)
  }

  @Test func everyTokenNeedsAFrame() {
    #expect(
      AttentionAlignment(
        costs: costs([0..<1, 1..<2, 1..<2], frames: 2), loudness: [1, 1], beginsWord: [true, true, true])
        == nil)
    #expect(AttentionAlignment(costs: [], loudness: [], beginsWord: []) == nil)
  }

  @Test func randomTablesGiveTimesInOrder() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let (tokens, frames) = (
        Int.random(in: 1...20, using: &random), Int.random(in: 20...100, using: &random)
      )
      let found = try #require(
        AttentionAlignment(
          costs: (0..<(tokens + 1) * frames).map { _ in .random(in: -3...3, using: &random) },
          loudness: (0..<frames).map { _ in .random(in: -1...1, using: &random) },
          beginsWord: (0..<tokens).map { _ in .random(using: &random) }))
      #expect(found.starts.count == tokens + 1)
      #expect(zip(found.starts, found.starts.dropFirst()).allSatisfy { $0 < $1 })
      #expect(found.pauses.allSatisfy { found.starts.contains($0.upperBound) })
    }
  }
}
