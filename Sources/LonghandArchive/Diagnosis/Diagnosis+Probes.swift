import AVFAudio
import FileSupport
import Foundation
import LonghandTranscription
import LonghandTranscripts
import SpeakerDiarization
import Speech

extension Diagnosis {
  /// Checks whether the recognizer is available, and for which languages.
  package static let recognizer: Probe = {
    let available = SFSpeechRecognizer.supportedLocales()
      .filter { SFSpeechRecognizer(locale: $0)?.isAvailable == true }
      .map { $0.identifier(.bcp47) }.sorted()
    #if os(Linux)
      let status = SpeechServiceStatus.current()
      if let problem = status.problem {
        return [
          Finding(name: "recognizer", state: .missing, detail: problem, remedy: Installation.current.repair)
        ]
      }
      let detail = "\(status.recognizer ?? "?") for \(Locale.list(available)), by \(status.executable ?? "?")"
      return [
        Finding(
          name: "recognizer", state: status.missing == nil ? .ok : .warning,
          detail: detail
            + (status.missing.map { "; this processor has no \($0), so that it takes several times longer" }
              ?? ""),
          remedy: status.missing.map {
            "longhand transcribe --model whisper-tiny-en  (a processor with \($0) is faster)"
          }),
        Self.model(of: status), programs, voices, speakers,
      ]
        + (recognizersProblem.map {
          [
            Finding(
              name: "recognizers", state: .warning, detail: $0,
              remedy: "unset SPEECH_RECOGNIZERS  (or correct the file)")
          ]
        } ?? [])
    #else
      guard available.isEmpty else {
        return [Finding(name: "recognizer", state: .ok, detail: Locale.list(available))]
      }
      return [
        Finding(
          name: "recognizer", state: .missing, detail: "it is not available for any language",
          remedy: "open 'x-apple.systempreferences:com.apple.Keyboard-Settings.extension'")
      ]
    #endif
  }

  #if os(Linux)
    /// Why the file with further recognizers cannot be read, as a sentence; nil if it can, or if there is none.
    package static var recognizersProblem: String? { SpeechServiceStatus.additionsProblem }

    /// The default model for English. A user who named another one is content with it.
    private static func model(of status: SpeechServiceStatus) -> Finding {
      let isNamed = ["SPEECH_MODEL", "SPEECH_MODEL_PATH"]
        .contains { ProcessInfo.processInfo.environment[$0]?.isEmpty == false }
      let folder = status.model ?? "?"
      guard status.isEmbedded else { return Finding(name: "model", state: .ok, detail: folder) }
      return Finding(
        name: "model", state: isNamed ? .ok : .warning,
        detail: "\(folder); 'longhand models list' shows models that make fewer errors",
        remedy: isNamed ? nil : Installation.current.repair(model: "whisper-base"))
    }

    /// Whether the programs of all recognizers are installed. Without one, its models cannot be used.
    private static var programs: Finding {
      let programs = SpeechServiceStatus.programs
      let missing = programs.filter { $0.path == nil }.map(\.name).joined(separator: ", ")
      guard missing.isEmpty else {
        return Finding(
          name: "programs", state: .warning,
          detail: "\(missing): not found, so that its models cannot be used",
          remedy: Installation.current.repair)
      }
      return Finding(
        name: "programs", state: .ok, detail: programs.map(\.name).joined(separator: ", "))
    }

    /// Whether the network for voices is installed, without which less evidence decides what Whisper may write.
    private static var voices: Finding {
      guard SpeechServiceStatus.hasVoiceNetwork else {
        return Finding(
          name: "voices", state: .warning,
          detail: "Silero's network is not installed, so that more words beside noise and music are wrong",
          remedy: Installation.current.repair)
      }
      return Finding(name: "voices", state: .ok, detail: "told from other sounds by Silero's network")
    }

    /// Whether the networks that separate voices are installed, and as they were.
    private static var speakers: Finding {
      do {
        if let name = try NeuralDiarizer.verified() {
          return Finding(
            name: "speakers", state: .ok, detail: "separated by the networks of \(name), verified")
        }
        return Finding(
          name: "speakers", state: .warning,
          detail: "the model 'speakers' is not installed, so that voices are separated without networks",
          remedy: Installation.current.repair(model: "speakers"))
      } catch {
        return Finding(
          name: "speakers", state: .warning, detail: error.explanation,
          remedy: Installation.current.repair(model: "speakers"))
      }
    }
  #endif

  /// Checks whether an installed program has its other parts, such as manual pages.
  package static let parts: Probe = {
    #if os(Linux)
      let (present, missing) = Installation.current.foundParts
      guard missing.isEmpty else {
        return [
          Finding(
            name: "parts", state: .warning, detail: "not found: \(missing.joined(separator: ", "))",
            remedy: Installation.current.repair)
        ]
      }
      return present.isEmpty
        ? [] : [Finding(name: "parts", state: .ok, detail: present.joined(separator: ", "))]
    #else
      return []
    #endif
  }

  /// Checks what writes punctuation and capitals: the recognizer, an installed model, or rules.
  package static let punctuation: Probe = {
    let options = try? TranscriptionOptions().resolved()
    func finding(_ state: Finding.State, _ detail: String, _ remedy: String? = nil) -> [Finding] {
      [Finding(name: "punctuation", state: state, detail: detail, remedy: remedy)]
    }
    guard let model = options?.punctuation, let punctuator = options?.punctuator else {
      return finding(.ok, "by the recognizer, or by rules where it writes none")
    }
    do {
      _ = try await punctuator.write("yes")
      return finding(.ok, "by \(model.name) (SHA-256 \(model.sha256 ?? "unknown")) for English")
    } catch {
      return finding(
        .warning, "by rules, because the model \(model.name) fails: \(error)",
        "longhand models remove \(model.name)")
    }
  }

