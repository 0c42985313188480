import Foundation
import ModelStorage
import TestSupport
import Testing

@testable import Speech

@Suite("Installation of models", .tagged(.childProcess))
struct AssetInstallationTests {
  private static func waitUntilHeld(_ request: AssetInstallationRequest, _ fixture: AssetFixture) async throws
  {
    let fraction = 69_999 / Double(fixture.archive.count)
    while request.progress.fractionCompleted < fraction { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func downloadReportsItsProgress() async throws {
    let fixture = try AssetFixture()
    try fixture.hold()
    let request = try #require(try await fixture.request())
    #expect(fixture.server.requests.isEmpty)
    let installation = Task { try await request.downloadAndInstall() }
    try await Self.waitUntilHeld(request, fixture)
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .downloading)
    let fraction = request.progress.fractionCompleted
    #expect(abs(fraction - 70_000 / Double(fixture.archive.count)) < 0.0001)
    try fixture.server.release()
    try await installation.value
    #expect(fixture.entries == ["toy"])
    #expect(request.progress.fractionCompleted == 1)
    #expect(request.progress.isFinished)
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .installed)
  }

  @Test func languageOfTheEmbeddedRecognizerIsInstalledFromTheCatalogue() async throws {
    let fixture = try AssetFixture(hasEmbedded: false)
    #expect(await fixture.store.status(of: [AssetFixture.english]) == .supported)
    try await #require(try await fixture.request("en-US")).downloadAndInstall()
    #expect(await fixture.store.status(of: [AssetFixture.english]) == .installed)
    #expect(try await fixture.request("en-US") == nil)
  }

  @Test func nextCallContinuesTheDownload() async throws {
    let fixture = try AssetFixture()
    // The server sends 70 000 bytes and then nothing in all further attempts.
    try fixture.server.fail([AssetFixture.path: ["cut": [70_000] + [Int](repeating: 0, count: 5)]])
    await #expect(throws: SFSpeechError.self) { try await fixture.request()?.downloadAndInstall() }
    #expect(fixture.entries.allSatisfy { $0.hasPrefix(".") })
    try fixture.server.fail([:])
    let before = fixture.server.requests.count
    try await fixture.request()?.downloadAndInstall()
    #expect(fixture.entries == ["toy"])
    #expect(fixture.server.requests[before...] == ["\(AssetFixture.path) bytes=70000-"])
  }

  @Test func fileThatDiffersFromTheCatalogueIsRefused() async throws {
    let fixture = try AssetFixture()
    var data = fixture.archive
    data[1000] ^= 1
    try data.write(to: fixture.server.root.appendingPathComponent(AssetFixture.path))
    let error = await #expect(throws: SFSpeechError.self) {
      try await fixture.request()?.downloadAndInstall()
    }
    #expect(error?.code == .noModel)
    #expect((error?.userInfo[NSUnderlyingErrorKey] as? ModelError)?.kind == .malformed)
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .supported)
  }

  @Test(arguments: [false, true])
  func cancelledInstallationLeavesNothing(byProgress: Bool) async throws {
    let fixture = try AssetFixture()
    try fixture.hold()
    let request = try #require(try await fixture.request())
    let task = Task { try await request.downloadAndInstall() }
    try await Self.waitUntilHeld(request, fixture)
    if byProgress { request.progress.cancel() } else { task.cancel() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fixture.entries.isEmpty)
    #expect(await fixture.store.status(of: [AssetFixture.german]) == .supported)
    try fixture.server.fail([:])
    try await fixture.request()?.downloadAndInstall()
    #expect(fixture.entries == ["toy"])
  }

  @Test func concurrentRequestsShareOneInstallation() async throws {
    let fixture = try AssetFixture()
    try fixture.hold()
    let first = try #require(try await fixture.request())
    let second = try #require(try await fixture.request())
    let one = Task { try await first.downloadAndInstall() }
    let two = Task { try await second.downloadAndInstall() }
    let three = Task { try await second.downloadAndInstall() }
    try await Self.waitUntilHeld(first, fixture)
    try await Self.waitUntilHeld(second, fixture)
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    try fixture.server.release()
    try await two.value
    try await three.value
    #expect(fixture.entries == ["toy"])
    #expect(second.progress.isFinished)
    #expect(fixture.server.requests.count == 1)
  }

  @Test func requestDuringCancellationStartsAgain() async throws {
    let fixture = try AssetFixture()
    try fixture.hold()
    let first = try #require(try await fixture.request())
    let one = Task { try await first.downloadAndInstall() }
    try await Self.waitUntilHeld(first, fixture)
    try fixture.server.fail([:])
    one.cancel()
    let store = fixture.store
    let two = Task {
      try await AssetInstallationRequest(locales: [AssetFixture.german], store: store).downloadAndInstall()
    }
    try await two.value
    await #expect(throws: CancellationError.self) { try await one.value }
    #expect(fixture.entries == ["toy"])
  }
}
