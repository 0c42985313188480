import AVFAudio
import Foundation
import Longhand

/// The source that `record` records, as the user named it.
enum RecordingSource: Sendable {
  case standardInput(RawAudioFormat?)
  /// A device by its name or a part of its name; nil for the default device.
  case device(String?)
  /// Several devices at once, each its own channel.
  case devices([String])

  init(_ arguments: ParsedArguments) throws {
    let names = arguments.given([.from]).map(\.value)
    let name = names.last
    let raw = try arguments.value(.raw).map(RawAudioFormat.init)
    guard name != "" else {
      throw Failure.usage(
        "The name after --from is empty.", hint: "Run 'longhand record --list-sources' to list the devices.")
    }
    if names.count > 1 {
      guard !names.contains("-"), !names.contains(""), raw == nil else {
        throw Failure.usage(
          "Standard input cannot be recorded together with a device.", hint: "Name devices after --from.")
      }
      guard Set(names).count == names.count else {
        throw Failure.usage(
          "The option --from names a device twice.", hint: "Example: --from microphone --from monitor")
      }
      self = .devices(names)
    } else if name == "-" {
      self = .standardInput(raw)
    } else if raw != nil {
      throw Failure.usage("The option --raw applies to standard input only.", hint: "Add: --from -")
    } else {
      self = .device(name)
    }
  }

  /// Checks, before anything is created, that standard input is not a terminal.
  func check() throws {
    guard case .standardInput = self, isatty(STDIN_FILENO) == 1 else { return }
    throw Failure.usage(
      "Standard input is a terminal, which has no audio.",
      hint: "Pipe audio into it, or remove '--from -' to record the microphone.")
  }

  /// Opens the source.
  ///
  /// - Parameter onSpool: called if standard input is received to its end before the recording begins.
  func capture(onSpool: @escaping @Sendable () -> Void) throws -> any AudioCapture {
    switch self {
    case .standardInput(let raw): return StreamCapture(raw: raw, onSpool: onSpool)
    case .device(nil): return EngineCapture()
    case .devices(let names):
      #if os(Linux)
        let sources = try names.map(Self.source(named:))
        guard Set(sources).count == sources.count else {
          throw Failure.usage(
            "Two of the names after --from mean the same device.",
            hint: "Run 'longhand record --list-sources' to list the devices.")
        }
        return CombinedCapture(devices: sources)
      #else
        throw Failure.usage(
          "Several devices cannot be recorded at once here.", hint: "Name one device, or none.")
      #endif
    case .device(let name?):
      #if os(Linux)
        return EngineCapture(source: try Self.source(named: name))
      #else
        throw Failure.usage(
          "The device \(name) cannot be selected here.", hint: "Select it in the system settings.")
      #endif
    }
  }

  #if os(Linux)
    private static func all() throws -> [CaptureDevice] {
      do {
        return try CaptureDevice.all()
      } catch {
        throw Failure(
          .unreadable, error.localizedDescription,
          hint: "Or record standard input with 'longhand record --from -'.")
      }
    }

    private static func source(named name: String) throws -> CaptureDevice {
      let all = try all()
      let matches =
        all.first { $0.name == name }.map { [$0] } ?? CaptureDevice.usual(name).map { [$0] }
        ?? all.filter {
          $0.name.localizedCaseInsensitiveContains(name)
            || $0.description.localizedCaseInsensitiveContains(name)
        }
      guard let first = matches.first else {
        throw Failure(
          .unreadable, "There is no such device.", input: name,
          hint: "Run 'longhand record --list-sources' to list the devices.")
      }
      guard matches.count == 1 else {
        throw Failure.usage(
          "Several devices match '\(name)': \(matches.map(\.name).joined(separator: ", ")).",
          hint: "Write the whole name of one of them.")
      }
      return first
    }
  #endif

  /// The devices, one per line: name, tab, description. A star marks the default device.
  static func list() throws -> String {
    #if os(Linux)
      let standard = CaptureDevice.default
      return try all().map { source in
        let kind = source.isMonitor ? " (records what this device plays)" : ""
        let star = source == standard ? "*" : " "
        return "\(star) \(source.name.escapingControls)\t\(source.description.escapingControls)\(kind)\n"
      }.joined()
    #else
      return "* microphone\n"
    #endif
  }
}
