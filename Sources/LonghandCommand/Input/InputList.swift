import FileSupport
import Foundation
import Longhand

/// The inputs of a verb: the operands, with the audio and video files of folders, and the lines of `--files-from`.
struct InputList: Sendable {
  /// The inputs in order. A folder without files stays, so that it is reported.
  private(set) var inputs: [AudioInput] = []
  /// For inputs whose output files get another name than the input has: both inputs of each pair.
  private(set) var renamed: [(input: AudioInput, other: AudioInput)] = []

  init(_ arguments: ParsedArguments) throws {
    var operands = arguments.operands
    if let list = arguments.value(.filesFrom) { operands += try Self.lines(of: list) }
    if operands.contains("") {
      throw Failure.usage(
        "The name of an input is empty.", hint: "Check the quotes and variables in the command.")
    }
    if operands.isEmpty {
      throw Failure.usage("No input file.", hint: "Example: longhand \(arguments.verb) talk.wav")
    }
    if operands.count(where: { $0 == "-" }) + (arguments.value(.filesFrom) == "-" ? 1 : 0) > 1 {
      throw Failure.usage("Standard input can be read only once.", hint: "Write '-' only once.")
    }
    inputs = operands.flatMap { Self.inputs($0, isRecursive: arguments.has(.recursive)) }
    nameOutputs()
  }

  /// Gives inputs of the same name different output files. Of several, the first one keeps the name.
  private mutating func nameOutputs() {
    var owners: [String: AudioInput] = [:]
    for input in inputs where owners[input.stem.lowercased()] == nil {
      owners[input.stem.lowercased()] = input
    }
    var hasOwner: Set<String> = []
    for index in inputs.indices {
      let input = inputs[index]
      guard !hasOwner.insert(input.stem.lowercased()).inserted, let other = owners[input.stem.lowercased()]
      else {
        continue
      }
      var number = 2
      repeat {
        inputs[index].suffix = "-\(number)"
        number += 1
      } while owners[inputs[index].stem.lowercased()] != nil
      owners[inputs[index].stem.lowercased()] = inputs[index]
      hasOwner.insert(inputs[index].stem.lowercased())
      renamed.append((inputs[index], other))
    }
  }

  /// The names in a list: one per line, or with a zero after each, as `find -print0` writes them.
  private static func lines(of list: String) throws -> [String] {
    let reader = try StreamReader.open(list, contents: "list of inputs")
    defer { close(reader.descriptor) }
    var bytes: [UInt8] = []
    while let part = try reader.read(1 << 16, until: CancellationFlag()) {
      bytes += part
      guard bytes.count <= 64 << 20 else {
        throw Failure(.malformed, "The list of inputs is longer than 64 MB.", input: reader.name)
      }
    }
    let separator: UInt8 = bytes.contains(0) ? 0 : 0x0A
    return bytes.split(separator: separator).map { line in
      // Lists from other systems end their lines with a carriage return too.
      String(systemName: Array(separator == 0x0A && line.last == 0x0D ? line.dropLast() : line))
    }.filter { !$0.isEmpty }
  }

  private static func inputs(_ operand: String, isRecursive: Bool) -> [AudioInput] {
    var status = stat()
    guard operand != "-", stat(operand.systemName, &status) == 0, status.isFolder else {
      return [AudioInput(operand: operand)]
    }
    let found = files(in: operand, under: "", isRecursive: isRecursive)
    return found.isEmpty ? [AudioInput(operand: operand)] : found
  }

  /// The audio and video files in a folder, in the order of their names, then those of the folders in it.
  /// What cannot be read stays, so that it is reported.
  private static func files(in path: String, under folder: String, isRecursive: Bool) -> [AudioInput] {
    guard let names = path.namesInFolder else { return [AudioInput(operand: path)] }
    var files: [AudioInput] = []
    var folders: [String] = []
    for name in names where !name.hasPrefix(".") {
      var status = stat()
      let file = PathName.join(path, name)
      // A link to a folder is not followed, because it may lead back.
      guard lstat(file.systemName, &status) == 0 else {
        if errno != ENOENT { files.append(AudioInput(operand: file)) }
        continue
      }
      if status.isFolder {
        folders.append(name)
      } else if AudioFileSource.extensions.contains(PathName.fileExtension(of: name)),
        stat(file.systemName, &status) == 0, status.isFile
      {
        var input = AudioInput(operand: file)
        input.folder = folder
        files.append(input)
      }
    }
    guard isRecursive else { return files }
    return files
      + folders.flatMap { name in
        Self.files(
          in: PathName.join(path, name), under: folder.isEmpty ? name : PathName.join(folder, name),
          isRecursive: true)
      }
  }
}
