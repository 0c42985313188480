@testable import RecognitionCore
import ChildProcesses
import Foundation
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

@Suite struct SFSpeechRecognizerTests {
  /// Notes what a recognizer reports, and whether it does so on its queue.
  private final class NotingDelegate: NSObject, SFSpeechRecognizerDelegate, @unchecked Sendable {
    let queue = OperationQueue()
    private let reports = Mutex<[Bool]>([])
    private let strays = Mutex(0)

    var reported: [Bool] { reports.withLock(\.self) }
    var onOtherQueues: Int { strays.withLock(\.self) }

    func speechRecognizer(_ speechRecognizer: SFSpeechRecognizer, availabilityDidChange available: Bool) {
      if OperationQueue.current !== queue { strays.withLock { $0 += 1 } }
      reports.withLock { $0.append(available) }
    }
  }

  @Test(arguments: [true, false])
  func delegateIsNotifiedOfAvailability(_ setsDelegateFirst: Bool) async throws {
    let service = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID())")
    defer { try? FileManager.default.removeItem(at: service) }
    let recognizer = try #require(SFSpeechRecognizer(locale: Locale(identifier: "en-US")))
    let delegate = NotingDelegate()
    if setsDelegateFirst { recognizer.delegate = delegate }
    recognizer.model = TestedModel.embedded.speechModel
    recognizer.pool = SpeechServicePool(
      capacity: 1,
      environment: ["SPEECH_SERVICE_PATH": service.path, "NEURAL_SPEECH_SERVICE_PATH": service.path])
    recognizer.queue = delegate.queue
    #expect(!recognizer.isAvailable)
    if !setsDelegateFirst { recognizer.delegate = delegate }
    try Data("#!/bin/sh\n".utf8).write(to: service)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: service.path)
    #expect(await eventually { delegate.reported == [true] })
    #expect(recognizer.isAvailable)
    try FileManager.default.removeItem(at: service)
    #expect(await eventually { delegate.reported == [true, false] })
    #expect(delegate.onOtherQueues == 0)
  }

  @Test(arguments: ["en-US", "en_US", "en", "en_001"]) func americanEnglishIsKnown(_ identifier: String) {
    #expect(SFSpeechRecognizer(locale: Locale(identifier: identifier))?.locale.identifier(.bcp47) == "en-US")
  }

  /// Whisper knows none of these languages.
  @Test(arguments: ["eo", "tlh", "zz", ""]) func localeWithoutModelIsNil(_ identifier: String) {
    #expect(SFSpeechRecognizer(locale: Locale(identifier: identifier)) == nil)
  }

  @Test func aRecognizerHasApplesDefaults() throws {
    let recognizer = try #require(SFSpeechRecognizer(locale: Locale(identifier: "en-US")))
    #expect(recognizer.isAvailable)
    #expect(recognizer.supportsOnDeviceRecognition)
    #expect(recognizer.queue === OperationQueue.main)
    #expect(recognizer.defaultTaskHint == .unspecified)
    let request = SFSpeechAudioBufferRecognitionRequest()
    #expect(request.shouldReportPartialResults)
    #expect(!request.requiresOnDeviceRecognition)
    #expect(!request.addsPunctuation)
    #expect(request.taskHint == .unspecified)
    #expect(request.contextualStrings.isEmpty)
    #expect(request.nativeAudioFormat.sampleRate == 16_000)
    #expect(request.nativeAudioFormat.channelCount == 1)
  }

  @Test func errorsAreCaughtByTheirCodes() {
    do { throw SFSpeechError(.timeout) } catch SFSpeechError.timeout {} catch { Issue.record("not caught") }
    let error = SFSpeechError(.audioReadFailed) as NSError
    #expect(error.domain == SFSpeechErrorDomain)
    #expect(error.code == 2)
    #expect(!error.localizedDescription.isEmpty)
    do { throw error } catch SFSpeechError.audioReadFailed {} catch { Issue.record("not caught") }
    #expect(!(SFSpeechError.timeout ~= error))
    #expect(!(SFSpeechError.timeout ~= CancellationError()))
    #expect(!(SFSpeechError.audioReadFailed ~= NSError(domain: "elsewhere", code: 2)))
  }

  @Test func errorsAreEqualAsNSErrorsAre() {
    struct Cause: Error { var number: Int }
    func error(_ number: Int, _ code: SFSpeechError.Code = .noModel) -> SFSpeechError {
      SFSpeechError(code, userInfo: [NSUnderlyingErrorKey: Cause(number: number), "numbers": [number]])
    }
    func described(_ text: String) -> SFSpeechError {
      SFSpeechError(.noModel, userInfo: [NSLocalizedDescriptionKey: text])
    }
    #expect(error(1) == error(1))
    #expect(error(1).hashValue == error(1).hashValue)
    #expect(error(1) != error(2))
    #expect(error(1) != error(1, .timeout))
    #expect(error(1) != SFSpeechError(.noModel))
    #expect(described("a") == described("a"))
    #expect(described("a") != described("b"))
  }

  @Test func theServiceIsLookedForInOrder() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    func make(_ path: String) throws -> String {
      let url = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("#!/bin/sh\n".utf8).write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      return url.path
    }
    let program = root.appendingPathComponent("bin/app").path
    let environment = ["PATH": root.appendingPathComponent("path").path]
    func found() -> String? {
      Recognizer.pocketSphinx.locator.find(environment: environment, program: program)
    }
    #expect(found() == nil)
    let onPath = try make("path/pocketsphinx-service")
    #expect(found() == onPath)
    let libexec = try make("libexec/longhand/pocketsphinx-service")
    #expect(found() == libexec)
    let beside = try make("bin/pocketsphinx-service")
    #expect(found() == beside)
    let named = try make("other/service")
    let explicit = environment.merging(["SPEECH_SERVICE_PATH": named]) { $1 }
    #expect(Recognizer.pocketSphinx.locator.find(environment: explicit, program: program) == named)
    // A wrong name is not replaced by a guess.
    let wrong = environment.merging(["SPEECH_SERVICE_PATH": named + "x"]) { $1 }
    #expect(Recognizer.pocketSphinx.locator.find(environment: wrong, program: program) == nil)
    // A named recognizer is no decoder.
    #expect(ProgramLocator.audioDecoder.find(environment: explicit, program: program) == nil)
  }
}
