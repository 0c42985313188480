import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Speech

@Suite("Installation of models")
struct AssetInstallationTests {
  private static func request(_ store: AssetStore) async throws -> AssetInstallationRequest {
    try #require(
      try await AssetInventory.assetInstallationRequest(supporting: [ScriptedModule("en-US")], in: store))
  }

  /// Expects the installation to fail with an error and without a model.
  private static func expectFailure(_ store: AssetStore, _ fixture: AssetFixture, _ error: AssetError)
    async throws
  {
    let request = try await request(store)
    do {
      try await request.downloadAndInstall()
      Issue.record("The model was installed in spite of: \(error)")
    } catch let thrown as SFSpeechError {
      #expect(thrown.userInfo[NSUnderlyingErrorKey] as? AssetError == error)
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.model.path))
    #expect(await store.status(of: [AssetFixture.english]) == .supported)
  }

  /// The transfer of the largest file stops after 70 000 bytes until it is released.
  private static let held: [String: [String: Int]] = ["/en-us/en-us.lm.bin": ["hold": 70_000]]

  private static func waitUntilHeld(_ request: AssetInstallationRequest) async throws {
    while request.progress.fractionCompleted < 74.9 / 208 { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func modelIsCopiedFromAFolderOnce() async throws {
    let fixture = try AssetFixture()
    let store = fixture.store(.folder(fixture.source))
    let request = try await Self.request(store)
    #expect(fixture.entries.isEmpty)
    try await request.downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
    #expect(fixture.entries == ["en-us"])
    #expect(request.progress.fractionCompleted == 1)
    #expect(request.progress.isFinished)
    #expect(await store.status(of: [AssetFixture.english]) == .installed)
    let again = try await AssetInventory.assetInstallationRequest(
      supporting: [ScriptedModule("en-US")], in: store)
    #expect(again == nil)
    try FileManager.default.removeItem(at: fixture.source)
    try await request.downloadAndInstall()
  }

  @Test func incompleteModelIsReplaced() async throws {
    let fixture = try AssetFixture()
    try FileManager.default.createDirectory(at: fixture.model, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: fixture.model.appendingPathComponent("en-us.dict"))
    try await Self.request(fixture.store(.folder(fixture.source))).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
    #expect(fixture.entries == ["en-us"])
    #expect(!FileManager.default.fileExists(atPath: fixture.model.path + "/en-us.dict"))
  }

  @Test func fileThatDiffersFromTheManifestIsRefused() async throws {
    let fixture = try AssetFixture()
    let path = "en-us.lm.bin"
    var data = try #require(AssetFixture.files[path])
    data[1000] ^= 1
    try fixture.write(data, path: path)
    let store = fixture.store(.folder(fixture.source))
    try await Self.expectFailure(store, fixture, .wrongChecksum(path))
    try fixture.write(data.dropLast(), path: path)
    try await Self.expectFailure(store, fixture, .wrongSize("en-us/" + path))
    try fixture.write(data + data, path: path)
    try await Self.expectFailure(store, fixture, .wrongSize("en-us/" + path))
    try FileManager.default.removeItem(at: fixture.source.appendingPathComponent("en-us/" + path))
    try await Self.expectFailure(store, fixture, .notFound("en-us/" + path))
    try fixture.write(try #require(AssetFixture.files[path]), path: path)
    try await Self.request(store).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
  }

  @Test(.tagged(.childProcess)) func downloadReportsItsProgress() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(Self.held)
    let store = fixture.store(.server(server.address))
    let request = try await Self.request(store)
    #expect(server.requests.isEmpty)
    let installation = Task { try await request.downloadAndInstall() }
    try await Self.waitUntilHeld(request)
    #expect(await store.status(of: [AssetFixture.english]) == .downloading)
    // 5000 and 70 000 bytes of 208 000.
    let fraction = request.progress.fractionCompleted
    #expect(abs(fraction - 75.0 / 208) < 0.0001)
    #expect(!FileManager.default.fileExists(atPath: fixture.model.path))
    try server.release()
    try await installation.value
    #expect(fixture.isInstalledCompletely)
    #expect(request.progress.fractionCompleted == 1)
    #expect(request.progress.isFinished)
  }

  @Test func progressCountsEveryByteOnce() async throws {
    let fixture = try AssetFixture()
    let reports = Mutex<[Int64]>([])
    let installer = AssetInstaller(
      folder: fixture.models, source: .folder(fixture.source), locale: "en-US")
    try await installer.run { completed, total in
      #expect(total == 208_000)
      reports.withLock { $0.append(completed) }
    }
    let counts = reports.withLock { $0 }
    #expect(counts.first == 0)
    #expect(counts.last == 208_000)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(counts.contains(5000))
    #expect(counts.contains(205_000))
  }

  @Test(.tagged(.childProcess), arguments: [false, true])
  func interruptedDownloadContinuesAtLastByte(hasNoLength: Bool) async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(["/en-us/en-us.lm.bin": ["cut": [70_000, 50_000], "chunked": hasNoLength]])
    try await Self.request(fixture.store(.server(server.address))).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
    let requests = server.requests.filter { $0.contains("en-us.lm.bin") }
    #expect(requests == ["-", "bytes=70000-", "bytes=120000-"].map { "/en-us/en-us.lm.bin " + $0 })
  }

  @Test(.tagged(.childProcess)) func downloadRestartsWithoutSupportForRanges() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(["/en-us/en-us.lm.bin": ["cut": [70_000], "ignoreRange": true]])
    try await Self.request(fixture.store(.server(server.address))).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
  }

  @Test(.tagged(.childProcess)) func nextCallContinuesAndChecksTheEarlierPart() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    let store = fixture.store(.server(server.address))
    // The server sends 70 000 bytes and then nothing in all further attempts.
    try server.fail(["/en-us/en-us.lm.bin": ["cut": [70_000] + [Int](repeating: 0, count: 5)]])
    await #expect(throws: SFSpeechError.self) { try await Self.request(store).downloadAndInstall() }
    #expect(!FileManager.default.fileExists(atPath: fixture.model.path))
    try server.fail([:])
    let before = server.requests.count
    // One byte of the earlier part changes: only the checksum detects it.
    let hidden = try #require(fixture.entries.first { $0.hasSuffix(".partial") })
    let part = fixture.models.appendingPathComponent(hidden + "/en-us.lm.bin")
    var data = try Data(contentsOf: part)
    #expect(data.count == 70_000)
    data[5] ^= 1
    try data.write(to: part)
    try await Self.request(store).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
    #expect(fixture.entries == ["en-us"])
    let ranges = server.requests[before...].filter { $0.contains("lm.bin") }.map {
      String($0.split(separator: " ")[1])
    }
    #expect(ranges == ["bytes=70000-", "-"])
  }

  @Test(.tagged(.childProcess)) func wrongFileOfAServerIsNamed() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    let store = fixture.store(.server(server.address))
    try server.fail(["/en-us/manifest.json": ["status": 404]])
    try await Self.expectFailure(store, fixture, .refused("en-us/manifest.json", status: 404))
    try server.fail(["/en-us/en-us.lm.bin": ["status": 403]])
    try await Self.expectFailure(store, fixture, .refused("en-us/en-us.lm.bin", status: 403))
    try server.fail(["/en-us/en-us.lm.bin": ["extra": 100]])
    try await Self.expectFailure(store, fixture, .wrongSize("en-us/en-us.lm.bin"))
    try server.fail(["/en-us/en-us.lm.bin": ["extra": 100, "chunked": true]])
    try await Self.expectFailure(store, fixture, .wrongSize("en-us/en-us.lm.bin"))
    try server.fail([:])
    var data = try #require(AssetFixture.files["en-us.lm.bin"])
    data[0] ^= 1
    try fixture.write(data, path: "en-us.lm.bin")
    try await Self.expectFailure(store, fixture, .wrongChecksum("en-us.lm.bin"))
    #expect(fixture.entries.allSatisfy { $0.hasPrefix(".") })
  }

  @Test(.tagged(.childProcess), arguments: [false, true])
  func cancelledInstallationLeavesNothing(byProgress: Bool) async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(Self.held)
    let store = fixture.store(.server(server.address))
    let request = try await Self.request(store)
    let task = Task { try await request.downloadAndInstall() }
    try await Self.waitUntilHeld(request)
    if byProgress { request.progress.cancel() } else { task.cancel() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fixture.entries.isEmpty)
    #expect(await store.status(of: [AssetFixture.english]) == .supported)
    try server.fail([:])
    try await Self.request(store).downloadAndInstall()
    #expect(fixture.isInstalledCompletely)
  }

  @Test(.tagged(.childProcess)) func concurrentRequestsShareOneInstallation() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(Self.held)
    let store = fixture.store(.server(server.address))
    let first = try await Self.request(store)
    let second = try await Self.request(store)
    let one = Task { try await first.downloadAndInstall() }
    let two = Task { try await second.downloadAndInstall() }
    let three = Task { try await second.downloadAndInstall() }
    try await Self.waitUntilHeld(first)
    try await Self.waitUntilHeld(second)
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    try server.release()
    try await two.value
    try await three.value
    #expect(fixture.isInstalledCompletely)
    #expect(second.progress.isFinished)
    #expect(Set(server.requests).count == server.requests.count)
  }

  @Test(.tagged(.childProcess)) func requestDuringCancellationStartsAgain() async throws {
    let server = try FaultyFileServer()
    let fixture = try AssetFixture(source: server.root)
    try server.fail(Self.held)
    let store = fixture.store(.server(server.address))
    let first = try await Self.request(store)
    let one = Task { try await first.downloadAndInstall() }
    try await Self.waitUntilHeld(first)
    try server.fail([:])
    one.cancel()
    let two = Task {
      try await AssetInstallationRequest(locales: [AssetFixture.english], store: store).downloadAndInstall()
    }
    try await two.value
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(fixture.isInstalledCompletely)
  }
}
