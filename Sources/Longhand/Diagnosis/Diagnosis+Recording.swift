import AVFAudio
import Foundation

extension Diagnosis {
  /// A library: whether it can be read and written; one that is not there is not made.
  public static func library(at folder: URL) -> Probe {
    {
      func finding(_ state: Finding.State, _ detail: String, _ remedy: String? = nil) -> [Finding] {
        [Finding(name: "library", state: state, detail: "\(folder.path)\(detail)", remedy: remedy)]
      }
      let choice = "export LONGHAND_LIBRARY=DIR  (a folder that can be written)"
      guard FileManager.default.fileExists(atPath: folder.path) else {
        var parent = folder
        repeat {
          parent.deleteLastPathComponent()
        } while parent.path != "/"
          && !FileManager.default.fileExists(atPath: parent.path)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: parent.path, isDirectory: &isFolder)
        return exists && isFolder.boolValue && FileManager.default.isWritableFile(atPath: parent.path)
          ? finding(.ok, ", made by the first recording") : finding(.missing, " cannot be made", choice)
      }
      do {
        let count = try Library(at: folder).store.sessions(limit: .max).count
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
          return finding(.missing, " may not be written", choice)
        }
        return finding(.ok, ", \(count) \(count == 1 ? "session" : "sessions")")
      } catch let error as StoreError {
        return finding(.missing, ": \(error.what)", choice)
      } catch {
        return finding(.missing, ": \(error)", choice)
      }
    }
  }

  /// What can be recorded; without it everything works but the microphone.
  public static let microphone: Probe = {
    #if os(Linux)
      do {
        let sources = try CaptureDevice.all()
        guard !sources.isEmpty else {
          return [
            Finding(
              name: "microphone", state: .warning, detail: "the sound server has none",
              remedy: "longhand record --from -  (records standard input)")
          ]
        }
        return [Finding(name: "microphone", state: .ok, detail: "\(sources.count) sources")]
      } catch {
        return [
          Finding(
            name: "microphone", state: .warning, detail: error.localizedDescription,
            remedy: "pulseaudio --start  (or start PipeWire; 'record --from -' needs neither)")
        ]
      }
    #else
      return []
    #endif
  }
}
