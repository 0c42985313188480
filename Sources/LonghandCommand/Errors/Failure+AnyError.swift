import Foundation
import Longhand

#if os(Linux)
  import LonghandServer
#endif

extension Failure {
  /// What any error of the work means to the user.
  init(_ error: any Error, input: String? = nil) {
    switch error {
    case let failure as Failure:
      self = input.map(failure.about) ?? failure
    case let error as TranscriptionError:
      self.init(error, input: input)
    case let error as EvaluationInputError:
      // The description begins with the place, which is what the other failures call the input.
      let place = error.line.map { "\(error.file):\($0)" } ?? error.file
      let message = error.description.dropFirst(error.description.hasPrefix(place) ? place.count + 2 : 0)
      if case .unreadable = error.reason {
        self.init(.unreadable, String(message), input: place, hint: "check its name and its permissions")
      } else {
        self.init(.malformed, String(message), input: place)
      }
    case let error as StoreError:
      self.init(error, input: input)
    case let error as CaptureError:
      self.init(.unreadable, error.description, input: input)
    case let error as RecordingError:
      self.init(.output, error.description, input: input)
    #if os(Linux)
      case let error as ServerError: self.init(.server, error.problem, hint: error.remedy)
    #endif
    default:
      self.init(
        .unexpected, String(describing: error), input: input, hint: "'longhand doctor' checks the setup")
    }
  }

  private init(_ error: StoreError, input: String?) {
    switch error.problem {
    case .noSession(let id):
      self.init(.library, "no session begins with it", input: id, hint: "'longhand sessions' lists them")
    case .ambiguousSession(let id, let ids):
      self.init(
        .library, "more than one session begins like this (\(ids.joined(separator: ", ")))", input: id,
        hint: error.remedy)
    case .noSegment(let id):
      self.init(
        .library, "the session has no segment \(id)", input: input, hint: "'longhand explain ID' lists them")
    case .invalid:
      self.init(.library, error.what, input: input, hint: "'longhand explain ID' lists what there is")
    default: self.init(.library, error.what, input: input ?? error.file, hint: error.remedy)
    }
  }

  private init(_ error: TranscriptionError, input: String?) {
    switch error {
    case .unreadable(let reason):
      self.init(.unreadable, reason, input: input, hint: "check its name and its permissions")
    case .undecodable(let reason):
      self.init(
        .undecodable, "no sound that can be decoded: \(reason)", input: input,
        hint: "'longhand transcribe --raw s16le:16000:1 -' reads raw samples")
    case .noAudio:
      self.init(
        .empty, "there is no sound in it", input: input, hint: "check that the recording was finished")
    case .unsupportedLocale(let locale):
      self.init(
        .unsupportedLocale, "the recognizer does not know the language \(locale)",
        hint: "'longhand doctor' lists the languages")
    case .notInstalled(let what, let hint):
      self.init(.notInstalled, what, hint: hint)
    case .recognizerFailed(let reason):
      self.init(
        .recognizerFailed, "the recognizer failed: \(reason)", input: input,
        hint: "'longhand doctor' checks the setup")
    }
  }

  /// Whether every other input would fail in the same way, so that there is no use in going on.
  var endsTheRun: Bool { code == .unsupportedLocale || code == .notInstalled }
}

extension Failure {
  /// What an error means that the compilation of a vocabulary file ended with.
  init(vocabulary error: any Error, file: String) {
    switch error {
    case let error as VocabularyError:
      self.init(
        .malformed, error.place.map { "\($0): \(error.problem)" } ?? error.problem, input: file,
        hint: "the README shows what stands in a vocabulary file")
    case let error as CocoaError:
      self.init(
        .output, error.localizedDescription, input: file,
        hint: "check the folder's permissions and the free space")
    default: self.init(error, input: file)
    }
  }
}
