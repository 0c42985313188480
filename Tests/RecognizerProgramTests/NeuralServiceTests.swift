import Foundation
import RecognitionProtocol
import TestSupport
import Testing

@testable import SherpaService

/// The real process with each toy model.
@Suite(.tagged(.childProcess), .serialized) struct NeuralServiceTests {
  private static let kinds = ToyModel.Kind.recognizers

  private func folder(_ kind: ToyModel.Kind) -> String { kind.original.path }

  private func isReady(_ reply: ServiceReply) -> Bool { if case .ready = reply { true } else { false } }

  @Test(arguments: kinds) func wordsAreRecognizedWithTheirTimes(_ kind: ToyModel.Kind) throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(kind))))
    var found = 0
    var expected = 0
    var errors: [Double] = []
    for (index, recording) in try ToyRecording.all("words").enumerated() {
      let hypotheses = try service.hypotheses(recording.samples(), utterance: UInt32(index))
      let words = hypotheses.first?.words ?? []
      expected += recording.words.count
      // Insertions count as well.
      found -= max(0, words.count - recording.words.count)
      for word in recording.words {
        let match = words.first { $0.text == word.text && abs($0.start - word.start) < 0.5 }
        guard let match else { continue }
        found += 1
        errors += [abs(match.start - word.start), abs(match.end - word.end)]
      }
      #expect(words.allSatisfy { ($0.confidence != nil) == (kind == .transducer) })
    }
    #expect(Double(found) >= 0.8 * Double(expected), "\(found) of \(expected) words")
    #expect(try #require(errors.isEmpty ? nil : errors.sorted()[errors.count / 2]) <= 0.15)
  }

  @Test(arguments: kinds) func partialsGrowWhileAudioComes(_ kind: ToyModel.Kind) throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(kind), mode: .stream)))
    let recording = try #require(try ToyRecording.all("pauses").first)
    let samples = Array(try recording.samples().prefix(12 * 16_000))
    let (partials, last) = try service.decode(samples)
    guard case .final(let result) = last else {
      Issue.record("\(last)")
      return
    }
    #expect(partials.count >= 5)
    let partial = try #require(partials.last)
    #expect(partial.confidence == (kind == .transducer ? 0 : nil))
    let words = try #require(ServiceHypothesis.checked(result.hypotheses, duration: 12).first).words
    let spoken = recording.words.filter { $0.end < 12 }
    #expect(abs(words.count - spoken.count) <= 3)
    #expect(throws: Never.self) { try ServiceHypothesis.checked(partials, duration: 12) }
  }

  @Test func theSameUtteranceHasTheSameResultInEveryOrder() throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(.transducer))))
    let recordings = try ToyRecording.all("words").prefix(4).map { try $0.samples() }
    let forwards = try recordings.map { try service.hypotheses($0) }
    let backwards = try recordings.reversed().map { try service.hypotheses($0) }
    #expect(forwards == Array(backwards.reversed()))
  }

  @Test func alternativesDifferAndSayTheirSource() throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(.transducer))))
    var sources: Set<ServiceHypothesis.Source> = []
    for recording in try ToyRecording.all("") {
      let hypotheses = try service.hypotheses(recording.samples())
      #expect(Set(hypotheses.map(\.text)).count == hypotheses.count)
      #expect(hypotheses.count <= 5)
      sources.formUnion(hypotheses.dropFirst().map(\.source))
    }
    #expect(!sources.contains(.best) && !sources.contains(.biased))
    #expect(isReady(try service.configure(folder(.transducer), alternatives: 1)))
    let recording = try #require(try ToyRecording.all("words").first)
    #expect(try service.hypotheses(recording.samples()).count == 1)
  }

  /// An expected word is written where it is said, and no other word changes. Greedy search never writes it.
  @Test(arguments: [1, 5]) func expectedWordsAreWrittenWhereTheyAreSaid(_ alternatives: Int) throws {
    let service = try NeuralServiceProcess()
    #expect(
      isReady(try service.configure(folder(.transducer), alternatives: alternatives, phrases: ["Tomorrow"])))
    let plain = try NeuralServiceProcess()
    #expect(isReady(try plain.configure(folder(.transducer), alternatives: 1)))
    var found = 0
    let recordings = try ToyRecording.all("hotword")
    for recording in recordings {
      let hypotheses = try service.hypotheses(recording.samples())
      let greedy = try plain.hypotheses(recording.samples()).first?.words ?? []
      #expect(!hypotheses.contains { $0.source != .biased && $0.text.contains("tomorrow") })
      guard let first = hypotheses.first, first.source == .biased else { continue }
      found += first.text.contains("tomorrow") ? 1 : 0
      let others = first.words.filter { $0.text != "tomorrow" }
      #expect(others.allSatisfy { greedy.contains($0) })
      #expect(first.words.allSatisfy { $0.confidence != nil })
    }
    #expect(found >= recordings.count - 1)
    // Some of them have "two", which it begins like.
    for recording in try ToyRecording.all("words") + ToyRecording.all("pauses") {
      let hypotheses = try service.hypotheses(recording.samples())
      #expect(hypotheses.first?.text.contains("tomorrow") != true, "\(recording.name)")
    }
  }

  /// "close", spoken faster than the network knows it, has the sound of "tomorrow" for it or not, by where its frames begin.
  @Test(arguments: [116, 122, 132]) func expectedWordIsNotWrittenForAnotherOne(_ percent: Int) throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(.transducer), phrases: ["tomorrow"])))
    let samples = try #require(try ToyRecording.all("words-06").first).samples()
    let fast = (0..<samples.count * 100 / percent).map { samples[$0 * percent / 100] }
    for quiet in stride(from: 0, to: 640, by: 160) {
      let hypotheses = try service.hypotheses([Int16](repeating: 0, count: quiet) + fast)
      #expect(hypotheses.first?.text.contains("tomorrow") != true, "\(quiet) samples of quiet")
    }
  }

  @Test func noiseAndSilenceAreAnswered() throws {
    for kind in Self.kinds {
      let service = try NeuralServiceProcess()
      #expect(isReady(try service.configure(folder(kind))))
      #expect(try service.hypotheses([]).isEmpty)
      #expect(try service.hypotheses([Int16](repeating: 0, count: 100)).isEmpty)
      for length in [1600, 1601, 5000, 16_000, 30 * 16_000] {
        #expect(throws: Never.self) { try service.hypotheses([Int16](repeating: 0, count: length)) }
      }
      let late = try service.decode([Int16](repeating: 0, count: 31 * 16_000)).last
      guard case .failed(let failure) = late else {
        Issue.record("\(late)")
        return
      }
      #expect(failure.reason.contains("30 seconds"))
    }
  }

  @Test func anAbandonedUtteranceLeavesNothing() throws {
    let service = try NeuralServiceProcess()
    #expect(isReady(try service.configure(folder(.streamingCTC), mode: .stream)))
    let recording = try #require(try ToyRecording.all("words-02").first)
    let alone = try service.hypotheses(recording.samples())
    try service.channel.send(ServiceRequest.begin(utterance: 7))
    try service.channel.send(ServiceRequest.audio(Array(try recording.samples().prefix(4000))))
    try service.channel.send(ServiceRequest.abandon)
    let reply = try service.configure(folder(.streamingCTC), mode: .stream)
    #expect(isReady(reply))
    #expect(try service.hypotheses(recording.samples()) == alone)
  }
}
