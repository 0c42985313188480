import Foundation
import Longhand

/// The options of every verb that recognizes.
struct TranscriberOptions {
  private var options = FileTranscriber.Options()
  /// The domain whose words are expected.
  private let domain: DomainOption?

  init(_ arguments: ParsedArguments) throws {
    domain = try DomainOption(arguments)
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
    if let name = arguments.value(.reranking) {
      guard let policy = CandidateRerankingPolicy(rawValue: name) else {
        let names = CandidateRerankingPolicy.allCases.map(\.rawValue).joined(separator: " or ")
        throw Failure.usage("--reranking does not know '\(name)'", hint: names)
      }
      options.reranking = policy
    }
    if let alternatives = try arguments.integer(.alternatives, in: 1...100) {
      options.alternatives = alternatives
    }
  }

  /// How files are transcribed; the domain's language model is compiled if it was not before.
  func transcription() async throws -> FileTranscriber.Options {
    var options = options
    options.languageModel = try await domain?.languageModel()
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
