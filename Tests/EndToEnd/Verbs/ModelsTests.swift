#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import LonghandCommand

  /// `longhand models`, with a catalogue whose only model comes from a server on this computer.
  @Suite(.tagged(.childProcess)) struct ModelsTests {
    private let folder: TemporaryFolder
    private let server: FaultyFileServer

    private static let toys = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Models").standardized.path

    private var environment: [String: String] {
      [
        "SPEECH_MODEL_PATH": folder.path("models"), "SPEECH_SYSTEM_MODEL_PATH": "",
        "SPEECH_MODEL_CATALOGUE": folder.path("catalogue.json"),
      ]
    }

    /// All entries of the folder of models, hidden ones too.
    private var entries: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("models"))) ?? []).sorted()
    }

    init() async throws {
      folder = try TemporaryFolder()
      server = try FaultyFileServer()
      let archive = server.root.path + "/toy.tar.bz2"
      let made = try await LonghandProcess.shell(
        "tar -C \(Self.toys) -cjf \(archive) toy-ctc && sha256sum \(archive)")
      let digest = made.output.prefix(64)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: archive)).count
      try folder.write(
        """
        {"models": [{"name": "toy", "family": "nemo-ctc", "languages": ["en"], "isPunctuated": false,
          "licence": {"identifier": "CC-BY-4.0", "attribution": "the tests"},
          "licenceText": "https://example.org/licence", "recommendation": "a toy",
          "wordErrors": {"percent": 7.5, "source": "nobody"},
          "archive": {"url": "\(server.address.absoluteString)/toy.tar.bz2", "bytes": \(bytes),
            "sha256": "\(digest)", "files": ["*.onnx", "tokens.txt"]}}]}
        """, to: "catalogue.json")
    }

    private func run(_ arguments: String...) async throws -> LonghandProcess.Result {
      try await LonghandProcess(["models"] + arguments, environment: environment).result()
    }

    private struct List: Decodable {
      struct Row: Decodable {
        let name: String
        let installed: Bool
        let problem: String?
        let sha256: String?
      }
      let models: [Row]
    }

    private func list() async throws -> [List.Row] {
      let result = try await run("list", "--json")
      return try JSONDecoder().decode(List.self, from: Data(result.output.utf8)).models
    }

    @Test func modelIsInstalledCheckedShownAndRemoved() async throws {
      let before = try await run("list")
      #expect(before.output.contains("Installed:\n  none\n"))
      #expect(before.output.contains("* toy  "))
      #expect(before.output.contains("7.5 % word errors: nobody"))
      #expect(try await list().map(\.installed) == [false])

      let installed = try await run("install", "toy", "--yes")
      #expect(installed.status == 0)
      #expect(installed.output.hasPrefix("Installed toy ("))
      for words in ["127.0.0.1", "MB", "CC-BY-4.0", "the tests", "https://example.org/licence"] {
        #expect(installed.errors.contains(words))
      }
      #expect(entries == ["toy"])
      #expect(try await run("list").output.contains("Installed:\n* toy  "))
      let sums = try await LonghandProcess.shell(
        "cd \(folder.path("models"))/toy && sha256sum model.onnx tokens.txt | sha256sum")
      #expect(try await list().first?.sha256 == String(sums.output.prefix(64)))

      let verified = try await run("verify")
      #expect(verified.status == 0)
      #expect(verified.output == "toy: whole\n")
      let licence = try await run("licence", "toy")
      #expect(
        licence.output.hasPrefix("toy: CC-BY-4.0\nName: the tests\nText: https://example.org/licence\n"))
      let again = try await run("install", "toy", "--yes")
      #expect(again.status == 1)
      #expect(again.errors.contains("longhand models remove toy"))

      #expect(try await run("remove", "toy").status == 0)
      #expect(entries.isEmpty)
      let missing = try await run("remove", "toy")
      #expect(missing.status == 1)
      #expect(missing.errors.contains("not installed"))
    }

    @Test func damagedModelIsReportedAndRemoved() async throws {
      let imported = try await run("import", Self.toys + "/toy-tdt", "--name", "mine", "--language", "en,de")
      #expect(imported.status == 0)
      let languages = "English (en), German (de)"
      #expect(
        imported.errors.contains("From now on it is used for \(languages), where no other model is named."))
      let file = folder.path("models/mine/joiner.onnx")
      var data = try Data(contentsOf: URL(fileURLWithPath: file))
      data[1000] ^= 1
      try data.write(to: URL(fileURLWithPath: file))
      let verified = try await run("verify", "mine")
      #expect(verified.status == 1)
      #expect(verified.output.contains("mine: damaged: "))
      #expect(verified.output.contains("longhand models remove mine"))
      try FileManager.default.removeItem(atPath: file)
      #expect(try await run("list").output.contains("cannot be used: The file joiner.onnx is missing."))
      #expect(try await run("remove", "mine").status == 0)
      #expect(entries.isEmpty)
    }

    @Test func modelOfARetiredFamilyIsNamedWithWhatToDo() async throws {
      #expect(
        try await run("import", Self.toys + "/toy-tdt", "--name", "old", "--language", "en").status == 0)
      let file = URL(fileURLWithPath: folder.path("models/old/model.json"))
      let text = try String(contentsOf: file, encoding: .utf8).replacing("nemo-transducer", with: "whisper")
      try Data(text.utf8).write(to: file)
      let reason = "Whisper in the format ONNX, which is no longer supported."
      let listed = try await run("list")
      #expect(listed.output.contains("old "))
      #expect(
        listed.output.contains("cannot be used: The model in \(folder.path("models/old")) is \(reason)"))
      let verified = try await run("verify")
      #expect(verified.status == 1)
      #expect(verified.output.contains("old: cannot be used: "))
      #expect(verified.output.contains("run 'longhand models install whisper-base'"))
      #expect(!verified.output.contains("models remove"))
      let used = try await LonghandProcess(
        ["transcribe", "--model", "old", "talk.wav"], environment: environment
      ).result()
      #expect(used.errors.contains("The model 'old' cannot be used: "))
      #expect(used.errors.contains("run 'longhand models install whisper-base'"))
      #expect(entries == ["old"])
      #expect(try await run("remove", "old").status == 0)
    }

    @Test func modelsThatRecognizeNothingAreListedWithWhatTheyDo() async throws {
      let result = try await LonghandProcess(
        ["models", "list"], environment: environment.merging(["SPEECH_MODEL_CATALOGUE": ""]) { $1 }
      ).result()
      let lines = result.output.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("  speakers ") && $0.contains("  separates speakers, ") })
      #expect(
        lines.contains { $0.hasPrefix("  punctuation-en ") && $0.contains("  writes English punctuation, ") })
      let languages = "  English (en), Chinese (zh), German (de) and 96 more languages, "
      #expect(lines.contains { $0.hasPrefix("  whisper-small ") && $0.contains(languages) })
    }

    @Test func licenceOfACatalogueDoesNothingToTheTerminal() async throws {
      let catalogue = try String(contentsOfFile: folder.path("catalogue.json"), encoding: .utf8)
      try folder.write(
        catalogue.replacing("CC-BY-4.0", with: "CC\\u001b[31m-BY"), to: "catalogue.json")
      let result = try await run("list")
      #expect(result.output.contains("CC\\u{1b}[31m-BY licence"))
      #expect(!result.output.contains("\u{1B}"))
    }

    @Test func noQuestionIsAskedWithoutATerminal() async throws {
      let result = try await run("install", "toy")
      #expect(result.status == 2)
      #expect(result.errors.contains("--yes"))
      #expect(server.requests.isEmpty)
    }

    /// The progress is drawn, and "no" installs nothing.
    @Test func installationOnATerminalAsksAndShowsProgress() async throws {
      let variables = environment.merging(["TERM": "xterm"]) { $1 }
      func answer(_ word: String) async throws -> LonghandProcess.Result {
        try await LonghandProcess.shell(
          "echo \(word) | script -qec 'longhand models install toy' /dev/null", environment: variables)
      }
      let refused = try await answer("n")
      #expect(refused.status == 1)
      #expect(refused.output.contains("127.0.0.1"))
      #expect(refused.output.contains("CC-BY-4.0"))
      #expect(server.requests.isEmpty)
      #expect(entries.isEmpty)
      let accepted = try await answer("y")
      #expect(accepted.status == 0)
      #expect(accepted.output.contains("100%"))
      #expect(accepted.output.contains("Installed toy ("))
      #expect(entries == ["toy"])
    }

    @Test(arguments: [
      (["install", "tyo", "--yes"], Int32(1), "Did you mean 'toy'?"),
      (["licence", "toyy"], 1, "Did you mean 'toy'?"),
      (["verify", "toy"], 1, "not installed"), (["import", "/nonexistent"], 1, "No such file"),
      (["import", "x", "--name", "../x"], 2, "cannot be the name"),
      (["instal"], 2, "Did you mean 'install'?"),
      ([], 2, "longhand models list"), (["list", "x"], 2, "Unexpected argument"),
      (["remove"], 2, "NAME is missing"), (["list", "--name", "x"], 2, "only for import"),
      (["import", toys + "/toy-ctc"], 2, "--language en"),
    ])
    func mistakeIsOneLineThatSaysWhatToDo(arguments: [String], status: Int32, words: String) async throws {
      let result = try await LonghandProcess(["models"] + arguments, environment: environment).result()
      #expect(result.status == status)
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(result.errorLines.count == 1)
      #expect(result.output.isEmpty)
    }

    @Test func interruptedInstallationContinues() async throws {
      try server.fail(["/toy.tar.bz2": ["hold": 100_000]])
      let process = try LonghandProcess(["models", "install", "toy", "-y"], environment: environment)
      #expect(await eventually { partSize == 100_000 })
      process.send(SIGINT)
      #expect(try await process.result().status == 130)
      #expect(entries == [".download-toy"])
      #expect(try await list().map(\.installed) == [false])
      try server.fail([:])
      #expect(try await run("install", "toy", "--yes").status == 0)
      #expect(server.requests.last == "/toy.tar.bz2 bytes=100000-")
      #expect(entries == ["toy"])
    }

    private var partSize: Int {
      let part = folder.path("models/.download-toy")
      let name = (try? FileManager.default.contentsOfDirectory(atPath: part))?.first ?? ""
      let attributes = try? FileManager.default.attributesOfItem(atPath: part + "/" + name)
      return (attributes?[.size] as? NSNumber)?.intValue ?? -1
    }

    @Test func fullDiskIsReportedAndLeavesNoModel() async throws {
      // 100 blocks of 1024 bytes are less than the archive; 420 are less than the network in it.
      for room in [100, 420] {
        let result = try await LonghandProcess.shell(
          "trap '' XFSZ; ulimit -f \(room); exec longhand models install toy --yes", environment: environment)
        #expect(result.status == 1)
        #expect(result.errors.contains("The disk is full"), "\(result.errors)")
        #expect(entries == [".download-toy"])
      }
      #expect(try await list().map(\.installed) == [false])
      #expect(try await run("install", "toy", "--yes").status == 0)
      #expect(entries == ["toy"])
    }

    /// After a kill at any moment the model is there as a whole, or not at all; and the next command completes it.
    @Test(.timeLimit(.minutes(30))) func killedInstallationLeavesNothingHalfInstalled() async throws {
      try server.fail(["/toy.tar.bz2": ["pace": 0.004]])
      let start = ContinuousClock.now
      #expect(try await run("install", "toy", "--yes").status == 0)
      let length = Int((ContinuousClock.now - start) / .milliseconds(1))
      var random = SystemRandomNumberGenerator()
      for round in 0..<(isSoak ? 50 : 3) {
        if round.isMultiple(of: 5) { try? FileManager.default.removeItem(atPath: folder.path("models")) }
        if entries.contains("toy") { #expect(try await run("remove", "toy").status == 0) }
        let process = try LonghandProcess(["models", "install", "toy", "--yes"], environment: environment)
        let moment = Int.random(in: 0...length, using: &random)
        try await Task.sleep(for: .milliseconds(moment))
        process.send(SIGKILL)
        _ = try await process.result()
        let rows = try await list()
        #expect(rows.allSatisfy { $0.problem == nil }, "after \(moment) ms")
        if rows.contains(where: \.installed) {
          #expect(try await run("verify", "toy").status == 0, "after \(moment) ms")
        }
      }
      if !entries.contains("toy") { #expect(try await run("install", "toy", "--yes").status == 0) }
      #expect(entries.filter { !$0.hasPrefix(".") } == ["toy"])
      #expect(try await run("verify", "toy").status == 0)
      // Whatever the killed ones left is gone with the next change.
      #expect(try await run("import", Self.toys + "/toy-tdt", "--language", "en").status == 0)
      #expect(entries == ["toy", "toy-tdt"] || entries == [".download-toy", "toy", "toy-tdt"])
    }
  }
#endif
