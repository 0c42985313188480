import Foundation
import Longhand
import Testing

@testable import LonghandServer

@Suite struct LiveEventEncoderTests {
  /// The notices of some events.
  private func notices(_ events: [SessionEvent]) throws -> [[String: String]] {
    var encoder = LiveEventEncoder { 0 }
    return try events.flatMap { encoder.encode($0, now: 0) }.compactMap { event in
      guard case .notice(let data) = event else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      let json = try #require(text.split(separator: "\n").first { $0.hasPrefix("data:") }).dropFirst(5)
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      return object?.compactMapValues { $0 as? String }
    }
  }

  /// Each notice of a source has its name, and that of its recovery replaces it.
  @Test func lossAndRecoveryAreAboutTheSameSource() throws {
    let found = try notices([
      .recording(.sourceLost("Monitor of Speakers", why: nil)),
      .recording(.sourceLost("USB microphone", why: "it was removed")),
      .recording(.sourceRecovered("Monitor of Speakers")),
    ])
    #expect(found.map { $0["kind"] } == ["error", "error", "warning"])
    #expect(found[0]["about"] != found[1]["about"])
    #expect(found[0]["about"] == found[2]["about"])
    #expect(found[0]["text"]?.hasPrefix("“Monitor of Speakers” delivers no audio. ") == true)
    #expect(found[1]["text"]?.hasPrefix("“USB microphone” delivers no audio: it was removed. ") == true)
    #expect(!found.contains { $0["text"]?.contains("The microphone") == true })
  }

  @Test func libraryThatKeepsFailingIsOneNotice() throws {
    let found = try notices([.storeFailed("full"), .storeFailed("full"), .storeBack, .storeFailed("full")])
    #expect(found.map { $0["kind"] } == ["error", "warning", "error"])
    #expect(Set(found.map { $0["about"] }).count == 1)
  }
}
