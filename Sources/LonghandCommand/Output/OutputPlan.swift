import Foundation
import Longhand

/// Where the transcripts go, and in which formats; decided, and refused, before any work.
struct OutputPlan: Sendable, Hashable {
  /// Where the transcripts are written.
  enum Destination: Sendable, Hashable {
    case standardOutput
    case file(String)
    case folder(String)
  }

  /// Where the transcripts are written.
  let destination: Destination
  /// The formats, each once, in the order in which they were asked for.
  let formats: [TranscriptFormat]
  /// Whether files that exist may be replaced.
  let replaces: Bool

  /// Reads the options, and checks that they go together and with the inputs.
  init(_ arguments: ParsedArguments, inputs: [AudioInput]) throws {
    let destination = try Self.destination(arguments)
    var formats = try Self.formats(arguments)
    if formats.isEmpty {
      // The name of the file says what is wanted in it, as far as it says anything.
      if case .file(let path) = destination {
        formats += Self.format(extension: PathName.fileExtension(of: path))
      }
      if formats.isEmpty { formats = [.txt] }
    }
    self.destination = destination
    self.formats = formats
    self.replaces = arguments.has(.force)
    switch destination {
    case .standardOutput: try checkStandardOutput(inputs)
    case .file(let path): try checkFile(path, inputs)
    case .folder(let folder): try checkFolder(folder, inputs)
    }
  }

  /// The files that an input's transcript is written to, each with its format; none when it goes to standard output.
  func files(for input: AudioInput) -> [(path: String, format: TranscriptFormat)] {
    switch destination {
    case .standardOutput: []
    case .file(let path): formats.map { (path, $0) }
    case .folder(let folder):
      formats.map { (PathName.join(folder, "\(input.stem).\($0.fileExtension)"), $0) }
    }
  }

  /// Makes the folder that the files go to, if it is not there.
  func makeFolder() throws {
    guard case .folder(let folder) = destination else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .output, "the folder \(folder) cannot be made",
        hint: "choose another with --output-dir, or check permissions")
    }
  }

  private static func destination(_ arguments: ParsedArguments) throws -> Destination {
    let file = arguments.value(.output)
    let folder = arguments.value(.outputFolder)
    switch (file, folder) {
    case (_?, _?):
      throw Failure.usage("--output and --output-dir exclude each other", hint: "leave one of them out")
    case ("", _), (_, ""):
      throw Failure.usage("the name of the output is empty", hint: "'-o -' is standard output")
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

  private static func format(extension name: String) -> [TranscriptFormat] {
    TranscriptFormat.allCases.filter { $0.fileExtension.lowercased() == name }
  }

  private static func unknownFormat(_ name: String) -> Failure {
    let names = TranscriptFormat.allCases.map(\.rawValue)
    let nearest = NearestName.suggestion(for: name.lowercased(), among: names)
    let known = "one of \(names.joined(separator: " "))"
    return .usage(
      "there is no format '\(name)'", hint: nearest.map { "did you mean \($0)? (\(known))" } ?? known)
  }

  private func checkStandardOutput(_ inputs: [AudioInput]) throws {
    if formats.count > 1 {
      throw Failure.usage(
        "several formats at once do not fit on standard output",
        hint: "write them into files with --output-dir DIR")
    }
    guard let format = formats.first, inputs.count > 1, !format.canFollowItself else { return }
    throw Failure.usage(
      "several inputs as \(format.rawValue) do not fit on standard output",
      hint: "write them into files with --output-dir DIR")
  }

  private func checkFile(_ path: String, _ inputs: [AudioInput]) throws {
    if inputs.count > 1 || formats.count > 1 {
      let what = inputs.count > 1 ? "inputs" : "formats"
      throw Failure.usage(
        "several \(what) do not fit into the one file \(path)", hint: "use --output-dir DIR")
    }
    try checkInputsAreSafe(from: [path], inputs)
  }

  private func checkFolder(_ folder: String, _ inputs: [AudioInput]) throws {
    var owners: [String: AudioInput] = [:]
    for input in inputs {
      if let other = owners.updateValue(input, forKey: input.stem) {
        throw Failure.usage(
          "\(other.operand) and \(input.operand) would both be written to "
            + PathName.join(folder, "\(input.stem).\(formats[0].fileExtension)"),
          hint: "transcribe them one at a time, with -o FILE")
      }
      try checkInputsAreSafe(from: files(for: input).map(\.path), inputs)
    }
  }

  /// Not even `--force` may destroy a recording.
  private func checkInputsAreSafe(from paths: [String], _ inputs: [AudioInput]) throws {
    for path in paths {
      guard let input = inputs.first(where: { $0.isSameFile(as: path) }) else { continue }
      throw Failure.usage(
        "\(path) is the input \(input.operand) itself", hint: "choose another name for the output")
    }
  }
}

extension TranscriptFormat {
  /// Whether one document after another is still readable, so that several fit on standard output.
  fileprivate var canFollowItself: Bool {
    switch self {
    case .txt, .ctm, .json, .jsonl: true
    case .srt, .vtt, .tsv, .textgrid, .md: false
    }
  }
}

extension CaptionLayout {
  /// The layout that the options ask for.
  init(_ arguments: ParsedArguments) throws {
    self.init(
      maxLineWidth: try arguments.integer(.maximumLineWidth, in: 1...10_000),
      maxLineCount: try arguments.integer(.maximumLineCount, in: 1...1000))
  }
}
