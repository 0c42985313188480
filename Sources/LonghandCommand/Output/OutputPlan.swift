import FileSupport
import Foundation
import Longhand

/// Where transcripts are written, and in which formats. Checked before any work.
struct OutputPlan: Sendable, Hashable {
  /// Where transcripts are written.
  enum Destination: Sendable, Hashable {
    case standardOutput
    case file(String)
    case folder(String)
  }

  /// Where the transcripts are written.
  let destination: Destination
  /// The formats without duplicates, in the order given.
  let formats: [TranscriptFormat]
  /// Whether existing files are replaced.
  let replaces: Bool

  /// Reads the options, and checks them against each other and against the inputs.
  /// - Parameter parts: the files that are joined to the one input; nil for the inputs.
  init(_ arguments: ParsedArguments, inputs: [AudioInput], parts: [AudioInput]? = nil) throws {
    let destination = try Self.destination(arguments)
    var formats = try Self.formats(arguments)
    if formats.isEmpty {
      // Without an option, the file's extension selects the format.
      if case .file(let path) = destination { formats += try Self.format(of: path) }
      if formats.isEmpty { formats = [.txt] }
    }
    self.destination = destination
    self.formats = formats
    self.replaces = arguments.has(.force)
    switch destination {
    case .standardOutput: try checkStandardOutput(inputs)
    case .file(let path): try checkFile(path, inputs)
    case .folder: break
    }
    let others = [Option.vocabulary, .entities, .filesFrom].compactMap { arguments.value($0) }
    try checkAreSafe((parts ?? inputs) + others.map(AudioInput.init), beside: inputs)
  }

  /// The files for an input's transcript, each with its format; none for standard output.
  func files(for input: AudioInput) -> [(path: String, format: TranscriptFormat)] {
    files(named: input.stem)
  }

  /// The files for a transcript, each with its format; none for standard output.
  /// - Parameter stem: the name of files in a folder, without the extension.
  func files(named stem: String) -> [(path: String, format: TranscriptFormat)] {
    switch destination {
    case .standardOutput: []
    case .file(let path): formats.map { (path, $0) }
    case .folder(let folder):
      formats.map { (PathName.join(folder, "\(stem).\($0.fileExtension)"), $0) }
    }
  }

  /// Creates the output folder if it does not exist, and the folders in it for inputs that were found in folders.
  func makeFolder(for inputs: [AudioInput] = []) throws {
    guard case .folder(let folder) = destination else { return }
    try Self.makeFolder(folder)
    for inner in Set(inputs.map(\.folder)) where !inner.isEmpty {
      try Self.makeFolder(PathName.join(folder, inner))
    }
  }

  private static func makeFolder(_ folder: String) throws {
    var status = stat()
    if stat(folder.systemName, &status) == 0, status.isFolder { return }
    let parent = PathName.folder(of: folder)
    if parent != folder, parent != "." { try makeFolder(parent) }
    guard mkdir(folder.systemName, 0o700) == 0 || errno == EEXIST && !folder.hasSuffix("/") else {
      throw Failure.system(
        errno, .output, "Cannot create the folder \(folder)",
        hint: "Check the permissions, or choose another folder with --output-dir.")
    }
  }

  private static func destination(_ arguments: ParsedArguments) throws -> Destination {
    let file = arguments.value(.output)
    let folder = arguments.value(.outputFolder) ?? arguments.value(.resume)
    switch (file, folder) {
    case (_?, _?):
      throw Failure.usage(
        "The options --output and --output-dir cannot be combined.", hint: "Remove one of them.")
    case ("", _), (_, ""):
      throw Failure.usage("The name of the output is empty.", hint: "Write '-o -' for standard output.")
    case ("-", _), (nil, nil): return .standardOutput
    case (let file?, _): return .file(file)
    case (nil, let folder?): return .folder(folder)
    }
  }

  private static func formats(_ arguments: ParsedArguments) throws -> [TranscriptFormat] {
    var formats: [TranscriptFormat] = []
    for (option, value) in arguments.given([.format, .txt, .srt, .vtt, .json]) {
      let names =
        option == Option.format.name
        ? value.split(separator: ",").map(String.init) : [String(option.dropFirst(2))]
      if names.isEmpty { throw unknownFormat(value) }
      for name in names {
        guard let format = TranscriptFormat(rawValue: name.lowercased()) else { throw unknownFormat(name) }
        if !formats.contains(format) { formats.append(format) }
      }
    }
    return formats
  }

