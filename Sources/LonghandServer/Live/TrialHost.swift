import Foundation
import Longhand
import Synchronization

/// Lets voices say the terms of the library's vocabularies, one vocabulary at a time, and keeps what became of them until the
/// server ends.
final class TrialHost: Sendable {
  /// How far the trial of a vocabulary is.
  struct Trial: Sendable {
    enum State: String {
      /// It was not begun since the server started.
      case none
      case running, done, stopped, failed
    }

    var state = State.running
    /// The number of terms.
    let count: Int
    /// What became of the first terms.
    var outcomes: [SpokenTermOutcome] = []
    /// The share of the next term that is done.
    var part = 0.0
    /// Why it failed.
    var problem: String?

    /// The trial, as the API sends it.
    var document: JSONValue {
      let done = count == 0 ? 0 : (Double(outcomes.count) + part) / Double(count)
      return .object([
        ("state", .string(state.rawValue)), ("count", .integer(count)),
        ("percent", .integer(state == .done ? 100 : min(99, Int(done * 100)))),
        ("problem", problem.map(JSONValue.string) ?? .null),
        ("terms", .array(outcomes.map(Self.document))),
      ])
    }

    private static func document(_ outcome: SpokenTermOutcome) -> JSONValue {
      .object([
        ("term", .string(outcome.term)), ("voices", .integer(outcome.voices)),
        ("found", .integer(outcome.found)),
        ("foundWithout", outcome.foundWithout.map(JSONValue.integer) ?? .null),
        ("heard", .array(outcome.heard.map(JSONValue.string))),
        ("remedy", outcome.remedy.map(JSONValue.string) ?? .null),
      ])
    }
  }

  private struct State {
    var trials: [String: Trial] = [:]
    var current: (name: String, task: Task<Void, Never>)?
  }

  private let library: Library
  private let options: TranscriptionOptions
  private let state = Mutex(State())

  /// - Parameters:
  ///   - library: has the vocabularies.
  ///   - options: how recordings are transcribed.
  init(_ library: Library, options: TranscriptionOptions) {
    (self.library, self.options) = (library, options)
  }

  /// Whether terms are being said.
  var isBusy: Bool { state.withLock { $0.current != nil } }

  /// The last trial of a vocabulary.
  func trial(of name: String) -> Trial { state.withLock { $0.trials[name] } ?? Trial(state: .none, count: 0) }

  /// Begins to try the terms of a vocabulary.
  /// - Throws: `HTTPError` if nothing can be said, or another trial runs.
  func begin(_ vocabulary: Vocabulary, named name: String) throws -> Trial {
    guard vocabulary.locale.hasPrefix("en"), !vocabulary.terms.isEmpty else {
      throw HTTPError(
        .badRequest,
        "The voices speak English, and the vocabulary '\(name)' has no terms in English. Add some.",
        code: "nothing_to_try")
    }
    let voices: [FliteVoice]
    do { voices = try FliteVoice.all() } catch {
      throw HTTPError(
        .conflict,
        "The program flite says the terms, and it is not installed. Install it on the computer with the server, "
          + "for example with 'sudo apt install flite', and try again.",
        code: "no_voices")
    }
    return try state.withLock { state in
      if let (other, _) = state.current {
        throw HTTPError(
          .conflict,
          "The terms of the vocabulary '\(other)' are being tried. Wait until that is done, or stop it.",
          code: "in_use")
      }
      let trial = Trial(count: vocabulary.terms.count)
      state.trials[name] = trial
      state.current = (name, Task { await self.run(vocabulary, name, voices) })
      return trial
    }
  }

  /// Stops the trial of a vocabulary, and waits until it has stopped. What became of the terms before is kept.
  /// - Throws: `HTTPError` if it does not run.
  func stop(_ name: String) throws -> Trial {
    let task = state.withLock { $0.current?.name == name ? $0.current?.task : nil }
    guard let task else {
      throw HTTPError(
        .conflict, "The terms of the vocabulary '\(name)' are not being tried.", code: "not_running")
    }
    task.cancel()
    try BlockingBridge.wait { await task.value }
    return trial(of: name)
  }

  /// The vocabulary is deleted.
  func forget(_ name: String) {
    state.withLock { state in
      state.trials[name] = nil
      if state.current?.name == name { state.current?.task.cancel() }
    }
  }

  /// Stops what runs, before the server ends.
  func stop() async {
    let task = state.withLock { $0.current?.task }
    task?.cancel()
    await task?.value
  }

  private func run(_ vocabulary: Vocabulary, _ name: String, _ voices: [FliteVoice]) async {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("longhand-voices-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let (options, plain) = try await options(vocabulary, named: name)
      let trial = VocabularyTrial(of: vocabulary, options, voices: voices)
      let without = VocabularyTrial(of: vocabulary, plain, voices: voices)
      for index in vocabulary.terms.indices {
        var outcome = try await trial.outcome(of: index, in: folder) { progress in
          update(name) { $0.part = progress.share / 2 }
        }
        // A term that needs the vocabulary is not found without it.
        if outcome.found == outcome.voices {
          outcome.foundWithout = try await without.outcome(of: index, in: folder) { progress in
            update(name) { $0.part = 0.5 + progress.share / 2 }
          }.found
        }
        update(name) { [outcome] in
          $0.part = 0
          $0.outcomes.append(outcome)
        }
      }
      end(name, .done)
    } catch is CancellationError {
      end(name, .stopped)
    } catch FliteVoice.Problem.failed(let status) {
      end(
        name, .failed,
        "The program flite ended with the status \(status). Run 'flite -t test -o test.wav' on the computer with the server to see why."
      )
    } catch {
      end(name, Task.isCancelled ? .stopped : .failed, Task.isCancelled ? nil : HTTPError(error).message)
    }
  }

  /// How recordings are transcribed with the vocabulary, and without it.
  private func options(
    _ vocabulary: Vocabulary, named name: String
  ) async throws -> (with: TranscriptionOptions, without: TranscriptionOptions) {
    var plain = options
    plain.locale = Locale(identifier: vocabulary.locale)
    plain.languageModel = nil
    guard name != VocabularyFolder.common else {
      return (plain.expecting(vocabulary.terms.map(\.text)), plain)
    }
    return (try await library.options(plain, RecognitionChoice(vocabulary: name)), plain)
  }

  private func update(_ name: String, _ body: (inout Trial) -> Void) {
    state.withLock { state in
      if state.trials[name] != nil { body(&state.trials[name, default: Trial(count: 0)]) }
    }
  }

  private func end(_ name: String, _ result: Trial.State, _ problem: String? = nil) {
    state.withLock { state in
      state.current = nil
      state.trials[name]?.state = result
      state.trials[name]?.problem = problem
    }
  }
}

extension FileTranscriber.Progress {
  /// The share that is done, from 0 to 1.
  fileprivate var share: Double { duration > 0 ? processed / duration : 0 }
}
