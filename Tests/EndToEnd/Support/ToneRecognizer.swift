import Foundation
import ScriptedSpeech

/// A recognizer of the words of `SpokenTones`: a row of the table, a program, and a model. It takes next to no processor
/// time.
enum ToneRecognizer {
  static let row = """
    [{"id": "tones", "program": "scripted-speech-service", "variable": "TONES_SERVICE_PATH",
      "parallelism": "oneProcess", "loading": 5, "ownLanguages": [], "usesLanguageModels": false,
      "words": {"minRate": 0, "minLoneConfidence": 0, "rejectsLoops": false, "speechMargin": 0}}]
    """
  static let model = """
    {"name": "tones-model", "recognizer": "tones", "family": "nemo-ctc", "languages": ["en"],
     "files": [{"role": "model", "name": "net.bin", "size": 3, "sha256": "\(String(repeating: "0", count: 64))"}],
     "isPunctuated": false, "licence": {"identifier": "MIT", "attribution": ""}}
    """

  /// Installs the model in a folder, and returns the variables with which `longhand` uses it, and a library there.
  static func environment(in folder: TemporaryFolder) throws -> [String: String] {
    let model = "data/speech-service/models/tones-model"
    try folder.write(Data(Self.model.utf8), to: model + "/model.json")
    try folder.write(Data("net".utf8), to: model + "/net.bin")
    try folder.write(row, to: "rows.json")
    return try SpeechScript().environment(in: folder.url).merging([
      // The program is found as every recognizer's is, and audio is decoded by the real one.
      "SPEECH_SERVICE_PATH": "", "SPEECH_RECOGNIZERS": folder.path("rows.json"),
      // Other models may be installed for all users.
      "SPEECH_MODEL": "tones-model",
      "XDG_DATA_HOME": folder.path("data"), "LONGHAND_LIBRARY": folder.path("library"),
    ]) { $1 }
  }

  /// Writes a recording of words, with a second and a half of silence after each group of them.
  static func write(_ groups: [Int]..., to path: String) throws {
    let samples = groups.flatMap { SpokenTones.sound(of: $0) + [Int16](repeating: 0, count: 24_000) }
    try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: path)
  }
}
