import AVFAudio
import Foundation
import Testing

@testable import Speech

/// A program that recognizes by two models at the same time.
@Suite(.serialized, .tagged(.recognizer)) struct TwoModelsTests {
  private static let models = [TestedModel.embedded, .ctc]

  /// The share of the words that were said which are in a text.
  private static func share(of spoken: String, in text: String) -> Double {
    let words = spoken.split(separator: " ")
    let found = Set(text.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "'" }))
    return Double(words.count { found.contains($0) }) / Double(words.count)
  }

  private static func analyzed(by model: TestedModel) async throws -> String {
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [], reportingOptions: [],
      attributeOptions: [])
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    try await analyzer.setContext(model.context)
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: inputs)
    feed.yield(AnalyzerInput(buffer: try Recordings.buffer(model.sentence())))
    feed.finish()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    var text = ""
    for try await result in transcriber.results { text += String(result.text.characters) }
    return text
  }

  @Test func analyzersRecognizeEachByTheirOwn() async throws {
    let texts = try await withThrowingTaskGroup { group in
      for model in Self.models { group.addTask { (model, try await Self.analyzed(by: model)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for model in Self.models {
      let text = texts[model] ?? ""
      #expect(Self.share(of: model.text, in: text) > 0.6, "\(model): \(text)")
    }
  }

  @Test func tasksRecognizeEachByTheirOwn() throws {
    let tasks = try Self.models.map { model in
      let recorder = TaskRecorder(model)
      let request = SFSpeechAudioBufferRecognitionRequest()
      let task = try recorder.start(request)
      request.append(try Recordings.buffer(model.sentence()))
      request.endAudio()
      return (model, recorder, task)
    }
    for (model, recorder, task) in tasks {
      try #require(recorder.wait(seconds: 120))
      let text = recorder.finals.last?.bestTranscription.formattedString ?? ""
      #expect(Self.share(of: model.text, in: text) > 0.6, "\(model): \(text)")
      #expect(task.state == .completed)
    }
  }
}
