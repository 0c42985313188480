import Foundation
import Longhand

#if os(Linux)
  import LonghandServer
#endif

extension Failure {
  /// The failure that describes any error of the work to the user.
  init(_ error: any Error, input: String? = nil) {
    switch error {
    case let failure as Failure:
      self = input.map(failure.about) ?? failure
    case let error as TranscriptionError:
      self.init(error, input: input)
    case let error as EvaluationInputError:
      // The description begins with the file and line, which other failures have as their input.
      let location = error.line.map { "\(error.file):\($0)" } ?? error.file
      let hasLocation = error.description.hasPrefix(location)
      let message = error.description.dropFirst(hasLocation ? location.count + 2 : 0)
      if case .unreadable = error.reason {
        self.init(.unreadable, String(message), input: location, hint: "Check its name and permissions.")
      } else {
        self.init(.malformed, String(message), input: location)
      }
    case let error as StoreError:
      self.init(error, input: input)
    case let error as WorkStopped:
      self = .stopped(error.session, input: input)
    case let error as TranscriptImportError:
      self.init(.malformed, error.description, input: input)
    case let error as QuoteError:
      self.init(.usage, error.problem, input: input, hint: error.remedy)
    case CaptureError.notPermitted:
      self.init(
        .notAuthorized, "Recording is not allowed.",
        hint: "Allow the microphone in Settings > Privacy & Security > Microphone.")
    case let error as CaptureError:
      self.init(.unreadable, error.description, input: input)
    case let error as RecordingError:
      self.init(.output, error.description, input: input)
    #if os(Linux)
      case let error as ServerError: self.init(.server, error.problem, hint: error.remedy)
      case FliteVoice.Problem.failed(let status):
        self.init(
          .unexpected, "The program flite ended with the status \(status).", input: input,
          hint: "Run 'flite -t test -o test.wav' to see why, or leave out --speak.")
    #endif
    default:
      self.init(
        .unexpected, String(describing: error), input: input,
        hint: "Run 'longhand doctor' to check the installation.")
    }
  }

  /// A person stopped the work on a session.
  static func stopped(_ session: String, input: String? = nil) -> Failure {
    Failure(
      .incomplete, "The work was stopped by another program.", input: input ?? String(session.prefix(8)),
      hint: "If the session is not complete, 'longhand recover \(session.prefix(8))' continues it.")
  }

  private init(_ error: StoreError, input: String?) {
    switch error.problem {
    case .noSession(let id):
      // Programs read which session is missing from the input; people read it in the message.
      self.init(
        .library, "No session has an ID that starts with '\(id)', or this name.", input: id,
        hint: "Run 'longhand sessions' to list all sessions.")
    case .ambiguousSession(let id, let ids):
      self.init(
        .library,
        "More than one session has an ID that starts with '\(id)', or this name: "
          + ids.joined(separator: ", ") + ".",
        input: id, hint: "Type more characters of the ID.")
    case .noSegment(let id):
      self.init(
        .library, "The session has no segment \(id).", input: input,
        hint: "Run 'longhand explain ID' to list its segments.")
    case .invalid:
      // The text is the rule that was broken.
      self.init(.library, error.what, input: input)
    default: self.init(.library, error.what, input: input ?? error.file, hint: error.remedy)
    }
  }

  private init(_ error: TranscriptionError, input: String?) {
    switch error {
    case .unreadable(let reason):
      self.init(.unreadable, reason, input: input, hint: "Check its name and permissions.")
    case .undecodable(let reason):
      self.init(
        .undecodable, "Cannot decode any audio: \(reason)", input: input,
        hint: "For raw samples use: longhand transcribe --raw s16le:16000:1 -")
    case .noAudio:
      self.init(
        .empty, "The file contains no audio.", input: input, hint: "Check that the recording was completed.")
    case .unsupportedLocale(let locale):
      self.init(
        .unsupportedLocale, "No installed model recognizes the language \(locale).",
        hint: "Run 'longhand doctor' to list the installed languages.")
    case .notInstalled(let what, let hint):
      self.init(.notInstalled, what, hint: hint)
    case .notAuthorized(let why):
      // The text is a sentence and its remedy.
      self.init(.notAuthorized, why.prefix(1).uppercased() + why.dropFirst() + ".", input: input)
    case .leavesDevice(let locale):
      self.init(
        .leavesDevice,
        "The recognition of \(locale) would leave this device, because its model is not on it.",
        hint: TranscriptionError.staysOnDevice)
    case .tooManyPhrases(let count, let limit):
      self.init(
        .malformed, "There are \(count) phrases, and \(TranscriptionError.rule(ofPhrases: limit)).",
        hint: TranscriptionError.fewerPhrases)
    case .recognizerFailed(let reason):
      self.init(
        .recognizerFailed, "The recognizer failed: \(reason)", input: input,
        hint: "Run 'longhand doctor' to check the installation.")
    }
  }

  /// The failure that describes an error from compiling a vocabulary file.
  init(vocabulary error: any Error, file: String) {
    switch error {
    case let error as VocabularyError:
      self.init(
        .malformed, error.location.map { "\($0): \(error.problem)" } ?? error.problem, input: file,
        hint: "'longhand help vocabulary' shows the format of a vocabulary file.")
    case let error as CocoaError:
      self.init(
        .output, error.localizedDescription, input: file,
        hint: "Check the folder's permissions and the free disk space.")
    default: self.init(error, input: file)
    }
  }

  /// Whether every other input would fail in the same way, so that the run ends.
  var endsTheRun: Bool {
    [.unsupportedLocale, .notInstalled, .notAuthorized, .leavesDevice].contains(code)
  }
}
