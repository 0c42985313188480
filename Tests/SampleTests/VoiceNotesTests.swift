import AVFoundation
import FoundationModels
import SoundServer
import Speech
import TestSupport
import Testing

/// The program with the newest names, run. One after another: they share the sound server's address.
@Suite(.serialized, .timeLimit(.minutes(5))) struct VoiceNotesTests {
  private static let recording = URL(
    fileURLWithPath: (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local")
      + "/share/pocketsphinx/samples/librivox/sense_and_sensibility_01_austen_64kb-0880.wav")

  /// A recording is played where the microphone would be, and ends with the program's last call.
  @Test(.tagged(.recognizer, .soundServer), arguments: [false, true])
  func speechBecomesText(byTap: Bool) async throws {
    let server = try await PulseServer()
    setenv("PULSE_SERVER", server.address, 1)
    let notes = VoiceNotes(locale: Locale(identifier: "en-US"))
    try await notes.prepare()
    if byTap {
      try await notes.tap()
    } else {
      try await notes.capture(from: #require(AVCaptureDevice.default(for: .audio)))
    }
    let player = try server.play(Self.recording)
    #expect(await eventually { !player.isRunning })
    let text = try await notes.finish()
    #expect(text.split(separator: " ").count > 4, "\(text)")
  }

  @Test func ownModelMakesNotes() async throws {
    func made(by model: any LanguageModel, _ text: String) async throws -> (Note, Int, [String]) {
      func open(_ model: some LanguageModel) async throws -> (Note, Int, [String]) {
        try await note(about: text, by: model)
      }
      return try await open(model)
    }
    let (short, tokens, thoughts) = try await made(by: FirstWords(count: 2), "Who goes there?")
    #expect(short == Note(title: "Who goes", isQuestion: true))
    #expect(tokens == "Who goes there?".count + "Who goes".count)
    #expect(thoughts == ["(Reasoning) The first 2 words."])
    // Without a server there is no other.
    if ProcessInfo.processInfo.environment["FOUNDATION_MODEL_ENDPOINT"] == nil {
      #expect(try await made(by: bestModel(), "Nobody at all.").0.title == "Nobody at all.")
    }
    await #expect(throws: LanguageModelError.self) { try await made(by: FirstWords(count: 0), "a") }
  }

  @Test func samplesOfAFixedBufferAreRead() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3))
    buffer.frameLength = 3
    buffer.floatChannelData?[0][1] = -0.5
    #expect(peak(of: AVReadOnlyAudioPCMBuffer(copying: buffer)) == 0.5)
  }
}
