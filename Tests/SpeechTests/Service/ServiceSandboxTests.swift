@testable import RecognitionCore
import Foundation
import Sandboxing
import RecognitionProtocol
import TestSupport
import Testing

@testable import Speech

/// What the recognizer's process may do once its model is loaded.
@Suite(.tagged(.recognizer)) struct ServiceSandboxTests {
  private func attempts() throws -> [String: Int32] {
    let executable = try #require(Recognizer.pocketSphinx.locator.find())
    let printed = try Program.run([executable, "--attempt"]).output
    return try JSONDecoder().decode([String: Int32].self, from: printed)
  }

  @Test func everyAttemptIsRefused() throws {
    let attempts = try attempts()
    #expect(attempts.count >= 23)
    #expect(attempts["internet socket"] == EPERM)
    #expect(attempts["exec"] == EPERM)
    #expect(attempts["ptrace"] == EPERM)
    // Landlock refuses a path, which files in memory are not.
    if Sandbox.landlockVersion > 0 { #expect(attempts["open"] == EACCES) }
    // A model of phrases is read from one.
    let opening: Set =
      Sandbox.landlockVersion > 0 ? ["file in memory"] : ["file in memory", "open", "folder"]
    #expect(attempts.filter { $0.value == 0 && !opening.contains($0.key) }.isEmpty)
  }

  @Test func everyThreadOfALoadedServiceIsInTheSandbox() throws {
    let service = try SpeechServicePool(capacity: 1).start(for: ServiceConfiguration(model: .pocketSphinx))
    defer { service.kill() }
    try service.configure(ServiceConfiguration(model: .pocketSphinx))
    let tasks = "/proc/\(service.identifier)/task"
    let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
    #expect(threads.count >= 2)
    for thread in threads {
      let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
      #expect(status.contains("NoNewPrivs:\t1"))
      #expect(status.contains("Seccomp:\t2"))
    }
  }

  /// The client then starts another one. A process that reports its crash for ever would be waited for.
  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGABRT]) func aCrashEndsTheProcess(_ number: Int32) throws {
    let service = try SpeechServicePool(capacity: 1, patience: 60).start(
      for: ServiceConfiguration(model: .pocketSphinx))
    defer { service.kill() }
    try service.configure(ServiceConfiguration(model: .pocketSphinx))
    #expect(kill(service.identifier, number) == 0)
    let error = #expect(throws: SpeechServiceFailure.self) {
      try service.decode(try Recordings.goForward(), utterance: 0)
    }
    guard case .interrupted(SpeechServiceProcess.died) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Phrases come at any time; their model is built in the sandbox.
  @Test func phrasesCanBeSetInTheSandbox() throws {
    let service = try SpeechServicePool(capacity: 1).start(for: ServiceConfiguration(model: .pocketSphinx))
    defer { service.kill() }
    var configuration = ServiceConfiguration(model: .pocketSphinx)
    try service.configure(configuration)
    for phrases in [["the Winawer variation"], ["an omoplata sweep", "knight takes"], []] {
      configuration.contextualStrings = phrases
      #expect(throws: Never.self) { try service.configure(configuration) }
    }
  }

  /// A process in its sandbox cannot read another model, so that the pool starts another process.
  @Test func anotherModelGetsAnotherProcess() throws {
    let pool = SpeechServicePool(capacity: 1)
    defer { pool.endIdle() }
    pool.beginUse()
    var configuration = ServiceConfiguration(model: .pocketSphinx)
    let first = try pool.withService(configuration, isCancelled: { false }) { $0.identifier }
    #expect(try pool.withService(configuration, isCancelled: { false }) { $0.identifier } == first)
    configuration.languageModel = .init(
      model: "/none.arpa", vocabulary: nil, weight: 0.04, digest: "x", wordCount: 1)
    let error = #expect(throws: (any Error).self) {
      try pool.withService(configuration, isCancelled: { false }) { _ in }
    }
    #expect("\(try #require(error))".contains("/none.arpa cannot be read"))
    #expect(kill(first, 0) != 0)
  }
}
