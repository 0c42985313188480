import Foundation
import Longhand

/// The line on the terminal that says which model recognizes. When it is the embedded recognizer's, the line also
/// says how to get a better one, once for each user.
struct ModelNotice {
  /// If it exists, the better models were named already.
  private let mark: URL

  /// - Parameter environment: the source of `XDG_STATE_HOME`, a folder for what programs remember between runs.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    var state = environment["XDG_STATE_HOME"] ?? ""
    // The XDG base directory specification says to ignore relative paths.
    if !state.hasPrefix("/") { state = (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state" }
    mark = URL(fileURLWithPath: state).appendingPathComponent("longhand/better-models-named")
  }

  /// The line.
  func text(for model: RecognitionModel) -> String {
    let text = "Model: \(model.stamp.name)."
    guard model.isEmbedded, !FileManager.default.fileExists(atPath: mark.path) else { return text }
    return text + " Other models make far fewer errors: 'longhand models list' shows them."
  }

  /// Writes the line, unless it is unwanted.
  /// - Parameters:
  ///   - arguments: what the verb was given.
  ///   - console: nothing is written if it is not a terminal.
  ///   - model: finds the model.
  func show(_ arguments: ParsedArguments, on console: Console, _ model: () -> RecognitionModel?) {
    guard console.errors.canRedraw, console.errorStyle == .line, !arguments.has(.quiet),
      !arguments.has(.listSources), let model = model()
    else { return }
    console.note(text(for: model))
    if model.isEmbedded { remember() }
  }

  /// Remembers that the better models were named. If that fails, they are named again, which does no harm.
  func remember() {
    try? FileManager.default.createDirectory(
      at: mark.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    _ = FileManager.default.createFile(atPath: mark.path, contents: nil)
  }
}
