import CSherpaOnnx
import Foundation
import ModelStorage
import NeuralRecognition

/// The library sherpa-onnx.
enum SherpaLibrary {
  /// The version that `make setup` installs. The layout of the structures differs between versions.
  static let version = "2.0.1"
  static let sampleRate: Int32 = 16_000

  /// - Throws: `NeuralError.version` if the library is of another version.
  static func checkVersion() throws(NeuralError) {
    let found = SherpaOnnxGetVersionStr().map { String(cString: $0) } ?? "unknown"
    guard found == version else {
      throw .version(library: "sherpa-onnx", found: found, needed: version)
    }
  }
}

extension ModelInspection {
  /// The model in a folder.
  static func checked(_ folder: String) throws(NeuralError) -> ModelInspection {
    do throws(ModelFolderError) { return try ModelInspection(folder: folder) } catch {
      throw .model(error.description)
    }
  }
}

/// Texts for the fields of a C structure, which live as long as this object.
final class CTexts {
  private var texts: [UnsafeMutablePointer<CChar>] = []

  deinit { for text in texts { free(text) } }

  /// A copy of a text; nil for nil, which the library takes as an empty one.
  func callAsFunction(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text, let copy = strdup(text) else { return nil }
    texts.append(copy)
    return UnsafePointer(copy)
  }
}

/// The processors.
enum Processors {
  /// Threads for a recognizer: one core is left to the rest of the system. `SPEECH_SERVICE_THREADS` sets another number,
  /// for measuring.
  static func threads(environment: [String: String] = ProcessInfo.processInfo.environment) -> Int32 {
    if let wanted = environment["SPEECH_SERVICE_THREADS"].flatMap(Int32.init), (1...256).contains(wanted) {
      return wanted
    }
    return Int32(max(1, cores - 1))
  }

  /// The number of physical cores. Two threads of one core decode hardly faster than one.
  private static var cores: Int {
    let folder = "/sys/devices/system/cpu"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let siblings = names.compactMap { name -> String? in
      guard name.hasPrefix("cpu"), Int(name.dropFirst(3)) != nil else { return nil }
      return try? String(contentsOfFile: "\(folder)/\(name)/topology/thread_siblings_list", encoding: .utf8)
    }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return siblings.isEmpty ? processors : min(processors, Set(siblings).count)
  }
}
