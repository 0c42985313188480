@testable import RecognitionCore
import AVFAudio
import CoreMedia
import Foundation
import ScriptedSpeech
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Recognitions whose every word is known beforehand, by a service that does wrong what a script says.
@Suite(.serialized, .tagged(.childProcess)) struct ScriptedServiceTests {
  /// Ways by which audio is recognized.
  enum Way: CaseIterable { case stream, file, volatileAnalysis, finalAnalysis }

  private struct Outcome {
    var words: [Int] = []
    /// How often something was said to be final.
    var finals = 0
    var error: NSError?
  }

  /// Faults that cost time and no words, whichever way audio is recognized.
  private static let harmless: [SpeechScript.Fault] = [
    .late(seconds: 0.2), .silent, .wrongUtterance, .duplicateFinal, .shrinkingPartials, .emptyPartials,
    .deathBeforeAnswer, .deathDuringPartial, .deathAfterFinal, .nonsense, .hang,
  ]

  private func withScript<Result>(
    _ script: SpeechScript, capacity: Int = 2, patience: Double = isSoak ? 8 : 3,
    _ body: (SpeechServicePool, ScriptedRun) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let variables = try script.environment(in: folder)
    let pool = SpeechServicePool(
      capacity: capacity, patience: patience,
      environment: ProcessInfo.processInfo.environment.merging(variables) { $1 })
    defer { pool.endIdle() }
    return try await body(pool, ScriptedRun(folder: folder))
  }

  private func recognize(_ talk: ToneTalk, _ way: Way, pool: SpeechServicePool) async throws -> Outcome {
    switch way {
    case .stream, .file: try recognizeByTask(talk, isStream: way == .stream, pool: pool)
    case .volatileAnalysis, .finalAnalysis:
      try await analyze(talk, isVolatile: way == .volatileAnalysis, pool: pool)
    }
  }

  private func recognizeByTask(_ talk: ToneTalk, isStream: Bool, pool: SpeechServicePool) throws -> Outcome {
    let recorder = TaskRecorder(pool: pool)
    let task: SFSpeechRecognitionTask
    guard isStream else {
      let url = try Recordings.write(talk.audio)
      defer { try? FileManager.default.removeItem(at: url) }
      task = try recorder.follow(SFSpeechURLRecognitionRequest(url: url))
      try #require(recorder.wait(seconds: 60))
      return outcome(of: recorder, task)
    }
    let request = SFSpeechAudioBufferRecognitionRequest()
    task = try recorder.follow(request)
    request.append(try Recordings.buffer(talk.audio))
    request.endAudio()
    try #require(recorder.wait(seconds: 60))
    return outcome(of: recorder, task)
  }

  private func outcome(of recorder: TaskRecorder, _ task: SFSpeechRecognitionTask) -> Outcome {
    let texts = recorder.finals.map(\.bestTranscription.formattedString)
    return Outcome(
      words: texts.flatMap { SpokenTones.words(ofText: $0) }, finals: texts.count,
      error: task.error.map { $0 as NSError })
  }

  private func analyze(_ talk: ToneTalk, isVolatile: Bool, pool: SpeechServicePool) async throws -> Outcome {
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [],
      reportingOptions: isVolatile ? [.volatileResults] : [], attributeOptions: [])
    let options = SpeechAnalyzer.Options(priority: .medium, modelRetention: .whileInUse)
    // The detector leaves out what does not sound like speech.
    let analyzer = SpeechAnalyzer(
      modules: [SpeechDetector(), transcriber], options: options, context: TestedModel.embedded.context,
      makeRecognizer: options.recognizers(pool: pool))
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    var outcome = Outcome()
    do {
      try await analyzer.start(inputSequence: inputs)
      for start in stride(from: 0, to: talk.audio.count, by: 8000) {
        let part = Array(talk.audio[start..<min(start + 8000, talk.audio.count)])
        feed.yield(AnalyzerInput(buffer: try Recordings.buffer(part)))
      }
      feed.finish()
      try await analyzer.finalizeAndFinishThroughEndOfInput()
    } catch {
      outcome.error = error as NSError
    }
    do {
      for try await result in transcriber.results where result.isFinal {
        let words = SpokenTones.words(ofText: String(result.text.characters))
        outcome.words += words
        if !words.isEmpty { outcome.finals += 1 }
      }
    } catch {
      #expect(outcome.error?.code == (error as NSError).code)
    }
    return outcome
  }

  @Test(arguments: Way.allCases) func everyWordComesBack(_ way: Way) async throws {
    let talk = ToneTalk(seed: 11)
    // Beside other tests the thread that sends the audio may wait for long, and its service has nothing to say
    // then.
    try await withScript(SpeechScript(), patience: 280) { pool, run in
      let outcome = try await recognize(talk, way, pool: pool)
      #expect(outcome.words == talk.words, "\(outcome) \(talk.utterances)")
      #expect(outcome.error == nil, "\(outcome) \(talk.utterances)")
      #expect(outcome.finals == talk.utterances.count)
      #expect(try run.utterances() == talk.utterances.count)
    }
  }

  /// A model takes half a second of a processor to load.
  @Test func oneUtteranceStartsOneService() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // It loads until all audio is there.
    let loaded = folder.appendingPathComponent("loaded")
    let slow = try ExecutableScript(
      "until [ -e '\(loaded.path)' ]; do sleep 0.01; done; exec '\(SpeechScript.service.path)'")
    var variables = try SpeechScript().environment(in: folder)
    variables["SPEECH_SERVICE_PATH"] = slow.url.path
    let pool = SpeechServicePool(
      capacity: 2, patience: 280, environment: ProcessInfo.processInfo.environment.merging(variables) { $1 })
    defer { pool.endIdle() }
    let hasEnded = Atomic(false)
    let recognition = UtteranceRecognition(
      configuration: ServiceConfiguration(model: .pocketSphinx, mode: .recording, alternatives: 3),
      pool: pool, retention: .none
    ) { event in
      if case .ended = event { hasEnded.store(true, ordering: .relaxed) }
    }
    recognition.start()
    recognition.append(ToneTalk(seed: 15, count: 1).audio)
    recognition.finish()
    #expect(recognition.waitForRoom())
    try Data().write(to: loaded)
    let isOver = await eventually(within: 120) { hasEnded.load(ordering: .relaxed) }
    #expect(isOver)
    #expect(try ScriptedRun(folder: folder).configurations() == 1)
  }

  /// A stop ends the channel of a service while it works: it is not silent.
  @Test func aStopIsNoSilence() async throws {
    try await withScript(SpeechScript(), patience: 60) { pool, _ in
      let isCancelled = Atomic(false)
      #expect(throws: SpeechServiceFailure.interrupted("over")) {
        try pool.withService(
          ServiceConfiguration(model: .pocketSphinx), isCancelled: { isCancelled.load(ordering: .relaxed) }
        ) { _ -> Void in
          // The smallest time more is too much.
          pool.noteSilence(of: pool.patience.inVain.nextDown)
          isCancelled.store(true, ordering: .relaxed)
          throw SpeechServiceFailure.interrupted("over")
        }
      }
      try pool.checkSilence()
      try pool.checkSilence()
      pool.noteSilence(of: 1)
      // A silent recognizer is asked once more.
      try pool.checkSilence()
      #expect(throws: SpeechServiceFailure.self) { try pool.checkSilence() }
    }
  }

  @Test(arguments: Way.allCases) func oneOrTwoFaultsCostNoWords(_ way: Way) async throws {
    let talk = ToneTalk(seed: 12, count: 4)
    for fault in Self.harmless {
      for times in 1...2 where times == 1 || fault == .deathBeforeAnswer || fault == .deathDuringPartial {
        try await withScript(SpeechScript(faults: [1: Array(repeating: fault, count: times)])) { pool, run in
          let outcome = try await recognize(talk, way, pool: pool)
          #expect(outcome.words == talk.words, "\(fault)")
          #expect(outcome.error == nil, "\(fault)")
          #expect(outcome.finals == talk.utterances.count, "\(fault)")
          #expect(try run.incidents().map(\.fault) == Array(repeating: fault, count: times))
        }
      }
    }
  }

  @Test(arguments: [Way.stream, .file]) func theErrorOfARefusalIsTheTasks(_ way: Way) async throws {
    let talk = ToneTalk(seed: 13, count: 2)
    for error in SpeechScript.taskErrors {
      let refusal = SpeechScript.Fault.refused(domain: error.domain, code: error.code)
      try await withScript(SpeechScript(faults: [1: [refusal]]), capacity: 1) { pool, run in
        let outcome = try await recognize(talk, way, pool: pool)
        #expect(outcome.error?.domain == error.domain)
        #expect(outcome.error?.code == error.code)
        #expect(outcome.words == talk.utterances[0])
      }
    }
  }

  @Test(arguments: [Way.volatileAnalysis, .finalAnalysis])
  func theErrorOfARefusalIsTheAnalyzers(_ way: Way) async throws {
    let talk = ToneTalk(seed: 13, count: 2)
    for error in SpeechScript.taskErrors {
      let refusal = SpeechScript.Fault.refused(domain: error.domain, code: error.code)
      try await withScript(SpeechScript(faults: [1: [refusal]]), capacity: 1) { pool, run in
        let thrown = try #require(try await recognize(talk, way, pool: pool).error)
        #expect(thrown.domain == SFSpeechErrorDomain)
        let cause = thrown.userInfo[NSUnderlyingErrorKey] as? NSError ?? thrown
        #expect(cause.domain == error.domain)
        #expect(cause.code == error.code)
      }
    }
  }

  @Test(arguments: Way.allCases) func failedUtteranceIsReportedAndTheRestIsComplete(_ way: Way) async throws {
    let talk = ToneTalk(seed: 14, count: 3)
    let script = SpeechScript(faults: [1: [.failed(reason: "r")]], isHopeless: true)
    try await withScript(script, capacity: 1) { pool, _ in
      let outcome = try await recognize(talk, way, pool: pool)
      #expect(outcome.words == talk.utterances[0] + talk.utterances[2])
      let isTask = way == .stream || way == .file
      #expect(outcome.error?.code == (isTask ? 203 : SFSpeechError.Code.moduleOutputFailed.rawValue))
    }
  }

  @Test(arguments: Way.allCases) func anUnavailableConfigurationIsSaid(_ way: Way) async throws {
    let script = SpeechScript(unavailableConfigurations: [0])
    try await withScript(script, capacity: 1) { pool, _ in
      let outcome = try await recognize(ToneTalk(seed: 14, count: 2), way, pool: pool)
      let error = try #require(outcome.error)
      let isTask = way == .stream || way == .file
      #expect(error.domain == (isTask ? "kLSRErrorDomain" : SFSpeechErrorDomain))
      #expect(error.code == (isTask ? 102 : SFSpeechError.Code.noModel.rawValue))
    }
  }

  /// An answer that no call waits for is not taken for the answer to the next call: utterances have the same
  /// numbers in every recognition.
  @Test func anAnswerOfOneRecognitionIsNoneOfTheNext() async throws {
    try await withScript(SpeechScript(faults: [0: [.duplicateFinal]]), capacity: 1) { pool, run in
      for seed in [15, 16] as [UInt64] {
        let talk = ToneTalk(seed: seed, count: 1)
        let outcome = try await recognize(talk, .file, pool: pool)
        #expect(outcome.words == talk.words)
        #expect(outcome.error == nil)
      }
      #expect(try run.utterances() == 2)
    }
  }

  @Test(arguments: Way.allCases) func whateverGoesWrongNoWordIsLostOrInvented(_ way: Way) async throws {
    // Only the caller that began a recognition or an utterance tries again.
    let kinds = SpeechScript.Kind.allCases.filter { ![.failed, .refused, .unavailable].contains($0) }
    for seed in 1...UInt64(isSoak ? 40 : 3) {
      let talk = ToneTalk(seed: 100 + seed, count: 8)
      let script = SpeechScript.random(seed: seed, faultRate: 0.4, kinds: kinds)
      try await withScript(script, patience: 1) { pool, run in
        let outcome = try await recognize(talk, way, pool: pool)
        let incidents = try run.incidents()
        #expect(outcome.words == talk.words, "seed \(seed): \(incidents)")
        #expect(outcome.error == nil, "seed \(seed): \(incidents)")
      }
    }
  }

  /// The scripted service serves one language. With room for two, both stay; else the last one does.
  @Test(arguments: [1, 2]) func aServiceThatRefusesAConfigurationIsReplaced(_ capacity: Int) async throws {
    try await withScript(SpeechScript(), capacity: capacity) { pool, _ in
      func identifier(_ locale: String) throws -> pid_t {
        try pool.withService(
          ServiceConfiguration(locale: locale, model: .pocketSphinx), isCancelled: { false }
        ) { $0.identifier }
      }
      let (english, german) = (try identifier("en-US"), try identifier("de-DE"))
      #expect(english != german)
      #expect(pool.idleConfigurations.count == capacity)
      #expect(try identifier("de-DE") == german)
      #expect((try identifier("en-US") == english) == (capacity == 2))
      let stream = try pool.take(
        for: ServiceConfiguration(locale: "fr-FR", model: .pocketSphinx, mode: .stream))
      #expect(stream.configuration?.locale == "fr-FR")
      pool.checkIn(stream)
      #expect(pool.idleConfigurations.count == capacity)
    }
  }

  @Test func theServiceIsThereInMillisecondsAndGoesWithItsClient() async throws {
    try await withScript(SpeechScript(faults: [1: [.hang]])) { pool, _ in
      let clock = ContinuousClock()
      let began = clock.now
      let service = try pool.start(for: ServiceConfiguration(model: .pocketSphinx))
      try service.configure(ServiceConfiguration(model: .pocketSphinx))
      let ready = clock.now
      let talk = ToneTalk(seed: 17, count: 1)
      let heard = try service.decode(talk.audio, utterance: 0)
      print("scripted service: ready in \(ready - began), an utterance in \(clock.now - ready)")
      #expect(heard.first?.text == SpokenTones.text(of: talk.words))
      #expect(heard.count == 3)
      #expect(try #require(heard[1].confidence) < #require(heard[0].confidence))
      // While it hangs, too.
      try service.channel.send(ServiceRequest.begin(utterance: 1))
      try service.channel.send(ServiceRequest.audio([1]))
      try service.channel.send(ServiceRequest.end)
      service.channel.shutDown()
      var status: Int32 = 0
      for _ in 0..<6000 where waitpid(service.identifier, &status, WNOHANG) == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(waitpid(service.identifier, &status, WNOHANG) == -1)
    }
  }
}
