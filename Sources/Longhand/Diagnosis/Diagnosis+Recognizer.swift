import Foundation
import Speech

extension Diagnosis {
  /// The recognizer: whether it can be asked, and for which languages.
  public static let recognizer: Probe = {
    let locales = SFSpeechRecognizer.supportedLocales()
    let available = locales.filter { SFSpeechRecognizer(locale: $0)?.isAvailable == true }
    let names = available.map { $0.identifier(.bcp47) }.sorted().joined(separator: " ")
    #if os(Linux)
      let remedy = "make setup build"
    #else
      let remedy = "open 'x-apple.systempreferences:com.apple.Keyboard-Settings.extension'"
    #endif
    guard available.isEmpty else { return [Finding(name: "recognizer", state: .ok, detail: names)] }
    return [
      Finding(
        name: "recognizer", state: .missing, detail: "it cannot be asked for any language", remedy: remedy)
    ]
  }
}
