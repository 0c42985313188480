@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

/// Silero's network, with the weights that `make setup` installs.
@Suite struct VoiceClassifierTests {
  private static func network() throws -> VoiceNetwork { try #require(VoiceNetwork.installed) }

  /// The seconds of an utterance without speech.
  private func nonspeech(_ samples: [Int16], by size: Int? = nil) throws -> [ClosedRange<Double>] {
    var classifier = VoiceClassifier(network: try Self.network(), threshold: 0.5)
    classifier.begin(at: 16_000)
    for start in stride(from: 0, to: samples.count, by: size ?? max(1, samples.count)) {
      classifier.add(Array(samples[start..<min(samples.count, start + (size ?? samples.count))]))
    }
    return classifier.nonspeech().map {
      Double($0.lowerBound - 16_000) / 16_000...Double($0.upperBound - 16_000) / 16_000
    }
  }

  @Test(arguments: ["0870", "0880", "0890", "0920", "0930"])
  func aReaderIsSpeech(_ number: String) throws {
    let samples = try Sounds.reader(number)
    // Readers rest for a second.
    #expect(try nonspeech(samples).reduce(0) { $0 + $1.upperBound - $1.lowerBound } < 1.5)
    #expect(try nonspeech(samples.map { $0 / 16 }).reduce(0) { $0 + $1.upperBound - $1.lowerBound } < 1.5)
  }

  @Test func otherAudioIsNot() throws {
    for samples in [Sounds.melody(10), Sounds.hiss(10), [Int16](repeating: 0, count: 160_000)] {
      #expect(try nonspeech(samples) == [0...Double(samples.count) / 16_000])
    }
  }

  /// The speech has a margin of 0.4 s, and a step of 32 ms.
  @Test func speechAmongOtherAudioIsFoundWhereItIs() throws {
    let reader = try Sounds.reader()
    let samples = Sounds.melody(6) + reader + Sounds.hiss(6)
    let ranges = try nonspeech(samples)
    let (first, last) = (try #require(ranges.first), try #require(ranges.last))
    let end = 6 + Double(reader.count) / 16_000
    #expect(first.lowerBound == 0)
    #expect((5.0...6.5).contains(first.upperBound))
    #expect((end - 1...end + 0.9).contains(last.lowerBound))
    #expect(last.upperBound == Double(samples.count) / 16_000)
  }

  @Test func chunksOfAnySizeGiveTheSame() throws {
    let samples = Sounds.melody(3) + (try Sounds.reader()) + Sounds.hiss(2)
    let whole = try nonspeech(samples)
    for size in [100, 512, 1000, 16_000] { #expect(try nonspeech(samples, by: size) == whole) }
  }

  /// Beside what was heard before, a sound is told better from a voice; after a long silence that is forgotten.
  @Test func whatWasHeardBeforeCounts() throws {
    let network = try Self.network()
    let samples = Sounds.hiss(2) + (try Sounds.reader())
    func nonspeech(after seconds: Int?) -> [Range<Int>] {
      var classifier = VoiceClassifier(network: network, threshold: 0.999)
      let start = 40 * 16_000
      if let seconds {
        let melody = Sounds.melody(3)
        _ = classifier.nonspeech(in: .init(start: start - seconds * 16_000 - melody.count, samples: melody))
      }
      return classifier.nonspeech(in: .init(start: start, samples: samples))
    }
    #expect(nonspeech(after: 11) == nonspeech(after: nil))
    #expect(nonspeech(after: 1) != nonspeech(after: nil))
  }

  /// A word by itself that begins in the first sample, cut from readers: the network without anything before it is not sure of a
  /// single step.
  @Test(arguments: [("0870", 4.45), ("0870", 5.2), ("0870", 6.4), ("0880", 0.65)])
  func aWordThatBeginsAtOnceIsSurelySpoken(_ number: String, _ second: Double) throws {
    let start = Int(second * 16_000)
    let samples = Array(try Sounds.reader(number)[start..<start + 6400])
    for place in [0, 16_000, 60 * 16_000] {
      let audio = UtteranceAudio(start: place, samples: samples)
      #expect(VoiceClassifier.isSure(of: audio.range, in: audio))
    }
    let noise = UtteranceAudio(start: 0, samples: Array(Sounds.hiss(1).prefix(6400)))
    #expect(!VoiceClassifier.isSure(of: noise.range, in: noise))
  }

  @Test(arguments: [0, 1, 511, 512, 513])
  func shortUtterancesAreClassified(_ count: Int) throws {
    let ranges = try nonspeech([Int16](repeating: 0, count: count))
    #expect(ranges == (count == 0 ? [] : [0...Double(count) / 16_000]))
  }

  /// The probabilities that the network's own program has: the reference implementation in Python, of the same weights.
  @Test func probabilitiesAreThoseOfTheReference() throws {
    let network = try Self.network()
    let samples = try Sounds.reader()
    var state = VoiceNetwork.State()
    let probabilities = (0..<40).map { step in
      let start = step * VoiceNetwork.step
      return network.probability(of: samples[start..<start + VoiceNetwork.step], after: &state)
    }
    let expected = [0: 0.0467, 7: 0.2734, 10: 0.3946, 11: 0.6792, 12: 0.8511, 19: 1]
    for (step, expected) in expected { #expect(abs(probabilities[step] - expected) < 0.001) }
  }

  @Test func anotherFileIsRefused() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("ggml".utf8).write(to: file)
    #expect(throws: VoiceNetwork.InvalidFile.self) { try VoiceNetwork(file: file) }
    #expect(
      ModelLocations.voiceNetwork(environment: ["SPEECH_VOICE_NETWORK": file.path], program: nil) == file.path
    )
    #expect(ModelLocations.voiceNetwork(environment: ["SPEECH_VOICE_NETWORK": ""], program: nil) == nil)
  }
}
