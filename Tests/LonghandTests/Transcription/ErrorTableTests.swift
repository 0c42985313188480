import AVFAudio
import Foundation
import Speech
import Synchronization
import Testing

@testable import Longhand

/// What happens after each error that the guide to Speech lists, for files as for live audio: both take this road.
@Suite struct ErrorTableTests {
  /// An error, seconds until the next attempt after the first and the second failure, and whether the audio is given up
  /// after some attempts.
  struct Row: Sendable, CustomTestStringConvertible {
    var domain: String, code: Int, first: Double, second: Double, endsAudio = true
    var testDescription: String { "\(domain) \(code)" }
    var error: NSError {
      NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: "why"])
    }
  }

  static let table = [
    Row(domain: "kAFAssistantErrorDomain", code: 203, first: 0.5, second: 1),
    Row(domain: "kAFAssistantErrorDomain", code: 209, first: 0.5, second: 1),
    Row(domain: "kAFAssistantErrorDomain", code: 216, first: 0.5, second: 1),
    Row(domain: "kAFAssistantErrorDomain", code: 1101, first: 5, second: 5),
    Row(domain: "kAFAssistantErrorDomain", code: 1107, first: 5, second: 5),
    Row(domain: "SiriSpeechErrorDomain", code: 0, first: 60, second: 120, endsAudio: false),
    Row(domain: "SiriSpeechErrorDomain", code: 4, first: 60, second: 120, endsAudio: false),
    Row(domain: "elsewhere", code: 7, first: 0.5, second: 1),
  ]

  private typealias Machine = RollingStateMachine

  /// A machine with a task that was given one second of sound.
  private func listening(_ machine: inout Machine, now: Double) {
    #expect(machine.tick(now: now) == [.begin(at: 0)])
    #expect(machine.took(through: 1, hasSound: true, quiet: 0, now: now) == [])
  }

  private func end(_ row: Row, isOnDevice: Bool = false) -> Machine.End {
    guard case .transient(let why, let reaction) = RecognizerFailure(row.error) else { return .finished }
    return .failed(why, reaction, isOnDevice: isOnDevice)
  }

  @Test(arguments: table) func eachErrorHasItsDelay(_ row: Row) {
    var machine = Machine(start: 0, now: 0)
    var now = 0.0
    for delay in [row.first, row.second] {
      listening(&machine, now: now)
      let actions = machine.ended(end(row), now: now)
      #expect(actions.last == .restarted(0, "why"))
      #expect(actions.contains(.cancel) == (row.code == 216))
      #expect(machine.tick(now: now + delay - 0.01) == [], "earlier than \(delay) s")
      now += delay
    }
    // The third failure gives up the audio, unless the error says nothing about it.
    listening(&machine, now: now)
    let third = machine.ended(end(row), now: now)
    #expect(third.contains(.failed(0...1, "why")) == row.endsAudio)
    #expect(third.contains(.restarted(0, "why")) == !row.endsAudio)
  }

  @Test func limitOfTheServerDoesNotMatterOnTheDevice() {
    var machine = Machine(start: 0, now: 0)
    listening(&machine, now: 0)
    _ = machine.ended(end(Self.table[5], isOnDevice: true), now: 0)
    #expect(machine.tick(now: 0) == [.begin(at: 0)])
  }

  @Test func failedRecognitionOfSilenceIsNoFailure() {
    var machine = Machine(start: 0, now: 0)
    #expect(machine.tick(now: 0) == [.begin(at: 0)])
    #expect(machine.took(through: 1, hasSound: false, quiet: 1, now: 0) == [])
    #expect(machine.audioEnded(now: 0) == [.endAudio])
    #expect(machine.ended(end(Self.table[1]), now: 0) == [.processed(1), .finish])
  }

  // MARK: The whole engine, with tasks that fail

  private func events(
    of recognizer: FailingRecognizer, allowsServer: Bool = false, deviceWait: TimeInterval = 0.05
  ) async throws -> [TranscriptionEvent] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID()).wav")
    defer { try? FileManager.default.removeItem(at: file) }
    try Self.writeSound(to: file)
    var options = TranscriptionOptions(engine: .rolling)
    options.allowsServer = allowsServer
    var pace = RollingEngine.Pace(tick: 0.005)
    pace.limits.backoff = 0.01
    pace.deviceWait = deviceWait
    let engine = RollingEngine(try options.resolved(), reportsPartials: false, pace: pace) { _ in recognizer }
    var events: [TranscriptionEvent] = []
    for try await event in engine.events(of: try AudioFileSource(file), from: 0) { events.append(event) }
    return events
  }

  /// Two seconds: a tone, then quiet.
  private static func writeSound(to file: URL) throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 32_000))
    buffer.frameLength = 32_000
    let samples = try #require(buffer.floatChannelData?[0])
    for frame in 0..<32_000 { samples[frame] = frame < 16_000 ? 0.3 * sin(Float(frame) / 8) : 0 }
    try AVAudioFile(forWriting: file, settings: format.settings).write(from: buffer)
  }

  @Test(.tagged(.recognizer), arguments: table.filter { $0.first < 1 }) func taskThatFailsOnceIsTriedAgain(
    _ row: Row
  ) async throws {
    let recognizer = try #require(FailingRecognizer([row.error]))
    let events = try await events(of: recognizer)
    #expect(recognizer.started >= 2)
    #expect(!events.contains { if case .failed = $0 { true } else { false } })
    #expect(events.last == .processed(2))
    #expect(events.contains { if case .restarted(0, "why") = $0 { true } else { false } })
  }

  // MARK: What leaves the device

  @Test(.tagged(.recognizer)) func audioIsSentOnlyWithPermission() async throws {
    let recognizer = try #require(FailingRecognizer([]))
    recognizer.supportsOnDeviceRecognition = false
    await #expect(throws: TranscriptionError.leavesDevice("en-US")) { try await self.events(of: recognizer) }
    #expect(recognizer.started == 0)
    _ = try await events(of: recognizer, allowsServer: true)
    #expect(recognizer.requiredDevice.contains(false))
  }

  /// Apple's framework says so some seconds after the recognizer was made.
  @Test(.tagged(.recognizer)) func supportOnTheDeviceMayComeLate() async throws {
    #expect(RollingEngine.Pace().deviceWait == 10)
    let recognizer = try #require(FailingRecognizer([]))
    recognizer.supportsOnDeviceRecognition = false
    let late = recognizer
    Task {
      try await Task.sleep(for: .milliseconds(100))
      late.supportsOnDeviceRecognition = true
    }
    _ = try await events(of: recognizer, deviceWait: 100)
    #expect(!recognizer.requiredDevice.isEmpty && !recognizer.requiredDevice.contains(false))
  }

  @Test(.tagged(.recognizer)) func serverIsNotUsedWhereTheDeviceRecognizes() async throws {
    let recognizer = try #require(FailingRecognizer([]))
    _ = try await events(of: recognizer, allowsServer: true)
    #expect(!recognizer.requiredDevice.isEmpty && !recognizer.requiredDevice.contains(false))
  }

  /// The model came while the server refused.
  @Test(.tagged(.recognizer)) func deviceTakesOverWhenTheServerRefuses() async throws {
    let refused = NSError(domain: "SiriSpeechErrorDomain", code: 1)
    let recognizer = try #require(FailingRecognizer([refused]))
    recognizer.supportsOnDeviceRecognition = false
    recognizer.onStart = { $0.supportsOnDeviceRecognition = true }
    _ = try await events(of: recognizer, allowsServer: true)
    #expect(recognizer.requiredDevice.prefix(2) == [false, true])
  }

  @Test func errorSaysThatNothingWasSent() {
    let text = TranscriptionError.leavesDevice("ja-JP").description
    #expect(text.contains("would leave this device"))
    #expect(text.contains("Nothing was sent"))
    #expect(text.contains("--allow-server"))
  }
}

