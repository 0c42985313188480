import Foundation
import Speech

extension Diagnosis {
  /// The recognizer: whether it can be asked, and for which languages.
  public static let recognizer: Probe = {
    let available = SFSpeechRecognizer.supportedLocales()
      .filter { SFSpeechRecognizer(locale: $0)?.isAvailable == true }
      .map { $0.identifier(.bcp47) }.sorted().joined(separator: " ")
    #if os(Linux)
      let status = SpeechServiceStatus.current()
      if let problem = status.problem {
        return [Finding(name: "recognizer", state: .missing, detail: problem, remedy: "make setup build")]
      }
      return [
        Finding(
          name: "recognizer", state: .ok,
          detail: "\(status.recognizer ?? "?") for \(available), by \(status.executable ?? "?")"),
        Finding(name: "model", state: .ok, detail: status.model ?? "?"),
      ]
    #else
      guard available.isEmpty else { return [Finding(name: "recognizer", state: .ok, detail: available)] }
      return [
        Finding(
          name: "recognizer", state: .missing, detail: "it cannot be asked for any language",
          remedy: "open 'x-apple.systempreferences:com.apple.Keyboard-Settings.extension'")
      ]
    #endif
  }
}
