import Foundation
import Longhand

/// The options of every verb that recognizes.
enum TranscriberOptions {
  /// How files are transcribed.
  static func read(_ arguments: ParsedArguments) throws -> FileTranscriber.Options {
    var options = FileTranscriber.Options()
    if let locale = arguments.value(.locale) {
      guard !locale.isEmpty,
        locale.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_@=".contains($0)) })
      else { throw Failure.usage("--locale does not understand '\(locale)'", hint: "such as --locale en-US") }
      options.locale = Locale(identifier: locale)
    }
    if let name = arguments.value(.engine) {
      guard let engine = EngineSelection(rawValue: name) else {
        let names = EngineSelection.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure.usage("--engine does not know '\(name)'", hint: "one of \(names)")
      }
      options.engine = engine
    }
    if let alternatives = try arguments.integer(.alternatives, in: 1...100) {
      options.alternatives = alternatives
    }
    return options
  }

  /// How progress is shown.
  static func progress(_ arguments: ParsedArguments) throws -> ProgressMeter.Style {
    let style = arguments.value(.progress)
    if let style, style != "json" {
      throw Failure.usage(
        "--progress takes 'json', not '\(style)'", hint: "without it progress is for people")
    }
    if arguments.has(.quiet) { return .none }
    return style == nil ? .line : .json
  }
}
