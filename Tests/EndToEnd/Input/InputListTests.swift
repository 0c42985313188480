import Foundation
import Testing

@testable import LonghandCommand

@Suite struct InputListTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func list(_ arguments: String...) throws -> InputList {
    try InputList(TranscribeCommand.description.parser.parse(arguments))
  }

  /// The operands without the folder's path, and the names of their outputs.
  private func inputs(_ arguments: String...) throws -> [String] {
    try InputList(TranscribeCommand.description.parser.parse(arguments)).inputs.map { input in
      "\(input.operand.replacing("\(folder.url.path)/", with: "")) \(input.stem)"
    }
  }

  @Test func folderStandsForItsAudioFilesInOrder() throws {
    for name in ["b.MP3", "a.wav", "notes.txt", ".hidden.wav", "c/d.flac", "c/e/f.ogg", ".git/g.wav"] {
      try folder.write("sound", to: "in/\(name)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/c/loop"), withDestinationPath: folder.path("in"))
    #expect(try inputs(folder.path("in")) == ["in/a.wav a", "in/b.MP3 b"])
    #expect(
      try inputs("--recursive", folder.path("in")) == [
        "in/a.wav a", "in/b.MP3 b", "in/c/d.flac c/d", "in/c/e/f.ogg c/e/f",
      ])
    // A file that is named is taken whatever it is called.
    #expect(try inputs(folder.path("in/notes.txt")) == ["in/notes.txt notes"])
  }

  @Test func folderWithoutAudioIsReported() throws {
    try folder.write("text", to: "in/notes.txt")
    let inputs = try list(folder.path("in")).inputs
    #expect(inputs.count == 1)
    let input = try #require(inputs.first)
    let failure = #expect(throws: Failure.self) { try input.check() }
    #expect(try #require(failure?.message).contains("no audio or video files"))
    #expect(try #require(failure?.hint).contains("--recursive"))
  }

  @Test func inputsOfOneNameHaveDifferentOutputs() throws {
    #expect(
      try inputs("a/x.wav", "b/x.wav", "x-2.wav", "c/X.mp3", "a/x.wav") == [
        "a/x.wav x", "b/x.wav x-3", "x-2.wav x-2", "c/X.mp3 X-4", "a/x.wav x-5",
      ])
    let renamed = try list("a/x.wav", "b/x.wav").renamed
    #expect(renamed.map(\.input.operand) == ["b/x.wav"])
    #expect(renamed.map(\.other.operand) == ["a/x.wav"])
  }

  @Test func listNamesInputsOnePerLineOrWithZeros() throws {
    let lines = try folder.write("a.wav\r\n\nb c.wav\n-d.wav", to: "lines")
    #expect(try inputs("x.wav", "--files-from", lines) == ["x.wav x", "a.wav a", "b c.wav b c", "-d.wav -d"])
    let zeros = try folder.write("a\nb.wav\0c.wav\0", to: "zeros")
    #expect(try inputs("--files-from", zeros) == ["a\nb.wav a\nb", "c.wav c"])
    let empty = try folder.write("\n", to: "empty")
    #expect(throws: Failure.self) { try list("--files-from", empty) }
    #expect(throws: Failure.self) { try list("--files-from", folder.path("none")) }
  }

  @Test func nameThatIsNotUnicodeIsReadInAListAndInAFolder() throws {
    let folder = folder.url.path
    let bytes = Array("\(folder)/caf".utf8) + [0xE9] + Array(".wav".utf8)
    let descriptor = open(bytes.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data("sound".utf8))
    try Data(bytes + [0x0A]).write(to: URL(fileURLWithPath: "\(folder)/list"))
    for inputs in [try list(folder).inputs, try list("--files-from", "\(folder)/list").inputs] {
      #expect(inputs.map(\.source) == ["caf\\xE9.wav"])
      let input = try #require(inputs.first)
      #expect(try !input.check())
      let file = NamedFile(input.operand)
      #expect(try String(contentsOf: file.url, encoding: .utf8) == "sound")
    }
  }
}
