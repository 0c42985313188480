import AVFAudio
import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite(.tagged(.recognizer), .serialized) struct FileRecognitionTests {
  private static let models = TestedModel.allCases

  @Test(arguments: models) func aHandlerHearsPartialResultsAndOneFinalOne(_ model: TestedModel) throws {
    let recorder = TaskRecorder(model)
    let samples = try model.sentence()
    let url = try Recordings.write(samples)
    defer { try? FileManager.default.removeItem(at: url) }
    let task = try recorder.start(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    let final = try #require(recorder.finals.first)
    #expect(recorder.finals.count == 1)
    #expect(recorder.errors.isEmpty)
    #expect(recorder.results.last === final)
    #expect(task.state == .completed)
    #expect(task.error == nil)
    #expect(!task.isCancelled)
    #expect(task.isFinishing)
    let best = final.bestTranscription
    #expect(Recordings.missing(model.text, in: best.formattedString) < 0.35)
    #expect(final.transcriptions.first === best)
    #expect(Set(final.transcriptions.map(\.formattedString)).count == final.transcriptions.count)
    #expect(final.transcriptions.count > 1 || model != .embedded)
    for segment in best.segments {
      #expect((0.0...1.0).contains(segment.confidence))
      #expect(segment.duration > 0)
      #expect((best.formattedString as NSString).substring(with: segment.substringRange) == segment.substring)
      #expect(!segment.alternativeSubstrings.contains(segment.substring))
    }
    #expect(best.segments.contains { !$0.alternativeSubstrings.isEmpty } || model != .embedded)
    let isConfident = best.segments.contains { $0.confidence > 0.5 }
    #expect(isConfident == (model == .embedded || model == .transducer))
    let times = best.segments.map(\.timestamp)
    #expect(times == times.sorted())
    #expect((times.last ?? 99) < Double(samples.count) / 16_000)
    let metadata = try #require(final.speechRecognitionMetadata)
    #expect((100...300).contains(metadata.speakingRate))
    #expect(metadata.speechStartTimestamp == times.first)
    #expect(metadata.speechDuration > (model == .embedded ? 5 : 3))
    let analytics = try #require(metadata.voiceAnalytics)
    #expect(
      analytics.pitch.acousticFeatureValuePerFrame.count == Int((metadata.speechDuration * 100).rounded()))
    #expect(analytics.voicing.acousticFeatureValuePerFrame.contains { $0 > 0.5 })
  }

  @Test(arguments: models) func partialResultsGrowAndHaveNoConfidence(_ model: TestedModel) throws {
    let url = try Recordings.write(model.utterances())
    defer { try? FileManager.default.removeItem(at: url) }
    let recorder = TaskRecorder(model)
    _ = try recorder.start(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    let texts = recorder.results.map(\.bestTranscription.formattedString)
    #expect(texts.count >= 4)
    for (before, after) in zip(texts, texts.dropFirst()) { #expect(after.hasPrefix(before)) }
    for partial in recorder.results.dropLast() {
      #expect(!partial.isFinal)
      #expect(partial.speechRecognitionMetadata == nil)
      #expect(partial.bestTranscription.segments.allSatisfy { $0.confidence == 0 })
    }
  }

  @Test func withoutPartialResultsThereIsOneResult() throws {
    let request = SFSpeechURLRecognitionRequest(url: Recordings.librivox("0880"))
    request.shouldReportPartialResults = false
    let recorder = TaskRecorder()
    _ = try recorder.start(request)
    try #require(recorder.wait())
    #expect(recorder.results.count == 1)
    #expect(recorder.results.first?.isFinal == true)
  }

  @Test(arguments: models) func aDelegateHearsEveryUtteranceByItself(_ model: TestedModel) throws {
    let url = try Recordings.write(model.utterances())
    defer { try? FileManager.default.removeItem(at: url) }
    let recorder = TaskRecorder(model)
    let task = try recorder.follow(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    #expect(recorder.finals.count >= 5)
    #expect(recorder.calls.last == .finished(true))
    #expect(recorder.calls.contains(.finishedReading))
    #expect(!recorder.calls.contains(.cancelled))
    #expect(task.error == nil)
    let ends = recorder.finals.map { result in
      (
        result.bestTranscription.segments.first?.timestamp ?? 0,
        result.bestTranscription.segments.last.map { $0.timestamp + $0.duration } ?? 0
      )
    }
    for (before, after) in zip(ends, ends.dropFirst()) { #expect(before.1 <= after.0 + 0.001) }
    let processed = recorder.calls.compactMap { call -> Double? in
      if case .processed(let seconds) = call { seconds } else { nil }
    }
    #expect(processed == processed.sorted())
    #expect(abs((processed.last ?? 0) - Double(try Recordings.samples(url).count) / 16_000) < 0.001)
  }

  @Test func finishHasNoEffectOnAFile() throws {
    let recorder = TaskRecorder()
    let task = try recorder.start(SFSpeechURLRecognitionRequest(url: Recordings.librivox("0870")))
    task.finish()
    try #require(recorder.wait())
    #expect(
      Recordings.missing(Recordings.text0870, in: recorder.finals[0].bestTranscription.formattedString) < 0.35
    )
  }

  @Test(arguments: models) func cancellingIsHeardOnceAndEndsIt(_ model: TestedModel) throws {
    let url = try Recordings.write(model.utterances())
    defer { try? FileManager.default.removeItem(at: url) }
    let recorder = TaskRecorder(model)
    let task = try recorder.follow(SFSpeechURLRecognitionRequest(url: url))
    task.cancel()
    task.cancel()
    try #require(recorder.wait())
    Thread.sleep(forTimeInterval: 0.3)
    #expect(recorder.calls.suffix(2) == [.cancelled, .finished(false)])
    #expect(recorder.calls.count { $0 == .cancelled } == 1)
    #expect(task.isCancelled)
    #expect(task.state == .completed)
    let error = try #require(task.error as NSError?)
    #expect(error.domain == "kLSRErrorDomain")
    #expect(error.code == 301)
  }

  @Test(arguments: models) func silenceIsNoSpeech(_ model: TestedModel) throws {
    let url = try Recordings.write(Recordings.silence(3))
    defer { try? FileManager.default.removeItem(at: url) }
    let recorder = TaskRecorder(model)
    let task = try recorder.start(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    #expect(recorder.results.isEmpty)
    let error = try #require(task.error as NSError?)
    #expect(error.domain == "kAFAssistantErrorDomain")
    #expect(error.code == 1110)
  }

  @Test(arguments: ["missing.wav", "text.wav"]) func aFileThatIsNoSoundIsAnError(_ name: String) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())-\(name)")
    if name == "text.wav" { try Data("this is not a sound".utf8).write(to: url) }
    defer { try? FileManager.default.removeItem(at: url) }
    let recorder = TaskRecorder()
    let task = try recorder.start(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    #expect(recorder.results.isEmpty)
    #expect((task.error as? SFSpeechError)?.code == .audioReadFailed)
  }

  @Test func marksComeWithAddsPunctuation() throws {
    let request = SFSpeechURLRecognitionRequest(url: Recordings.librivox("0880"))
    request.addsPunctuation = true
    let recorder = TaskRecorder()
    _ = try recorder.start(request)
    try #require(recorder.wait())
    let text = try #require(recorder.finals.first?.bestTranscription.formattedString)
    #expect(text.first?.isUppercase == true)
    #expect(text.hasSuffix("."))
  }

  @Test func contextualStringsAreUsed() throws {
    // The general model does not know the name.
    func text(_ phrases: [String]) throws -> String {
      let request = SFSpeechURLRecognitionRequest(url: Recordings.librivox("0870"))
      request.contextualStrings = phrases
      let recorder = TaskRecorder()
      _ = try recorder.start(request)
      try #require(recorder.wait())
      return try #require(recorder.finals.first).bestTranscription.formattedString
    }
    let plain = try text([])
    #expect(!plain.contains("dashwood"))
    #expect(try text(["Mister John Dashwood", "zugzwang"]).contains("john dashwood"))
    // What was preferred once is not preferred for ever.
    #expect(try text([]) == plain)
    // Phrases that have nothing to do with what is said leave it alone.
    #expect(try text(["Winawer variation", "!?", ""]) == plain)
  }

  @Test(arguments: models) func resultsCanBeArchived(_ model: TestedModel) throws {
    let recorder = TaskRecorder(model)
    let url = try Recordings.write(model.sentence())
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try recorder.start(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    let result = try #require(recorder.finals.first)
    let data = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: SFSpeechRecognitionResult.self, from: data))
    #expect(copy.bestTranscription.formattedString == result.bestTranscription.formattedString)
    #expect(
      copy.bestTranscription.segments.map(\.timestamp) == result.bestTranscription.segments.map(\.timestamp))
    #expect(copy.transcriptions.count == result.transcriptions.count)
    #expect(copy.isFinal)
    #expect(
      copy.speechRecognitionMetadata?.voiceAnalytics == result.speechRecognitionMetadata?.voiceAnalytics)
  }
}
