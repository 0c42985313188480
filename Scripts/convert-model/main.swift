// Converts a Whisper model of CTranslate2 to the format of whisper.cpp, and describes it. `Scripts/setup` compiles this
// file together with Sources/Recognition/Models/ModelConversion, before the package can be built.
//
//   convert-model FOLDER OUTPUT NAME SHA256   OUTPUT gets the model and model.json, which says this name and SHA-256
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5 else { exit(2) }
do {
  let conversion = try WhisperConversion(folder: arguments[1])
  let file = GGMLModel.fileName(conversion.dimensions, .float16)
  let path = arguments[2] + "/" + file
  try conversion.write(to: path)
  let size = try FileManager.default.attributesOfItem(atPath: path)[.size] ?? 0
  // As `ModelDescription` is stored.
  let description: [String: Any] = [
    "name": arguments[3], "recognizer": "whisper", "family": "whisper-ggml", "isPunctuated": true,
    "languages": conversion.dimensions.languages,
    "files": [["role": "model", "name": file, "size": size, "sha256": arguments[4]]],
    "licence": ["identifier": "MIT", "attribution": "Whisper by OpenAI, in the format of whisper.cpp"],
    "source": "https://huggingface.co/ggerganov/whisper.cpp/resolve/main/\(file)",
  ]
  let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  try JSONSerialization.data(withJSONObject: description, options: options)
    .write(to: URL(fileURLWithPath: arguments[2] + "/model.json"))
} catch {
  FileHandle.standardError.write(Data("convert-model: \(error)\n".utf8))
  exit(1)
}