  /// The format for a file; none if its name has no extension.
  private static func format(of path: String) throws -> [TranscriptFormat] {
    let name = PathName.fileExtension(of: path)
    var status = stat()
    // A device or a pipe may have any name.
    if name.isEmpty || stat(path.systemName, &status) == 0 && status.isStream { return [] }
    guard let format = TranscriptFormat.allCases.first(where: { $0.fileExtension == name }) else {
      let names = TranscriptFormat.allCases.map(\.rawValue).joined(separator: " ")
      throw Failure.usage(
        "There is no format '\(name)' for the file \(path).",
        hint: "Use one of the extensions \(names), or choose the format with --format.")
    }
    return [format]
  }

  private static func unknownFormat(_ name: String) -> Failure {
    let names = TranscriptFormat.allCases.map(\.rawValue)
    let nearest = NearestName.suggestion(for: name.lowercased(), among: names)
    let known = "Formats: \(names.joined(separator: " "))"
    return .usage(
      "There is no format '\(name)'.", hint: nearest.map { "Did you mean \($0)? \(known)" } ?? known)
  }

  private func checkStandardOutput(_ inputs: [AudioInput]) throws {
    if formats.count > 1 {
      throw Failure.usage(
        "Standard output takes one format only.",
        hint: "Write several formats into files with --output-dir DIR.")
    }
    if let format = formats.first(where: { !$0.isText }), isatty(STDOUT_FILENO) == 1 {
      throw Failure.usage(
        "The terminal cannot show a \(format.rawValue) document.", hint: "Write it into a file with -o FILE.")
    }
    guard let format = formats.first, inputs.count > 1, !format.canFollowItself else { return }
    throw Failure.usage(
      "Standard output takes one \(format.rawValue) document only, and there are several inputs.",
      hint: "Write them into files with --output-dir DIR.")
  }

  private func checkFile(_ path: String, _ inputs: [AudioInput]) throws {
    if inputs.count > 1 || formats.count > 1 {
      let what = inputs.count > 1 ? "inputs" : "formats"
      throw Failure.usage(
        "Several \(what) cannot be written into the one file \(path).", hint: "Use --output-dir DIR.")
    }
  }

  /// Throws if an output of the inputs would replace one of some files.
  func checkAreSafe(_ files: [AudioInput], beside inputs: [AudioInput]) throws {
    let outputs = Set(inputs.flatMap { self.files(for: $0).map(\.path) }).sorted()
    try Self.checkAreSafe(files, from: outputs + outputs.map(WholeFile.partial))
  }

  /// Throws if an output would replace an input; `--force` does not permit that either.
  static func checkAreSafe(_ inputs: [AudioInput], from paths: [String]) throws {
    for path in paths {
      guard let input = inputs.first(where: { $0.isSameFile(as: path) }) else { continue }
      throw Failure.usage(
        "The output \(path) is the input \(input.operand) itself.",
        hint: "Choose another name for the output.")
    }
  }
}

extension TranscriptFormat {
  /// Whether several documents can follow each other on standard output.
  fileprivate var canFollowItself: Bool {
    switch self {
    case .txt, .ctm, .json, .jsonl, .rttm: true
    case .srt, .vtt, .tsv, .textgrid, .md, .html, .docx, .edl, .fcpxml, .eaf, .otr: false
    }
  }
}

extension TextStyle {
  /// The style from the option.
  init(_ arguments: ParsedArguments) throws {
    self = try arguments.choice(.style, of: "style") ?? .sentences
  }
}

extension CaptionLayout {
  /// The caption layout from the options.
  init(_ arguments: ParsedArguments) throws {
    self.init()
    if let width = try arguments.integer(.maximumLineWidth, in: 1...10_000) { maxLineWidth = width }
    if let count = try arguments.integer(.maximumLineCount, in: 1...1000) { maxLineCount = count }
    overlap = try arguments.choice(.captionOverlap, of: "way to show overlapping speech") ?? overlap
  }
}

extension OutputPlan {
  /// Reads the option `--numbers`, which needs a format with a text of its own; nil if it is not given.
  func numbers(_ arguments: ParsedArguments) throws -> NumberForm? {
    guard let form: NumberForm = try arguments.choice(.numbers, of: "form of numbers") else { return nil }
    guard let format = formats.first(where: { !$0.hasNumberForms }) else { return form }
    throw Failure.usage(
      "The format \(format.rawValue) has no other numbers than the recognizer's.",
      hint: "Use --numbers with another format, or remove it.")
  }

  /// Reads the option `--voice-analytics`, which needs the format json.
  func hasVoiceAnalytics(_ arguments: ParsedArguments) throws -> Bool {
    guard arguments.has(.voiceAnalytics) else { return false }
    guard formats.contains(.json) else {
      throw Failure.usage(
        "The option --voice-analytics needs the format json.",
        hint: "Add --format json, or json to the formats.")
    }
    return true
  }
}
