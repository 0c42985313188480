import Foundation
import TestSupport
import Testing

@testable import LonghandCommand

/// What `transcribe` finds out before it recognizes anything.
@Suite(.tagged(.childProcess)) struct TranscribeInputTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func everyInputThatCannotBeReadHasItsLine() async throws {
    try folder.write("", to: "empty.wav")
    try folder.write("x", to: "folder/x")
    let result = try await LonghandProcess.run(
      "transcribe", "missing.wav", "folder", "empty.wav", "--output-dir", "out", in: folder.url)
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(
      result.errorLines == [
        "longhand: missing.wav: No such file. Check the name.",
        "longhand: folder: This is a folder, not a file. Name its files: folder/*",
        "longhand: empty.wav: The input is empty. Check that the recording was completed.",
      ])
    #expect(!folder.has("out"))
  }

  @Test func aFileThatMayNotBeReadHasItsLine() async throws {
    let path = try folder.write("sound", to: "secret.wav")
    chmod(path, 0)
    // Nothing is forbidden to the superuser.
    guard geteuid() != 0 else { return }
    let result = try await LonghandProcess.run("transcribe", path)
    #expect(result.status == 1)
    #expect(result.errors.contains("Permission denied"))
  }

  @Test func anExistingOutputIsFoundBeforeTheWork() async throws {
    try folder.write("sound", to: "talk.wav")
    try folder.write("old", to: "talk.txt")
    for arguments in [["-o", "talk.txt"], ["--output-dir", "."]] {
      let result = try await LonghandProcess(["transcribe", "talk.wav"] + arguments, in: folder.url).result()
      #expect(result.status == 1)
      #expect(result.errors.contains("talk.txt already exists. Replace it with --force"))
    }
    #expect(try folder.read("talk.txt") == "old")
    #expect(folder.names == ["talk.txt", "talk.wav"])
  }

  @Test func aMissingOutputFolderIsFoundBeforeTheWork() async throws {
    try folder.write("sound", to: "talk.wav")
    let result = try await LonghandProcess.run(
      "transcribe", "talk.wav", "-o", "none/talk.txt", in: folder.url)
    #expect(result.status == 1)
    #expect(result.errors.contains("There is no folder none. Create it: mkdir -p 'none'"))
  }

  @Test func outputsOfOneNameAreBadUsage() async throws {
    try folder.write("sound", to: "a/x.wav")
    try folder.write("sound", to: "b/x.wav")
    let result = try await LonghandProcess.run(
      "transcribe", "a/x.wav", "b/x.wav", "--output-dir", "out", in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("Both a/x.wav and b/x.wav would be written to out/x.txt."))
    #expect(!folder.has("out"))
  }

  @Test func emptyStandardInputIsAFailure() async throws {
    for arguments in [["-"], ["-", "--raw", "s16le:16000:1"]] {
      let result = try await LonghandProcess(["transcribe"] + arguments).result()
      #expect(result.status == 1)
      #expect(
        result.errors
          == "longhand: standard input: The input is empty. Check that the recording was completed.\n")
    }
  }

  @Test func aTerminalIsNoSound() async throws {
    var keyboard: Int32 = -1
    var screen: Int32 = -1
    try #require(openpty(&keyboard, &screen, nil, nil, nil) == 0)
    defer { close(keyboard) }
    let handle = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
    let result = try await LonghandProcess.run("transcribe", "-", input: .handle(handle))
    #expect(result.status == 2)
    #expect(result.errors.contains("Standard input is a terminal"))
  }

  /// The copy of standard input is private to the owner while it is there, and gone after every way out.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsTheWaitAndLeavesNothing(_ signal: Int32) async throws {
    let process = try LonghandProcess(
      ["transcribe", "-", "-o", "talk.txt"], input: .open, environment: ["TMPDIR": folder.url.path],
      in: folder.url)
    try await waitForSpool()
    process.send(signal)
    let result = try await process.result()
    #expect(result.status == 128 + signal)
    #expect(result.output.isEmpty)
    #expect(result.errors.isEmpty)
    #expect(folder.names.isEmpty)
  }

  @Test func aFullTemporaryFolderIsAFailure() async throws {
    let result = try await LonghandProcess.run(
      "transcribe", "-", input: .bytes(Data("sound".utf8)), environment: ["TMPDIR": folder.path("none")])
    #expect(result.status == 1)
    #expect(result.errors.contains("TMPDIR"))
  }

  private func waitForSpool() async throws {
    let end = ContinuousClock.now + .seconds(300)
    while folder.names.isEmpty, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
    try #require(!folder.names.isEmpty)
  }
}
