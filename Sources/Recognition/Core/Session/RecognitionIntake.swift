import Foundation
import RecognitionProtocol
import Synchronization

/// What a recognition takes in: audio that is cut at its pauses, and controls, in the order of the calls.
package enum IntakeEvent: Sendable {
  /// What the audio holds. `reached` is the sample before which no later utterance begins, while none is
  /// open.
  case audio([SpeechSegmenter.Action], reached: Int)
  case flush(Int)
  case drop(before: Int)
  case reconfigure(ServiceConfiguration)
  /// No more audio comes. The recognition ends with the error after the audio so far is recognized.
  case ended(at: Int, (any Error)?)
  /// The audio cannot be converted.
  case failed(any Error)
}

/// Converts audio for a recognition and cuts it at its pauses. The queue keeps the order of the calls.
package final class RecognitionIntake: Sendable {
  fileprivate struct State {
    var cutter: SpeechCutter
    /// The next sample.
    var position = 0
    var isEnded = false
    /// The samples that the conversion of the audio still holds.
    var rest: (@Sendable () throws -> [Int16])?

    mutating func process(_ samples: [Int16]) -> [IntakeEvent] {
      guard !isEnded else { return [] }
      position += samples.count
      return [audio(cutter.process(samples))]
    }

    mutating func finishSegment() -> IntakeEvent { audio(cutter.finish()) }

    func audio(_ actions: [SpeechSegmenter.Action]) -> IntakeEvent {
      .audio(actions, reached: cutter.reached)
    }
  }

  let queue = DispatchQueue(label: "speech.intake")
  fileprivate let state: Mutex<State>

  init(_ cutter: SpeechCutter) { state = Mutex(State(cutter: cutter)) }
}

/// A recognition of audio that an intake cuts. It shares the controls below with the other ones.
package protocol AudioRecognition: AnalysisRecognizer {
  var intake: RecognitionIntake { get }
  /// Takes one event after another, on the intake's queue.
  func take(_ event: IntakeEvent)
}

extension AudioRecognition {
  /// Takes more audio, which is converted in its turn.
  /// - Parameter rest: returns the samples that the conversion still holds at the end.
  package func append(
    _ samples: @escaping @Sendable () throws -> [Int16], rest: @escaping @Sendable () throws -> [Int16]
  ) {
    perform { state in
      state.rest = rest
      return state.process(try samples())
    }
  }

  package func append(_ samples: [Int16]) { perform { $0.process(samples) } }

  package func flush(_ token: Int, isLast: Bool) {
    perform { [isLast ? $0.finishSegment() : $0.audio($0.cutter.flush()), .flush(token)] }
  }

  package func skip(to position: Int) {
    perform { state in
      let event = state.finishSegment()
      state.cutter.skip(to: position)
      state.position = position
      return [event]
    }
  }

  package func drop(before position: Int) { perform { _ in [.drop(before: position)] } }

  package func reconfigure(_ wanted: ServiceConfiguration) { perform { _ in [.reconfigure(wanted)] } }

  package func finish() { finish(throwing: nil) }

  /// Takes no more audio. The recognition ends with `error` after the audio so far is recognized.
  package func finish(throwing error: (any Error)?) {
    perform { state in
      guard !state.isEnded else { return [] }
      let events = state.process(try state.rest?() ?? []) + [state.finishSegment()]
      state.isEnded = true
      return events + [.ended(at: state.position, error)]
    }
  }

  private func perform(
    _ work: @escaping @Sendable (inout RecognitionIntake.State) throws -> [IntakeEvent]
  ) {
    intake.queue.async {
      let events: [IntakeEvent]
      do { events = try self.intake.state.withLock { try work(&$0) } } catch { events = [.failed(error)] }
      for event in events { self.take(event) }
    }
  }
}

/// Carries a value that is not `Sendable` to the one queue that uses it from then on.
///
/// `@unchecked Sendable`: the sender does not use the value again.
package struct UncheckedBox<Value>: @unchecked Sendable {
  package let value: Value

  package init(value: Value) { self.value = value }
}
