import AVFAudio
import CoreMedia
import Foundation
import TestSupport
import Testing

@testable import Speech

@Suite struct RecognitionRequestTests {
  private func sampleBuffer(_ samples: [Int16], claiming count: Int? = nil) throws -> CMSampleBuffer {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let data = samples.withUnsafeBytes { Data($0) }
    let block = try CMBlockBuffer(length: data.count, flags: [])
    try data.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    return try CMSampleBuffer(
      dataBuffer: block,
      formatDescription: try CMFormatDescription(
        audioStreamBasicDescription: format.streamDescription.pointee),
      numSamples: count ?? samples.count, presentationTimeStamp: .zero, packetDescriptions: [])
  }

  @Test func aSampleBufferIsTakenAsItIs() throws {
    let samples: [Int16] = [0, 1, -1, .max, .min, 1000]
    let buffer = try #require(AVAudioPCMBuffer(sampleBuffer: try sampleBuffer(samples)))
    #expect(buffer.frameLength == 6)
    #expect(buffer.format.sampleRate == 16_000)
    let channels = try #require(buffer.int16ChannelData)
    #expect(Array(UnsafeBufferPointer(start: channels[0], count: 6)) == samples)
  }

  @Test func aSampleBufferThatHoldsLessThanItSaysIsNotTaken() throws {
    guard let buffer = try? sampleBuffer([1, 2, 3], claiming: 1_000_000) else { return }
    #expect(AVAudioPCMBuffer(sampleBuffer: buffer) == nil)
  }

  @Test func theHintOfTheRecognizerIsTheDefault() {
    let request = SFSpeechAudioBufferRecognitionRequest()
    request.addsPunctuation = true
    #expect(request.style(defaultHint: .dictation).writesSpokenMarks)
    request.taskHint = .search
    #expect(request.style(defaultHint: .dictation) == TranscriptionStyle())
    request.taskHint = .unspecified
    request.addsPunctuation = false
    #expect(request.style(defaultHint: .dictation) == TranscriptionStyle())
  }

  @Test func aConfirmationPrefersYesAndNo() {
    let request = SFSpeechAudioBufferRecognitionRequest()
    request.contextualStrings = (0..<150).map { "phrase \($0)" }
    #expect(request.likelyPhrases(defaultHint: .unspecified).count == 150)
    request.contextualStrings = (0..<1500).map { "phrase \($0)" }
    #expect(request.likelyPhrases(defaultHint: .unspecified).count == 1000)
    request.taskHint = .confirmation
    #expect(request.likelyPhrases(defaultHint: .unspecified).contains("yes"))
  }

  @Test(.tagged(.recognizer)) func aCustomLanguageModelThatIsNotThereIsAnError() throws {
    let request = SFSpeechURLRecognitionRequest(url: Recordings.librivox("0880"))
    request.requiresOnDeviceRecognition = true
    request.customizedLanguageModel = .init(languageModel: URL(fileURLWithPath: "/model"))
    let recorder = TaskRecorder()
    let task = try recorder.start(request)
    try #require(recorder.wait())
    #expect(recorder.results.isEmpty)
    #expect((task.error as? SFSpeechError)?.code == .malformedSupplementalModel)
  }

  @Test(.tagged(.recognizer)) func anAbstractRequestIsAnError() throws {
    let recorder = TaskRecorder()
    let task = try recorder.start(SFSpeechRecognitionRequest())
    try #require(recorder.wait())
    #expect((task.error as? SFSpeechError)?.code == .missingParameter)
  }
}
