@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Faults of the service, provoked: by a signal to the real one, or by a proxy that fails on
/// demand.
@Suite(.serialized, .tagged(.recognizer)) struct ServiceFaultTests {
  private static let models = TestedModel.processes
  /// Without `make soak`, one model of each kind of service, live and not. Whisper takes several times as long as the others: it is
  /// killed, fails and is missing here, and `WhisperTests` and `WhisperServiceTests` do more with it.
  private static let most = isSoak ? models : [.embedded, .streamingCTC, .transducer]
  /// What a model's service does. Hangs are waited for, with one model of each service.
  private static let faults = most.flatMap { model in
    ["die", "hang", "nonsense"].filter { $0 != "hang" || [.embedded, .transducer].contains(model) }
      .map { (model, $0) }
  }

  /// Where the test's own build put its executables.
  static var products: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// A program that waits for its next task keeps its services for longer.
  @Test func variablesConfigureThePool() {
    let usual = SpeechServicePool(configuredBy: [:])
    #expect(usual.lingering == 30)
    let pool = SpeechServicePool(configuredBy: [
      "SPEECH_SERVICE_LINGERING": "600", "SPEECH_SERVICE_COUNT": "3",
    ])
    #expect(pool.lingering == 600)
    #expect(pool.capacity == 3)
  }

  /// The recognition of a recording, as one line per event that a client can see.
  private func recognize(
    _ model: TestedModel, _ url: URL, capacity: Int = 2, environment: [String: String] = [:],
    killing kills: Int = 0
  ) throws -> (lines: [String], failures: [Range<Int>], error: (any Error)?) {
    let done = DispatchSemaphore(value: 0)
    let log = EventLog()
    let killer = Killer(kills)
    let recognition = RecordingRecognition(
      AudioFileReader.opening(url),
      configuration: model.configured(ServiceConfiguration(model: .pocketSphinx, alternatives: 3)),
      pool: pool(environment, capacity: capacity)
    ) { event in
      log.add(event)
      if case .utterance = event { killer.strike() }
      if case .ended = event { done.signal() }
    }
    killer.recognition = recognition
    recognition.start()
    try #require(done.wait(timeout: .now() + 400) == .success)
    return (log.lines, log.failures, log.error)
  }

  private func pool(_ environment: [String: String], capacity: Int = 2) -> SpeechServicePool {
    return SpeechServicePool(
      capacity: capacity, patience: environment["SPEECH_FAULTY_WAY"] == "hang" ? 10 : 60,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  }

  private func talk(_ model: TestedModel = .embedded) throws -> URL {
    try Recordings.write(model.utterances(), name: "talk-\(UUID())")
  }

  private static let results = Mutex<[TestedModel: [String]]>([:])

  /// The same recording without any fault, recognized once for all tests.
  private func undisturbed(_ model: TestedModel) throws -> [String] {
    if let known = Self.results.withLock({ $0[model] }) { return known }
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let lines = try recognize(model, url).lines
    Self.results.withLock { $0[model] = lines }
    return lines
  }

  /// The time in which others have the processor does not count.
  @Test func serviceOnABusyProcessorHasNotHung() throws {
    let processor = try BusyProcessor(programs: 6)
    let service = try ExecutableScript(
      "exec \(processor.command) \(Self.products.appendingPathComponent("pocketsphinx-service").path)")
    let pool = SpeechServicePool(
      capacity: 1, patience: 3, environment: ["SPEECH_SERVICE_PATH": service.url.path])
    defer { pool.endIdle() }
    let samples = try Recordings.goForward()
    let words = try withExtendedLifetime(processor) {
      try pool.withService(ServiceConfiguration(model: .pocketSphinx), isCancelled: { false }) {
        try $0.decode(samples, utterance: 0).first?.words.map(\.text)
      }
    }
    #expect(words == ["go", "forward", "ten", "meters"])
  }

  /// So that a request with a model that has just been prepared does not wait for it to be read.
  @Test func aServiceIsMadeReadyForALanguageModelWhileOthersAreInUse() throws {
    let (pool, unused) = (pool([:]), pool([:]))
    let expected = ServiceConfiguration(model: .pocketSphinx, contextualStrings: ["zugzwang"])
    unused.warm(expected)
    pool.beginUse()
    pool.warm(expected)
    let deadline = Date(timeIntervalSinceNow: 300)
    while pool.idleConfigurations.isEmpty, Date() < deadline { Thread.sleep(forTimeInterval: 0.05) }
    #expect(pool.idleConfigurations == [expected])
    #expect(unused.idleConfigurations.isEmpty)
    pool.endUse(.none)
  }

  /// What waits for the end of a pipe, such as Foundation's `Process`, would wait for the service.
  ///
  /// Whether the pipe has ended would not show it: what other tests start at the same moment may have it open
  /// too.
  @Test func serviceInheritsNoOpenFile() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var about = stat()
    try #require(fstat(ends[1], &about) == 0)
    let name = "pipe:[\(about.st_ino)]"
    func holds(_ process: pid_t) throws -> Bool {
      let folder = "/proc/\(process)/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).contains { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) == name
      }
    }
    let service = try pool([:]).start(for: ServiceConfiguration(model: .pocketSphinx))
    defer { service.kill() }
    try service.configure(ServiceConfiguration(model: .pocketSphinx))
    #expect(try !holds(service.identifier))
    // The negative control.
    #expect(try holds(getpid()))
  }

  @Test(arguments: most) func howManyServicesThereAreMakesNoDifference(_ model: TestedModel) throws {
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let one = try recognize(model, url, capacity: 1)
    #expect(one.lines.count >= 5)
    #expect(one.error == nil)
    #expect(try recognize(model, url, capacity: 4).lines == one.lines)
    #expect(try undisturbed(model) == one.lines)
  }

  @Test(arguments: models) func killedServicesCostTimeAndNoWords(_ model: TestedModel) throws {
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let undisturbed = try undisturbed(model)
    let killed = try recognize(model, url, killing: 2)
    #expect(killed.lines == undisturbed)
    #expect(killed.error == nil)
    #expect(killed.failures.isEmpty)
  }

  /// The times of Whisper's words come from another recognizer, whose service may fail too.
  @Test(arguments: models.filter { $0 == .whisper })
  func alignerThatFailsOnceIsAskedAgain(_ model: TestedModel) throws {
    let url = try talk(model)
    let marks = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: marks, withIntermediateDirectories: true)
    defer {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: marks)
    }
    let undisturbed = try undisturbed(model)
    let environment = TestedModel.embedded.faulty.merging([
      "SPEECH_FAULTY_UTTERANCES": "0,1,2", "SPEECH_FAULTY_MARKS": marks.path,
    ]) { $1 }
    let disturbed = try recognize(model, url, environment: environment)
    #expect(disturbed.lines == undisturbed)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: marks.path).isEmpty)
  }

  @Test(arguments: faults)
  func utteranceThatFailsOnceIsDecodedAgain(_ model: TestedModel, _ way: String) throws {
    let url = try talk(model)
    let marks = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: marks, withIntermediateDirectories: true)
    defer {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: marks)
    }
    let undisturbed = try undisturbed(model)
    let utterances = way == "hang" ? ["2"] : ["0", "2"]
    let environment = model.faulty.merging([
      "SPEECH_FAULTY_UTTERANCES": utterances.joined(separator: ","), "SPEECH_FAULTY_MARKS": marks.path,
      "SPEECH_FAULTY_WAY": way,
    ]) { $1 }
    let disturbed = try recognize(model, url, environment: environment)
    #expect(disturbed.lines == undisturbed)
    #expect(disturbed.failures.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: marks.path).sorted() == utterances)
  }

  @Test(arguments: models) func failedUtteranceIsReportedAndTheRestIsComplete(_ model: TestedModel) throws {
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let undisturbed = try undisturbed(model)
    let disturbed = try recognize(
      model, url, environment: model.faulty.merging(["SPEECH_FAULTY_UTTERANCES": "1"]) { $1 })
    var expected = undisturbed
    expected.remove(at: 1)
    #expect(disturbed.lines == expected)
    #expect(disturbed.failures.count == 1)
  }

  @Test(arguments: most) func aTaskSaysWhichPartsFailed(_ model: TestedModel) throws {
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let environment = model.faulty.merging(["SPEECH_FAULTY_UTTERANCES": "1"]) { $1 }
    let recorder = TaskRecorder(model, pool: pool(environment))
    let task = try recorder.follow(SFSpeechURLRecognitionRequest(url: url))
    try #require(recorder.wait())
    #expect(recorder.calls.last == .finished(false))
    #expect(recorder.finals.count >= 4)
    let error = try #require(task.error as NSError?)
    #expect(error.domain == "kAFAssistantErrorDomain")
    #expect(error.code == 203)
    let ranges = try #require(error.userInfo[RecognitionError.failedTimeRangesKey] as? [[NSNumber]])
    #expect(ranges.count == 1)
    #expect(ranges[0].count == 2)
    #expect(ranges[0][0].doubleValue < ranges[0][1].doubleValue)
  }

  @Test(arguments: faults.filter { isSoak || $0.1 != "hang" })
  func aStreamSurvivesItsService(_ model: TestedModel, _ way: String) throws {
    let marks = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: marks, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: marks) }
    let utterances = way == "hang" ? ["3"] : ["1", "3"]
    let environment = model.faulty.merging([
      "SPEECH_FAULTY_UTTERANCES": utterances.joined(separator: ","), "SPEECH_FAULTY_MARKS": marks.path,
      "SPEECH_FAULTY_WAY": way,
    ]) { $1 }
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model, pool: pool(environment))
    _ = try recorder.start(request)
    request.append(try Recordings.buffer(model.utterances()))
    request.endAudio()
    try #require(recorder.wait(seconds: 400))
    #expect(recorder.errors.isEmpty)
    let text = try #require(recorder.finals.first).bestTranscription.formattedString
    #expect(Recordings.missing(model.textOfUtterances, in: text) < 0.45)
    #expect(try FileManager.default.contentsOfDirectory(atPath: marks.path).count == utterances.count)
  }

  /// A service with too much memory ends after its answer, as if it had been killed.
  @Test(arguments: most.filter { $0 != .embedded })
  func aServiceThatEndsForItsMemoryCostsNoWords(_ model: TestedModel) throws {
    let starts = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let real = Self.products.appendingPathComponent(model.executable.name).path
    let script = try ExecutableScript("echo >>'\(starts.path)'; exec '\(real)'")
    let url = try talk(model)
    defer { for file in [url, starts] { try? FileManager.default.removeItem(at: file) } }
    let limited = [model.executable.variable: script.url.path, "SPEECH_SERVICE_MEMORY": "1"]
    let outcome = try recognize(model, url, environment: limited)
    #expect(try outcome.lines == undisturbed(model))
    #expect(outcome.error == nil)
    #expect(outcome.failures.isEmpty)
    let services = try Data(contentsOf: starts).count
    #expect(services >= outcome.lines.count)
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model, pool: pool(limited))
    _ = try recorder.start(request)
    request.append(try Recordings.buffer(model.utterances()))
    request.endAudio()
    try #require(recorder.wait(seconds: 400))
    #expect(recorder.errors.isEmpty)
    let text = try #require(recorder.finals.first).bestTranscription.formattedString
    #expect(Recordings.missing(model.textOfUtterances, in: text) < 0.4)
    #expect(try Data(contentsOf: starts).count >= services + outcome.lines.count)
  }

  @Test(arguments: models) func aMissingServiceIsSaid(_ model: TestedModel) throws {
    let url = try talk(model)
    defer { try? FileManager.default.removeItem(at: url) }
    let outcome = try recognize(model, url, environment: [model.executable.variable: "/nonexistent"])
    let error = try #require(outcome.error as NSError?)
    #expect(error.domain == "kLSRErrorDomain")
    #expect(error.code == 300)
    #expect(error.localizedDescription.contains(model.executable.name))
  }

  @Test func aMissingModelIsSaid() throws {
    let url = try talk()
    defer { try? FileManager.default.removeItem(at: url) }
    let outcome = try recognize(.embedded, url, environment: ["SPEECH_MODEL_PATH": "/nonexistent"])
    let error = try #require(outcome.error as NSError?)
    #expect(error.domain == "kLSRErrorDomain")
    #expect(error.code == 102)
    #expect(error.localizedDescription.contains("not installed: there is no model in /nonexistent"))
  }
}

/// What a client can see of a recognition.
///
/// `@unchecked Sendable`: written on the recognition's serial queue, read after its end or there.
private final class EventLog: @unchecked Sendable {
  private(set) var lines: [String] = []
  private(set) var failures: [Range<Int>] = []
  private(set) var error: (any Error)?

  func add(_ event: RecognitionEvent) {
    switch event {
    case .utterance(let utterance): lines.append("\(utterance.audio.range) \(utterance.candidates)")
    case .failure(let samples, _): failures.append(samples)
    case .ended(let error): self.error = error.map(RecognitionError.error(for:))
    case .speechDetected, .hypothesis, .decoded, .processed, .flushed, .audioEnded: break
    }
  }
}

/// Kills the services of a recognition, so many times.
///
/// `@unchecked Sendable`: used on the recognition's serial queue only, once that has started.
private final class Killer: @unchecked Sendable {
  private var left: Int
  weak var recognition: RecordingRecognition?

  init(_ kills: Int) { left = kills }

  func strike() {
    guard left > 0, let services = recognition?.services, !services.isEmpty else { return }
    left -= 1
    for service in services { kill(service.identifier, SIGKILL) }
  }
}
