import AVFoundation
import Foundation
import SoundServer
import Speech
import Synchronization
import TestSupport
import Testing

/// The samples of the guide to Speech, run. One after another: they share the audio session.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SpeechGuideTests {
  private let guide: SpeechGuide
  private static let recording = URL(
    fileURLWithPath: (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local")
      + "/share/pocketsphinx/samples/librivox/sense_and_sensibility_01_austen_64kb-0880.wav")

  init() throws {
    guide = try #require(SpeechGuide(SFSpeechRecognizer(locale: Locale(identifier: "en-US"))))
  }

  @Test(.tagged(.recognizer)) func fileIsTranscribedWithItsSegments() async throws {
    #expect(guide.initialize()?.delegate === guide)
    let guide = guide
    let text = try await withCheckedThrowingContinuation { continuation in
      guide.transcribeAudioFile(url: Self.recording) { continuation.resume(with: $0) }
    }
    #expect(text.split(separator: " ").count > 4)
    guide.forceOnDevice()
    #expect(guide.request.requiresOnDeviceRecognition)
    try guide.requireOnDevice()
    guide.printLocales()
  }

  @Test func requestsTakeTheGuidesSettings() async throws {
    guide.addTerms()
    #expect(guide.request.contextualStrings == ["Kubernetes", "PostgreSQL", "GraphQL"])
    guide.addPunctuation()
    #expect(guide.request.addsPunctuation)
    guide.hint()
    #expect(guide.request.taskHint == .dictation)
    try guide.configureAudioSession()
    #expect(AVAudioSession.sharedInstance().category == .record)
    #expect(AVAudioSession.sharedInstance().mode == .measurement)
    guide.cleanup()
    guide.describe()
    #expect(guide.recordButton.accessibilityLabel == "Start recording")
    #expect(guide.transcriptLabel.accessibilityValue == "one two")
    let guide = guide
    let isAllowed = await withCheckedContinuation { continuation in
      guide.requestSpeechAuthorization { continuation.resume(returning: $0) }
    }
    #expect(isAllowed)
  }

  @Test func interruptionPauses() async throws {
    guide.observeInterruptions()
    NotificationCenter.default.post(
      name: AVAudioSession.interruptionNotification, object: nil,
      userInfo: [AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue])
    let guide = guide
    #expect(await eventually { guide.events == ["pause"] })
  }

  @Test func errorsHaveTheGuidesReactions() async throws {
    let table = [(203, "backoff"), (209, "restart"), (216, "cancel"), (1, "error")]
    for (code, reaction) in table {
      guide.handleRecognitionError(NSError(domain: "kAFAssistantErrorDomain", code: code))
      #expect(guide.events.last == reaction)
    }
    guide.handleRecognitionError(NSError(domain: "SiriSpeechErrorDomain", code: 1))
    #expect(guide.events.last == "quota")

    let manager = RobustSpeechManager()
    let robust = [
      (209, "validate"), (216, "cancel"), (1101, "delay 5.0"), (1107, "delay 5.0"), (99, "on device"),
    ]
    for (code, reaction) in robust {
      manager.handleError(NSError(domain: "kAFAssistantErrorDomain", code: code))
      #expect(RobustSpeechManager.reactions.last == reaction)
    }
    for _ in 0..<4 { manager.handleError(NSError(domain: "kAFAssistantErrorDomain", code: 203)) }
    #expect(RobustSpeechManager.reactions.last == "give up")
    #expect(await eventually { RobustSpeechManager.reactions.last == "restart" })
  }

  /// A recording is played where the microphone would be.
  @Test(.tagged(.recognizer, .soundServer)) func speechIsRecognizedLive() async throws {
    let server = try await PulseServer()
    setenv("PULSE_SERVER", server.address, 1)
    let manager = SpeechRecognitionManager()
    let texts = Mutex<[String]>([])
    manager.onTranscriptionUpdate = { text, _ in texts.withLock { $0.append(text) } }
    let errors = Mutex<[String]>([])
    manager.onError = { error in errors.withLock { $0.append("\(error)") } }
    try manager.startRecording()
    let player = try server.play(Self.recording)
    #expect(await eventually { !player.isRunning })
    #expect(await eventually { texts.withLock { $0.last?.split(separator: " ").count ?? 0 } > 3 })
    // Stopping cancels the request, which is an error of its own.
    #expect(errors.withLock(\.self) == [])
    manager.stopRecording()
  }

  /// The guide writes `customData.write(to:)` and `PhraseCount` without its type, which Apple's framework does not have
  /// either. This is its code with the names of the framework.
  @Test(.tagged(.recognizer)) func customLanguageModelIsPrepared() async throws {
    let customData = SFCustomLanguageModelData(
      locale: .init(identifier: "en-US"), identifier: "com.yourapp.speechmodel", version: "1"
    ) {
      SFCustomLanguageModelData.PhraseCount(phrase: "kubectl apply", count: 50)
      SFCustomLanguageModelData.PhraseCount(phrase: "docker compose", count: 50)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("guide-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let dataURL = folder.appendingPathComponent("training.bin")
    try await customData.export(to: dataURL)
    let modelURL = folder.appendingPathComponent("custom.model")
    try await SFSpeechLanguageModel.prepareCustomLanguageModel(
      for: dataURL, configuration: SFSpeechLanguageModel.Configuration(languageModel: modelURL))
    #expect(FileManager.default.fileExists(atPath: modelURL.path))
  }
}
