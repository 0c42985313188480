import TestSupport
import Testing

@testable import SpeakerDiarization

@Suite struct VoiceClusteringTests {
  /// Parts of 100 frames of two coefficients, by turns of two Gaussians.
  private func parts(_ count: Int) -> [GaussianStatistics] {
    var random = Numbers(9)
    return (0..<count).map { part in
      var statistics = GaussianStatistics(dimension: 2)
      for _ in 0..<100 {
        let mean: Float = part % 2 == 0 ? 0 : 3
        // The sum of uniform numbers is near to normal.
        let frame = (0..<2).map { _ in mean + Float((0..<4).reduce(0) { sum, _ in sum + random.next() }) - 2 }
        statistics.add(frame[...])
      }
      return statistics
    }
  }

  @Test(arguments: [1000, 24])
  func twoClustersAreFoundAlsoInBlocks(blockSize: Int) {
    let clustering = VoiceClustering(parts(60), blockSize: blockSize)
    let voices = clustering.voices(nil, range: 10).map(Set.init)
    #expect(Set(voices) == [Set(stride(from: 0, to: 60, by: 2)), Set(stride(from: 1, to: 60, by: 2))])
  }

  @Test func noPartsHaveNoVoices() {
    #expect(VoiceClustering([]).voices(nil, range: 10).isEmpty)
    #expect(VoiceClustering([]).voices(2, range: 10).isEmpty)
  }

  @Test func moreVoicesThanPartsAreAllParts() {
    #expect(VoiceClustering(parts(3)).voices(8, range: 10).count == 3)
  }
}
