import Foundation
import Testing

@testable import Speech

/// The two public classes: values that survive an archive.
struct SFVoiceAnalyticsTests {
  private func feature(_ values: [Double], every duration: TimeInterval = 0.01) -> SFAcousticFeature {
    SFAcousticFeature(values: values, frameDuration: duration)
  }

  private func analytics(jitter: [Double] = [1.5, 2]) -> SFVoiceAnalytics {
    SFVoiceAnalytics(
      jitter: feature(jitter), shimmer: feature([0.5, 0.7]), pitch: feature([-0.25, 0.1]),
      voicing: feature([0.9, 1]))
  }

  private func roundTrip<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
  }

  @Test func archivedFeatureIsExact() throws {
    let values = [0, -0.0, 0.1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity]
    let original = feature(values, every: 0.0125)
    let copy = try roundTrip(original)
    #expect(copy !== original)
    #expect(copy == original)
    #expect(copy.acousticFeatureValuePerFrame.map(\.bitPattern) == values.map(\.bitPattern))
    #expect(copy.frameDuration == 0.0125)
    #expect(try roundTrip(SFAcousticFeature()) == SFAcousticFeature())
  }

  @Test func archivedAnalyticsAreEqual() throws {
    let original = analytics()
    let copy = try roundTrip(original)
    #expect(copy !== original)
    #expect(copy == original)
    #expect(copy.jitter.acousticFeatureValuePerFrame == [1.5, 2])
    #expect(copy.shimmer.acousticFeatureValuePerFrame == [0.5, 0.7])
    #expect(copy.pitch.acousticFeatureValuePerFrame == [-0.25, 0.1])
    #expect(copy.voicing.acousticFeatureValuePerFrame == [0.9, 1])
    #expect(try roundTrip(SFVoiceAnalytics()) == SFVoiceAnalytics())
  }

  @Test func equalValuesAreEqualAndHashAlike() {
    #expect(feature([1, 2]) == feature([1, 2]))
    #expect(feature([1, 2]).hash == feature([1, 2]).hash)
    #expect(feature([1, 2]) != feature([1, 3]))
    #expect(feature([1, 2]) != feature([1, 2], every: 0.02))
    #expect(!feature([1]).isEqual("1"))
    #expect(!feature([1]).isEqual(nil))
    #expect(analytics() == analytics())
    #expect(analytics().hash == analytics().hash)
    #expect(analytics() != analytics(jitter: [1.5, 3]))
    #expect(!analytics().isEqual(feature([1])))
  }

  @Test func copyIsTheSameObject() {
    let (feature, analytics) = (feature([1]), analytics())
    #expect(feature.copy() as? SFAcousticFeature === feature)
    #expect(analytics.copy() as? SFVoiceAnalytics === analytics)
  }

  @Test func damagedArchivesAreRefused() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(Data([1, 2, 3]) as NSData, forKey: "acousticFeatureValuePerFrame")
    archiver.encode(0.01, forKey: "frameDuration")
    archiver.finishEncoding()
    #expect(SFAcousticFeature(coder: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)) == nil)

    let empty = NSKeyedArchiver(requiringSecureCoding: true)
    empty.encode(0.01, forKey: "frameDuration")
    empty.finishEncoding()
    #expect(SFAcousticFeature(coder: try NSKeyedUnarchiver(forReadingFrom: empty.encodedData)) == nil)
    #expect(SFVoiceAnalytics(coder: try NSKeyedUnarchiver(forReadingFrom: empty.encodedData)) == nil)

    let negative = NSKeyedArchiver(requiringSecureCoding: true)
    negative.encode(NSData(), forKey: "acousticFeatureValuePerFrame")
    negative.encode(-1.0, forKey: "frameDuration")
    negative.finishEncoding()
    #expect(SFAcousticFeature(coder: try NSKeyedUnarchiver(forReadingFrom: negative.encodedData)) == nil)
  }

  @Test func analyticsAreSendable() async {
    let analytics = analytics()
    let count = await Task.detached { analytics.pitch.acousticFeatureValuePerFrame.count }.value
    #expect(count == 2)
  }
}
