import AVFAudio
import Foundation
import Longhand

/// What `record` records, as the user names it.
enum RecordingSource: Sendable {
  case standardInput(RawAudioFormat?)
  /// A device by its name or a part of it; nil for the usual one.
  case device(String?)

  init(_ arguments: ParsedArguments) throws {
    let name = arguments.value(.from)
    let raw = try arguments.value(.raw).map(RawAudioFormat.init)
    guard name != "" else {
      throw Failure.usage(
        "the name of the source is empty", hint: "'longhand record --list-sources' lists them")
    }
    if name == "-" {
      self = .standardInput(raw)
    } else if raw != nil {
      throw Failure.usage("--raw is for standard input, which is not recorded", hint: "add '--from -'")
    } else {
      self = .device(name)
    }
  }

  /// What would fail for certain is said before anything is made.
  func check() throws {
    guard case .standardInput = self, isatty(STDIN_FILENO) == 1 else { return }
    throw Failure.usage(
      "standard input is the terminal, where no sound comes from",
      hint: "pipe sound in, or leave '--from -' out")
  }

  /// Where the sound comes from.
  func capture() throws -> any AudioCapture {
    switch self {
    case .standardInput(let raw): return StreamCapture(raw: raw)
    case .device(nil): return EngineCapture()
    case .device(let name?):
      #if os(Linux)
        return EngineCapture(source: try Self.source(named: name))
      #else
        throw Failure.usage(
          "the source \(name) cannot be chosen here", hint: "choose it in the system's settings")
      #endif
    }
  }

  #if os(Linux)
    private static func all() throws -> [AudioSource] {
      do {
        return try AudioSource.all()
      } catch {
        throw Failure(
          .unreadable, error.localizedDescription, hint: "'longhand record --from -' takes standard input")
      }
    }

    private static func source(named name: String) throws -> AudioSource {
      let all = try all()
      let matches =
        all.first { $0.name == name }.map { [$0] }
        ?? all.filter {
          $0.name.localizedCaseInsensitiveContains(name)
            || $0.description.localizedCaseInsensitiveContains(name)
        }
      guard let first = matches.first else {
        throw Failure(
          .unreadable, "there is no such source", input: name,
          hint: "'longhand record --list-sources' lists them")
      }
      guard matches.count == 1 else {
        throw Failure.usage(
          "\(name) may be \(matches.map(\.name).joined(separator: " or "))",
          hint: "give one of these names whole")
      }
      return first
    }
  #endif

  /// Everything that can be recorded, a line each: the name, a tab, what it is; a star before the usual one.
  static func list() throws -> String {
    #if os(Linux)
      let usual = AudioSource.default
      return try all().map { source in
        let kind = source.isMonitor ? " (what it plays)" : ""
        let star = source == usual ? "*" : " "
        return "\(star) \(source.name.escapingControls)\t\(source.description.escapingControls)\(kind)\n"
      }.joined()
    #else
      return "* microphone\n"
    #endif
  }
}
