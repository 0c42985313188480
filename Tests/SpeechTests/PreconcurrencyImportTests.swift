@preconcurrency import AVFoundation
@preconcurrency import Speech
import Testing

/// Code in Swift 6 mode that passes results of the framework between threads, as programs for Apple's platforms do with
/// `@preconcurrency`. Warnings are errors here: the test is that it compiles.
@Suite struct PreconcurrencyImportTests {
  private final class Receiver: @unchecked Sendable {
    var result: SFSpeechRecognitionResult?
    var task: SFSpeechRecognitionTask?
  }

  private func pass(
    _ result: SFSpeechRecognitionResult, _ transcription: SFTranscription, _ buffer: AVAudioPCMBuffer,
    _ request: SFSpeechAudioBufferRecognitionRequest, _ engine: AVAudioEngine
  ) async -> Int {
    let receiver = Receiver()
    await MainActor.run { receiver.result = result }
    let counted = Task.detached { @Sendable in
      request.append(buffer)
      engine.stop()
      return transcription.segments.count + result.transcriptions.count
    }
    return await counted.value
  }

  @Test func resultsCanBePassedBetweenThreads() async throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16))
    let count = await pass(
      SFSpeechRecognitionResult(), SFTranscription(), buffer, SFSpeechAudioBufferRecognitionRequest(),
      AVAudioEngine())
    #expect(count == 0)
  }
}
