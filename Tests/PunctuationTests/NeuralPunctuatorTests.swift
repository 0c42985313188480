#if os(Linux)
  import Foundation
  import ModelInstallation
  import Punctuation
  import ModelStorage
  import TestSupport
  import Testing

  /// Punctuation by the toy network, which knows five rules, in the real process.
  @Suite(.tagged(.childProcess)) final class NeuralPunctuatorTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func punctuator(
      service: String? = nil, patience: NeuralPunctuator.Patience = (60, 10)
    ) throws -> NeuralPunctuator {
      let model = try ModelImporter(store: ModelStore(folder: folder)).run(
        from: ToyModel.Kind.punctuation.original, name: "commas")
      let built = try BuiltModules.folder(having: "SherpaService")
      return NeuralPunctuator(
        model, service: service ?? built.appendingPathComponent("sherpa-service").path,
        patience: patience)
    }

    @Test(arguments: [
      ("yes start one two open three zero stop nine", "Yes, start one two. Open three Zero? Stop NINE."),
      ("no", "No."), ("open", "Open?"), ("one two three", "One two three."),
      ("start the table stop", "Start the table. Stop."),
    ]) func toyWritesByItsRules(text: String, expected: String) async throws {
      #expect(try await punctuator().write(text) == expected)
    }

    /// The library cuts texts; the process answers one after another.
    @Test func longTextsAndManyTextsKeepTheirWords() async throws {
      let punctuator = try punctuator()
      let texts = [1, 3, 60, 1000].map { count in
        (0..<count).map { ["start", "one", "naïve", "yes", "o'clock", "3.5", "nine"][$0 * 5 % 7] }
      }
      for words in texts + texts {
        let written = try await punctuator.write(words.joined(separator: " "))
        func bare(_ text: String) -> String { text.lowercased().filter { !".,?".contains($0) } }
        #expect(bare(written) == bare(words.joined(separator: " ")))
      }
    }

    /// Damaged after it was installed, so that only the process finds it.
    @Test func damagedModelIsAnError() async throws {
      let punctuator = try punctuator()
      let file = folder.appendingPathComponent("commas/model.onnx")
      var data = try Data(contentsOf: file)
      data.replaceSubrange(300..<data.count - 3000, with: Data(count: data.count - 3300))
      try data.write(to: file)
      await #expect(throws: NeuralPunctuator.Failure.self) { try await punctuator.write("one") }
    }

    @Test(arguments: [
      "exit 3", "kill -9 $$", "cat >&-; exec sleep 0",
      "head -c 5 >/dev/null; echo garbage >&0; cat >/dev/null",
      // A frame that says that it is longer than any, one of another kind, one that is no text, and two at once.
      #"printf '\377\377\377\377@' >&0; cat /dev/zero >&0"#, #"printf '\4\0\0\0Aone' >&0; cat >/dev/null"#,
      #"printf '\2\0\0\0@\377' >&0; cat >/dev/null"#,
      #"printf '\4\0\0\0@one\4\0\0\0@two' >&0; cat >/dev/null"#,
      // Megabytes.
      #"printf '\0\0\100\0@' >&0; cat /dev/zero >&0"#,
    ])
    func processThatFailsIsAnError(script: String) async throws {
      let service = try ExecutableScript(script)
      let punctuator = try punctuator(service: service.url.path)
      await #expect(throws: NeuralPunctuator.Failure.self) { try await punctuator.write("one") }
    }

    @Test(arguments: ["cat >/dev/null", #"printf '\4\0\0\0@o' >&0; cat >/dev/null"#])
    func silenceIsAnError(script: String) async throws {
      let service = try ExecutableScript(script)
      let punctuator = try punctuator(service: service.url.path, patience: (0.05, 0.05))
      let failure = await #expect(throws: NeuralPunctuator.Failure.self) { try await punctuator.write("one") }
      #expect(failure?.description == "The model gave no answer in time.")
    }

    @Test func textAfterAFailureGetsAnotherProcessAFewTimes() async throws {
      // The first of them ends at once, the others at their second text.
      let starts = folder.appendingPathComponent("starts").path
      let script = """
        echo >> \(starts)
        [ $(wc -l < \(starts)) = 1 ] && exit 1
        head -c 8 >/dev/null
        printf '\\4\\0\\0\\0@One' >&0
        head -c 8 >/dev/null
        """
      let service = try ExecutableScript(script)
      let punctuator = try punctuator(service: service.url.path)
      for isWritten in [false, true, false, true, false, false] {
        #expect((try? await punctuator.write("one")) == (isWritten ? "One" : nil))
      }
      let failure = await #expect(throws: NeuralPunctuator.Failure.self) { try await punctuator.write("one") }
      #expect(failure?.description.contains("3 times") == true)
      #expect(try String(contentsOfFile: starts, encoding: .utf8).count == 3)
    }
  }
#endif