  /// Checks whether the processes that decode audio files and recognize speech are kept from everything else.
  package static let sandbox: Probe = {
    #if os(Linux)
      func finding(_ state: Finding.State, _ detail: String, _ remedy: String? = nil) -> [Finding] {
        [Finding(name: "sandbox", state: state, detail: detail, remedy: remedy)]
      }
      do {
        let (strength, weakness) = try AVAudioFile.checkSandbox()
        guard let weakness else {
          return finding(
            .ok, "audio is decoded and recognized without access to files, network and programs (\(strength))"
          )
        }
        return finding(
          .warning, "\(weakness): a manipulated audio file or model could do more harm than it should",
          "uname -r  (Linux 5.13 or newer, with Landlock and seccomp enabled, has all protections)")
      } catch {
        return finding(.missing, error.localizedDescription, Installation.current.repair)
      }
    #else
      return []
    #endif
  }

  /// Checks whether a library can be read and written. A library that does not exist is not created.
  package static func library(at folder: URL) -> Probe {
    {
      func finding(_ state: Finding.State, _ detail: String, _ remedy: String? = nil) -> [Finding] {
        [Finding(name: "library", state: state, detail: "\(folder.path)\(detail)", remedy: remedy)]
      }
      let choice = "export LONGHAND_LIBRARY=DIR  (a writable folder)"
      guard FileManager.default.fileExists(atPath: folder.path) else {
        let parent = folder.nearestExisting
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: parent.path, isDirectory: &isFolder)
        return exists && isFolder.boolValue && FileManager.default.isWritableFile(atPath: parent.path)
          ? finding(.ok, ", made by the first recording") : finding(.missing, " cannot be created", choice)
      }
      do {
        let library = try Library(at: folder)
        let count = try library.store.sessions(limit: .max).count
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
          return finding(.missing, " is not writable", choice)
        }
        let sessions = ", \(count) \(count == 1 ? "session" : "sessions")"
        let interrupted = try library.interruptedSessions().count
        guard interrupted == 0 else {
          return finding(.warning, "\(sessions), \(interrupted) interrupted", "longhand recover")
        }
        return finding(.ok, sessions)
      } catch let error as StoreError {
        return finding(.missing, ": \(error.what)", choice)
      } catch {
        return finding(.missing, ": \(error)", choice)
      }
    }
  }

  /// Finds out whether the storage of a library is encrypted. Longhand itself does not encrypt.
  package static func encryption(at folder: URL) -> Probe {
    {
      #if os(Linux)
        let name = StorageEncryption.ofThisComputer.name(for: folder.nearestExisting)
        return [
          Finding(
            name: "encryption", state: .ok,
            detail: name.map { "the library's storage is encrypted by \($0)" }
              ?? "none: who has the disk can read the library (gocryptfs can encrypt its folder)")
        ]
      #else
        return []
      #endif
    }
  }

  /// Checks which audio sources can be recorded. Everything except the microphone works without them.
  package static let microphone: Probe = {
    #if os(Linux)
      do {
        let sources = try CaptureDevice.all()
        guard !sources.isEmpty else {
          return [
            Finding(
              name: "microphone", state: .warning, detail: "the sound server has no microphone",
              remedy: "longhand record --from -  (records standard input)")
          ]
        }
        return [Finding(name: "microphone", state: .ok, detail: "\(sources.count) sources")]
      } catch {
        return [
          Finding(
            name: "microphone", state: .warning, detail: error.localizedDescription,
            remedy: "pulseaudio --start  (or start PipeWire; 'record --from -' needs no sound server)")
        ]
      }
    #else
      return []
    #endif
  }

  /// Less free space than this gives a warning: an hour of audio from standard input takes a tenth of it.
  private static let scarceBytes: Int64 = 1 << 30

  /// Checks whether the folder for temporary copies exists, is writable and has free space.
  package static let temporaryFolder: Probe = {
    let folder = FileManager.default.temporaryDirectory
    let trial = folder.appendingPathComponent("longhand-\(UUID().uuidString)")
    let remedy = "export TMPDIR=DIR  (a writable folder)"
    do {
      try Data("longhand".utf8).write(to: trial)
      try FileManager.default.removeItem(at: trial)
    } catch {
      let detail = "\(folder.path) is not writable"
      return [Finding(name: "temporary folder", state: .missing, detail: detail, remedy: remedy)]
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value else {
      return [Finding(name: "temporary folder", state: .ok, detail: folder.path)]
    }
    let detail = "\(folder.path), \(String(format: "%.1f", Double(free) / 1e9)) GB free"
    let isScarce = free < scarceBytes
    return [
      Finding(
        name: "temporary folder", state: isScarce ? .warning : .ok, detail: detail,
        remedy: isScarce ? remedy : nil)
    ]
  }

  /// Reports the number of processors, which limits how much runs in parallel.
  package static let processors: Probe = {
    let count = ProcessInfo.processInfo.activeProcessorCount
    return [Finding(name: "processors", state: .ok, detail: "\(count)")]
  }
}

extension URL {
  /// The folder itself, or the nearest one around it that exists.
  fileprivate var nearestExisting: URL {
    var folder = self
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
      folder.deleteLastPathComponent()
    }
    return folder
  }
}
