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
        "longhand: folder: This folder has no audio or video files. With --recursive, the folders in it are searched too.",
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

  /// The permission is asked for before anything is recognized; no user decides on Linux, but tests can.
  @Test(arguments: [
    ("denied", "Settings > Privacy & Security > Speech Recognition"), ("restricted", "a profile"),
    ("notDetermined", "Answer the question"),
  ])
  func refusedPermissionIsAnErrorWithARemedy(_ status: String, _ remedy: String) async throws {
    let recordings = ToyModel.models.appendingPathComponent("recordings").path
    let result = try await LonghandProcess.run(
      "transcribe", "--json-errors", "\(recordings)/words-01.wav", "\(recordings)/words-02.wav",
      environment: ["SPEECH_AUTHORIZATION": status])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    // Every other file would fail in the same way.
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains(#""code":"not_authorized""#))
    #expect(result.errors.contains(remedy))
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

  @Test(.timeLimit(.minutes(1))) func inputWithoutAnEndIsRefused() async throws {
    let device = "This is a device, not an audio file. To record a microphone, run 'longhand record'."
    for (line, problem) in [
      ("longhand transcribe /dev/zero", "/dev/zero: \(device)"),
      ("longhand transcribe /dev/null", "/dev/null: \(device)"),
      ("longhand transcribe - </dev/urandom", "standard input: \(device)"),
      ("longhand transcribe --raw s16le:16000:1 - </dev/zero", "standard input: \(device)"),
      ("cat /dev/zero | longhand transcribe -", "The input begins with 64 KB of zeros"),
      ("longhand transcribe <(cat /dev/zero)", "The input begins with 64 KB of zeros"),
    ] {
      let result = try await LonghandProcess.shell(line, environment: ["TMPDIR": folder.url.path])
      #expect(result.status == 1, "\(line)")
      #expect(result.errors.contains(problem), "\(line): \(result.errors)")
      #expect(result.output.isEmpty)
      #expect(folder.names.isEmpty)
    }
  }

  @Test func languageThatIsNotInstalledIsAnsweredWithThoseThatAre() async throws {
    try folder.write("sound", to: "talk.wav")
    let result = try await LonghandProcess.run(
      "transcribe", "--locale", "en-GB", "talk.wav",
      environment: ["SPEECH_SYSTEM_MODEL_PATH": folder.path("none")], in: folder.url)
    #expect(result.status == 1)
    #expect(
      result.errors.hasPrefix("longhand: No installed model recognizes the language en-GB. Models that do: "))
    #expect(result.errors.contains("Install one with 'longhand models install "))
  }

  @Test func nameThatBeginsWithADashIsExplained() async throws {
    try folder.write("sound", to: "-old.wav")
    for name in ["-old.wav", "-none.wav"] {
      let result = try await LonghandProcess.run("transcribe", name, in: folder.url)
      #expect(result.status == 2)
      #expect(result.errors.contains("Write ./\(name), or write -- before the names of files."))
    }
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
