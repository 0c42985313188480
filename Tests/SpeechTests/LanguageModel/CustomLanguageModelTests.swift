import AVFAudio
import Foundation
import TestSupport
import Testing

@testable import Speech

/// Custom language models in requests and transcribers, with sentences that flite speaks.
@Suite("A custom language model", .tagged(.recognizer), .serialized) struct CustomLanguageModelTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("custom-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func speak(_ text: String) throws -> URL {
    let file = folder.appendingPathComponent("\(text.hashValue).wav")
    try Program.output(of: ["flite", "-voice", "slt", "-t", text, file.path])
    return file
  }

  private func prepare(_ name: String, _ data: SFCustomLanguageModelData, weight: Double? = nil) async throws
    -> SFSpeechLanguageModel.Configuration
  {
    let asset = folder.appendingPathComponent("\(name).bin")
    try await data.export(to: asset)
    let configuration = SFSpeechLanguageModel.Configuration(
      languageModel: folder.appendingPathComponent(name),
      vocabulary: folder.appendingPathComponent("\(name)-vocabulary"),
      weight: weight.map { NSNumber(value: $0) })
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(for: asset, configuration: configuration)
    return configuration
  }

  private func chess() async throws -> SFSpeechLanguageModel.Configuration {
    try await prepare("chess", ChessData.data())
  }

  private func recognize(
    _ url: URL, _ model: SFSpeechLanguageModel.Configuration?, onDevice: Bool = true, live: Bool = false
  ) throws -> String {
    let recorder = TaskRecorder()
    let request: SFSpeechRecognitionRequest
    if live {
      let buffers = SFSpeechAudioBufferRecognitionRequest()
      let file = try AVAudioFile(forReading: url)
      let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
      try file.read(into: buffer)
      buffers.append(buffer)
      buffers.endAudio()
      request = buffers
    } else {
      request = SFSpeechURLRecognitionRequest(url: url)
    }
    request.requiresOnDeviceRecognition = onDevice
    request.customizedLanguageModel = model
    _ = try recorder.start(request)
    try #require(recorder.wait())
    if let error = recorder.errors.first { throw error }
    return recorder.finals.map(\.bestTranscription.formattedString).joined(separator: " ").lowercased()
  }

  @Test(arguments: [false, true])
  func taskRecognizesWordsOfTheModelOnly(_ isLive: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = try await chess()
    for (sentence, term) in [
      ("play the Winawer variation", "winawer"), ("play the Albin counter gambit", "albin"),
    ] {
      let sound = try speak(sentence)
      #expect(try !recognize(sound, nil, live: isLive).contains(term))
      #expect(try recognize(sound, model, live: isLive) == sentence.lowercased())
      // Without on-device recognition it has no effect, as Apple documents.
      #expect(try !recognize(sound, model, onDevice: false, live: isLive).contains(term))
    }
  }

  @Test func dictationUsesModelAndContextualStrings() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let hint = DictationTranscriber.ContentHint.customizedLanguage(modelConfiguration: try await chess())
    let transcriber = DictationTranscriber(
      locale: Locale(identifier: "en-US"), contentHints: [hint], transcriptionOptions: [],
      reportingOptions: [], attributeOptions: [.transcriptionConfidence])
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let context = AnalysisContext()
    context.contextualStrings[.general] = ["omoplata"]
    try await analyzer.setContext(context)
    try await analyzer.start(
      inputAudioFile: AVAudioFile(forReading: try speak("play the Winawer variation and the omoplata")),
      finishAfterFile: true)
    var text = ""
    for try await result in transcriber.results {
      text += String(result.text.characters)
      #expect(result.text.runs.allSatisfy { $0.transcriptionConfidence ?? 0 > 0 })
    }
    #expect(text == "Play the Winawer variation and the Omoplata.")
  }

  @Test func clientsDoNotShareModels() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let sound = try speak("zorro")
    func data(_ word: String) -> SFCustomLanguageModelData {
      SFCustomLanguageModelData(locale: Locale(identifier: "en_US"), identifier: word, version: "1") {
        SFCustomLanguageModelData.PhraseCount(phrase: word, count: 1)
        SFCustomLanguageModelData.CustomPronunciation(grapheme: word, phonemes: ["z O r oU"])
      }
    }
    // Two words with the same pronunciation, each in the model of one client only.
    let first = try await prepare("first", data("zoroh"), weight: 0.9)
    let second = try await prepare("second", data("zorrow"), weight: 0.9)
    for _ in 0..<2 {
      #expect(try recognize(sound, first) == "zoroh")
      #expect(try recognize(sound, second) == "zorrow")
      let plain = try recognize(sound, nil)
      #expect(plain != "zoroh")
      #expect(plain != "zorrow")
    }
    // A model that is prepared again at the same URL replaces the earlier one.
    let third = try await prepare("first", data("zorrough"), weight: 0.9)
    #expect(try recognize(sound, third) == "zorrough")
  }

  @Test func unreadableModelIsNamedInTheError() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = try await chess()
    let sound = try speak("play")
    var lines = try String(contentsOf: model.languageModel, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let count = try #require(lines.firstIndex { $0.hasPrefix("ngram 3=") })
    lines[count] = "ngram 3=1000000"
    try lines.joined(separator: "\n").write(to: model.languageModel, atomically: true, encoding: .utf8)
    do {
      _ = try recognize(sound, model)
      Issue.record("The damaged model was read.")
    } catch {
      #expect((error as NSError).localizedDescription.contains(model.languageModel.path))
    }
  }
}