/// A recognizer whose first tasks fail with the given errors; the others are real.
///
/// `@unchecked Sendable`: `noted` guards what changes; the rest is set before it is used.
private final class FailingRecognizer: SFSpeechRecognizer, @unchecked Sendable {
  private let noted = Mutex<(errors: ArraySlice<NSError>, requiredDevice: [Bool])>(([], []))
  var onStart: (FailingRecognizer) -> Void = { _ in }

  init?(_ errors: [NSError]) {
    super.init(locale: Locale(identifier: "en-US"))
    noted.withLock { $0.errors = errors[...] }
  }

  /// Whether each request had to stay on the device.
  var requiredDevice: [Bool] { noted.withLock(\.requiredDevice) }
  var started: Int { requiredDevice.count }

  override func recognitionTask(
    with request: SFSpeechRecognitionRequest, delegate: any SFSpeechRecognitionTaskDelegate
  ) -> SFSpeechRecognitionTask {
    let error = noted.withLock { noted in
      noted.requiredDevice.append(request.requiresOnDeviceRecognition)
      return noted.errors.popFirst()
    }
    guard let error else { return super.recognitionTask(with: request, delegate: delegate) }
    let task = FailedTask(error, delegate)
    onStart(self)
    queue.addOperation { task.report() }
    return task
  }
}

/// `@unchecked Sendable`: nothing changes.
private final class FailedTask: SFSpeechRecognitionTask, @unchecked Sendable {
  private let failure: NSError
  private let delegate: any SFSpeechRecognitionTaskDelegate

  init(_ failure: NSError, _ delegate: any SFSpeechRecognitionTaskDelegate) {
    (self.failure, self.delegate) = (failure, delegate)
    super.init()
  }

  override var error: (any Error)? { failure }
  override func cancel() {}
  func report() { delegate.speechRecognitionTask(self, didFinishSuccessfully: false) }
}
