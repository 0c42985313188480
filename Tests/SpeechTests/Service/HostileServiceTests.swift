@testable import RecognitionCore
import Foundation
import ScriptedSpeech
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Recognitions by a service that answers what no service may answer. `HostileRecognizerTests` has the same for the
/// program.
@Suite(.tagged(.childProcess)) struct HostileServiceTests {
  /// One utterance that gets the answer, and more after it.
  private static let talk = ToneTalk(seed: 21, count: isSoak ? 3 : 2)

  /// The events of a recognition.
  private func recognize(
    _ answer: HostileAnswer, _ mode: ServiceConfiguration.Mode, patience: Double = isSoak ? 2 : 0.2
  ) async throws -> [RecognitionEvent] {
    let variables = [
      "SPEECH_SERVICE_PATH": SpeechScript.service.path, HostileAnswer.variable: answer.rawValue,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    let pool = SpeechServicePool(
      capacity: 2, patience: patience,
      environment: ProcessInfo.processInfo.environment.merging(variables) { $1 })
    defer { pool.endIdle() }
    let events = Log()
    let configuration = ServiceConfiguration(model: .pocketSphinx, mode: mode, alternatives: 3)
    let recognition: any AudioRecognition =
      switch mode {
      case .recording:
        UtteranceRecognition(configuration: configuration, pool: pool, retention: .none, emit: events.add)
      case .stream:
        StreamRecognition(configuration: configuration, pool: pool, retention: .none, emit: events.add)
      }
    recognition.start()
    recognition.append(Self.talk.audio)
    recognition.finish()
    let hasEnded = await eventually(within: 120) { events.hasEnded }
    recognition.cancel()
    #expect(hasEnded, "the recognition hangs")
    return events.all
  }

  @Test(arguments: HostileAnswer.allCases, [ServiceConfiguration.Mode.recording, .stream])
  func aHostileAnswerIsNeitherBelievedNorWaitedFor(
    _ answer: HostileAnswer, _ mode: ServiceConfiguration.Mode
  ) async throws {
    let events = try await recognize(answer, mode)
    for event in events {
      switch event {
      case .utterance(let utterance):
        let range = utterance.audio.range
        for candidate in utterance.candidates {
          #expect(candidate.words.isPossible(from: range.lowerBound, to: range.upperBound))
        }
      case .hypothesis(let words): #expect(words.isPossible(from: 0, to: Self.talk.audio.count))
      case .failure(_, let reason): #expect(reason.isOneLine)
      case .ended(let error?): #expect((error as NSError).localizedDescription.isOneLine)
      default: break
      }
    }
  }

  /// What is left out of the transcript is reported.
  @Test(arguments: [ServiceConfiguration.Mode.recording, .stream])
  func utterancesWithImpossibleWordsFail(_ mode: ServiceConfiguration.Mode) async throws {
    let failures = try await recognize(.backwardWord, mode, patience: 10).filter { event in
      if case .failure = event { true } else { false }
    }
    #expect(failures.count == Self.talk.utterances.count)
  }

  @Test func aServiceThatDoesNotSayWhetherItHasAModelHasNone() async {
    let environment = [
      "SPEECH_SERVICE_PATH": SpeechScript.service.path,
      HostileAnswer.variable: HostileAnswer.silenceAboutModel.rawValue,
    ]
    let hasModel = await AssetStore.Configuration.serviceHasModel(environment: environment, patience: 0.2)
    #expect(!hasModel)
  }

  /// An hour of audio costs no more than a minute of it.
  @Test func aSilentRecognizerIsNotAskedForEveryUtterance() async throws {
    var silence = ServiceSilence(limit: ServicePatience.usual.inVain)
    // Each question takes 35 s in vain.
    silence.add(35, at: 1000)
    let answers = [1000, 1035, 1071, 1129, 1130, 1131].map { now in
      let mayAsk = silence.mayAsk(at: now)
      if mayAsk { silence.add(35, at: now + 35) }
      return mayAsk
    }
    #expect(answers == [true, true, false, false, true, false])
    // One question that takes all of the patience is enough.
    silence.end()
    silence.add(60, at: 2000)
    let afterwards = [2000, 2060].map { silence.mayAsk(at: $0) }
    #expect(afterwards == [false, true])
    silence.end()
    let answer = silence.mayAsk(at: 1061)
    #expect(answer)
  }
}

/// Events, in their order.
private final class Log: Sendable {
  private let events = Mutex<[RecognitionEvent]>([])

  var all: [RecognitionEvent] { events.withLock { $0 } }
  var hasEnded: Bool { if case .ended? = all.last { true } else { false } }

  func add(_ event: RecognitionEvent) { events.withLock { $0.append(event) } }
}

extension [RecognizedWord] {
  /// Whether words can have been said one after another between two samples.
  fileprivate func isPossible(from start: Int, to end: Int) -> Bool {
    let rate = Double(SpeechSegmenter.sampleRate)
    var reached = Double(start) / rate - 1e-9
    for word in self {
      guard word.start >= reached, word.end >= word.start, word.end <= Double(end) / rate + 1e-9,
        (0...1).contains(word.confidence ?? -1), !word.text.isEmpty, word.text.isOneLine
      else { return false }
      reached = word.start
    }
    return true
  }
}

extension String {
  fileprivate var isOneLine: Bool {
    !unicodeScalars.contains {
      [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
  }
}
