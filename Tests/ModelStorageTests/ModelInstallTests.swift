import FileSupport
import Foundation
import ModelConversion
import ModelStorage
import Synchronization
import TestSupport
import Testing

@testable import ModelInstallation

/// Installation from a server, with everything that can go wrong on the way.
@Suite(.tagged(.childProcess)) struct ModelInstallTests {
  private let fixture: ModelFixture
  private let server: FaultyFileServer
  private let data: Data

  init() throws {
    fixture = try ModelFixture()
    server = try FaultyFileServer()
    var archive = TarArchive()
    try ModelFixture.add("toy-ctc", below: "toy/", to: &archive)
    archive.add("toy/test_wavs/0.wav", Data(count: 1000))
    data = archive.data
    try serve(data)
  }

  private func serve(_ data: Data) throws {
    try data.write(to: server.root.appendingPathComponent("toy.tar"))
  }

  private var entry: ModelCatalogue.Entry {
    get throws { try ModelFixture.entry(data, at: server.address.appendingPathComponent("toy.tar")) }
  }

  /// Expects an error, and nothing but hidden entries.
  private func expectFailure(
    _ kind: ModelError.Kind, _ text: String = "", entry: ModelCatalogue.Entry? = nil,
    _ change: (inout ModelInstaller) -> Void = { _ in }, line: Int = #line
  ) async throws {
    var installer = ModelInstaller(try entry ?? self.entry, store: fixture.store)
    change(&installer)
    do {
      _ = try await installer.run()
      Issue.record("The model was installed; line \(line)")
    } catch let error as ModelError {
      #expect(error.kind == kind, "\(error); line \(line)")
      #expect(text.isEmpty || error.problem.contains(text), "\(error); line \(line)")
    }
    #expect(fixture.entries.allSatisfy { $0.hasPrefix(".download-") }, "line \(line)")
    #expect(fixture.store.contents().broken.isEmpty)
    #expect(fixture.store.installed().isEmpty)
  }

  private var part: URL {
    get throws {
      fixture.store.folder.appendingPathComponent(".download-toy/\(try #require(entry.archive).sha256).part")
    }
  }

  @Test func modelIsInstalledWithWhatTheCatalogueSays() async throws {
    let steps = Mutex<[ModelInstaller.Step]>([])
    let model = try await ModelInstaller(try entry, store: fixture.store).run { step in
      steps.withLock { $0.append(step) }
    }
    #expect(fixture.entries == ["toy"])
    #expect(model.description.licence == .init(identifier: "MIT", attribution: "the tests"))
    #expect(model.description.source == (try entry.address?.absoluteString))
    #expect(model.description.files.map(\.name) == ["model.onnx", "tokens.txt"])
    try fixture.store.verify("toy")
    let seen = steps.withLock { $0 }
    #expect(seen.contains(.downloading(Int64(data.count))))
    #expect(seen.suffix(2) == [.checking, .unpacking])
    try await #require(throws: ModelError.self) {
      try await ModelInstaller(try entry, store: fixture.store).run()
    }
  }

  /// The networks of different publishers are one model.
  @Test func modelOfAnArchiveAndAFileIsInstalledWhole() async throws {
    let toy = ToyModel.Kind.speakers.original
    var archive = TarArchive()
    archive.add("toy/model.onnx", try Data(contentsOf: toy.appendingPathComponent("segmentation.onnx")))
    let embedding = try Data(contentsOf: toy.appendingPathComponent("embedding.onnx"))
    try serve(archive.data)
    try embedding.write(to: server.root.appendingPathComponent("voices.onnx"))
    var entry = try ModelFixture.entry(archive.data, at: server.address.appendingPathComponent("toy.tar"))
    entry.family = .speakers
    entry.languages = []
    entry.archive?.files = ["model.onnx"]
    entry.archive?.renamed = ["model.onnx": "segmentation.onnx"]
    entry.others = [
      .init(
        url: server.address.appendingPathComponent("voices.onnx"), bytes: Int64(embedding.count),
        sha256: String(repeating: "0", count: 64), name: "embedding.onnx")
    ]
    try await expectFailure(.malformed, "voices.onnx", entry: entry)
    entry.others?[0].sha256 = SHA256.hash(data: embedding).hexadecimal
    let model = try await ModelInstaller(entry, store: fixture.store).run()
    #expect(model.description.files.map(\.name) == ["embedding.onnx", "segmentation.onnx"])
    #expect(fixture.entries == ["toy"])
    #expect(fixture.store.speakers() == model)
  }

  @Test func brokenConnectionContinuesAtTheLastByte() async throws {
    try server.fail(["/toy.tar": ["cut": [100_000, 50_000]]])
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(server.requests == ["/toy.tar -", "/toy.tar bytes=100000-", "/toy.tar bytes=150000-"])
    #expect(fixture.entries == ["toy"])
  }

  @Test func serverWithoutRangesIsAskedForTheWholeFile() async throws {
    try server.fail(["/toy.tar": ["cut": [100_000], "ignoreRange": true]])
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(fixture.entries == ["toy"])
  }

  @Test func nextInstallationContinuesAndDoesNotTrustTheOldPart() async throws {
    try server.fail(["/toy.tar": ["cut": [100_000] + [Int](repeating: 0, count: 5)]])
    try await expectFailure(.network, "interrupted")
    var old = try Data(contentsOf: try part)
    #expect(old.count == 100_000)
    old[700] ^= 1
    try old.write(to: try part)
    try server.fail([:])
    let before = server.requests.count
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(server.requests[before...] == ["/toy.tar bytes=100000-", "/toy.tar -"])
    #expect(fixture.entries == ["toy"])
  }

  @Test func partThatTheServerCannotContinueIsStartedAgain() async throws {
    try FileManager.default.createDirectory(
      at: try part.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: 200_000).write(to: try part)
    // The server's file became shorter: 416, and then a file of another length.
    try serve(data.prefix(100_000))
    try await expectFailure(.malformed, "the publisher changed the file")
    #expect(server.requests == ["/toy.tar bytes=200000-", "/toy.tar -"])
    #expect(fixture.entries.isEmpty)
    try serve(data)
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(fixture.entries == ["toy"])
  }

  @Test func fileOfAnotherLengthIsRefused() async throws {
    try server.fail(["/toy.tar": ["extra": 100]])
    try await expectFailure(.malformed, "length")
    try server.fail(["/toy.tar": ["extra": 100, "chunked": true]])
    try await expectFailure(.malformed, "length")
    try server.fail([:])
    try serve(data.dropLast(512))
    try await expectFailure(.malformed, "length")
    #expect(fixture.entries.isEmpty)
  }

  @Test func fileWithAnotherDigestIsDeleted() async throws {
    var changed = data
    changed[1000] ^= 1
    try serve(changed)
    try await expectFailure(.malformed, "SHA-256")
    #expect(fixture.entries.isEmpty)
  }

  @Test func statusOfTheServerIsReported() async throws {
    try server.fail(["/toy.tar": ["status": 404]])
    try await expectFailure(.network, "404")
    try server.fail(["/toy.tar": ["status": 503]])
    try await expectFailure(.network, "503")
    #expect(fixture.entries.isEmpty)
  }

  @Test func redirectionLeadsOnlyToAllowedAddresses() async throws {
    for address in ["http://192.0.2.1/toy.tar", "ftp://127.0.0.1/toy.tar"] {
      try server.fail(["/toy.tar": ["redirect": address]])
      try await expectFailure(.network, "not allowed")
    }
    // Foundation takes the path of a file's address for one of the same server.
    try server.fail(["/toy.tar": ["redirect": "file:///etc/passwd"]])
    try await expectFailure(.network)
    #expect(fixture.entries.isEmpty)
    try data.write(to: server.root.appendingPathComponent("other.tar"))
    try server.fail(["/toy.tar": ["redirect": server.address.absoluteString + "/other.tar"]])
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(fixture.entries == ["toy"])
  }

  @Test func plainHTTPIsForThisComputerOnly() async throws {
    for text in [
      "http://192.0.2.1/toy.tar", "http://127.0.0.1.example.org/x", "ftp://127.0.0.1/x", "file:///x",
    ] {
      var entry = try self.entry
      entry.archive?.url = try #require(URL(string: text))
      try await expectFailure(.network, "not allowed", entry: entry)
      let catalogue = try JSONEncoder().encode(ModelCatalogue(models: [entry]))
      #expect(ModelFixture.kind { try ModelCatalogue.decode(catalogue, name: "test") } == .malformed)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func slowServerIsWaitedFor() async throws {
    try server.fail(["/toy.tar": ["pace": 0.005]])
    let counts = Mutex<[Int64]>([])
    _ = try await ModelInstaller(try entry, store: fixture.store).run { step in
      if case .downloading(let bytes) = step { counts.withLock { $0.append(bytes) } }
    }
    let seen = counts.withLock { $0 }
    #expect(seen.count > 10)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func diskWithoutSpaceIsNoticedBeforeTheDownload() async throws {
    try await expectFailure(.noSpace, "enough space") { $0.freeSpace = { _ in 60 << 20 } }
    #expect(server.requests.isEmpty)
    #expect(fixture.entries.isEmpty)
  }

  @Test func diskThatFillsIsNoticedDuringTheDownload() async throws {
    let calls = Mutex(0)
    try await expectFailure(.noSpace, "enough space") {
      $0.freeSpace = { _ in calls.withLock { calls in (calls += 1, calls == 1 ? Int64.max : 1000).1 } }
    }
    // The next attempt continues.
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(server.requests.count == 2)
    #expect(server.requests.last != "/toy.tar -")
  }

  @Test(arguments: [false, true]) func cancelledInstallationKeepsItsPartIfItMay(keepsPart: Bool) async throws
  {
    try server.fail(["/toy.tar": ["hold": 100_000]])
    let isHeld = Mutex(false)
    let installer = ModelInstaller(try entry, store: fixture.store, keepsPart: keepsPart)
    let task = Task {
      try await installer.run { step in
        if case .downloading(100_000) = step { isHeld.withLock { $0 = true } }
      }
    }
    #expect(await eventually { isHeld.withLock { $0 } })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fixture.entries == (keepsPart ? [".download-toy"] : []))
    #expect(fixture.store.contents().broken.isEmpty)
    try server.fail([:])
    _ = try await ModelInstaller(try entry, store: fixture.store).run()
    #expect(server.requests.last == (keepsPart ? "/toy.tar bytes=100000-" : "/toy.tar -"))
    #expect(fixture.entries == ["toy"])
  }

  @Test func installationThatAnotherProcessStopsIsContinuedByTheNext() async throws {
    #expect(try await !ModelInstaller.stop("toy", in: fixture.store))
    try server.fail(["/toy.tar": ["hold": 100_000]])
    let isHeld = Mutex(false)
    let installer = ModelInstaller(try entry, store: fixture.store)
    let task = Task {
      try await installer.run { step in
        if case .downloading(100_000) = step { isHeld.withLock { $0 = true } }
      }
    }
    #expect(await eventually { isHeld.withLock { $0 } })
    #expect(try await ModelInstaller.stop("toy", in: fixture.store))
    await #expect(throws: CancellationError.self) { try await task.value }
    try server.fail([:])
    _ = try await installer.run()
    #expect(server.requests.last == "/toy.tar bytes=100000-")
    #expect(fixture.entries == ["toy"])
  }

  @Test func twoInstallationsOfAModelDownloadItOnce() async throws {
    try server.fail(["/toy.tar": ["pace": 0.002]])
    let installer = ModelInstaller(try entry, store: fixture.store)
    async let first = installer.run()
    async let second = installer.run()
    #expect(try await first == second)
    #expect(server.requests == ["/toy.tar -"])
    #expect(fixture.entries == ["toy"])
  }

  @Test func archiveOfAnotherFamilyIsRefused() async throws {
    var entry = try self.entry
    entry.family = .nemoTransducer
    try await expectFailure(.malformed, "family", entry: entry)
    #expect(fixture.entries.isEmpty)
  }

  @Test func partOfAnEarlierVersionIsRemoved() async throws {
    let folder = try part.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 10).write(to: folder.appendingPathComponent(String(repeating: "0", count: 64) + ".part"))
    try server.fail(["/toy.tar": ["status": 404]])
    try await expectFailure(.network)
    #expect(fixture.entries.isEmpty)
  }

  /// A model that is published as files is fetched from the first address that has the right one.
  @Test func mirrorIsTriedWhereThePublisherFails() async throws {
    let source = fixture.folder.appendingPathComponent("source")
    let file = fixture.folder.appendingPathComponent("ggml.bin")
    try WhisperFixture().write(to: source)
    try WhisperConversion(folder: source.path).write(to: file.path)
    let data = try Data(contentsOf: file)
    var damaged = data
    damaged[damaged.count - 1] ^= 1
    for (name, data) in [("mirror.bin", data), ("damaged.bin", damaged)] {
      try data.write(to: server.root.appendingPathComponent(name))
    }
    let address = server.address
    func entry(_ names: [String]) throws -> ModelCatalogue.Entry {
      var entry = try self.entry
      entry.family = .whisperGGML
      entry.archive = nil
      entry.others = [
        .init(
          url: address.appendingPathComponent(names[0]),
          mirrors: names.dropFirst().map { address.appendingPathComponent($0) }, bytes: Int64(data.count),
          sha256: SHA256.hash(data: data).hexadecimal, name: "ggml-toy.bin")
      ]
      return entry
    }
    for first in ["missing.bin", "damaged.bin"] {
      let model = try await ModelInstaller(try entry([first, "mirror.bin"]), store: fixture.store).run()
      #expect(model.description.files.map(\.name) == ["ggml-toy.bin"])
      #expect(model.description.recognizer == "whisper")
      #expect(fixture.entries == ["toy"])
      try fixture.store.remove("toy")
    }
    await #expect(throws: ModelError.self) {
      try await ModelInstaller(try entry(["missing.bin", "damaged.bin"]), store: fixture.store).run()
    }
    #expect(fixture.store.installed().isEmpty)
  }
}
