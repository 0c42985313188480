import Foundation
import Testing

@testable import Longhand

@Suite struct StoreCandidateCodingTests {
  @Test(arguments: 0..<20)
  func truncatedOrExtendedDataIsRejected(seed: UInt64) {
    for segment in RandomTranscripts.transcript(seed: seed).segments {
      let data = CandidateCoding.data(segment.candidates)
      #expect(CandidateCoding.candidates(data) == segment.candidates)
      #expect((0..<data.count).allSatisfy { CandidateCoding.candidates(data.prefix($0)) == nil })
      #expect(CandidateCoding.candidates(data + [0]) == nil)
    }
    #expect(CandidateCoding.candidates(Data(repeating: 0xFF, count: 100)) == nil)
  }
}
