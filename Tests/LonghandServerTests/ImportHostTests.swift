import Foundation
import Longhand
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct ImportHostTests {
  private func withHost(free: Int64?, _ body: (ImportHost) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let hub = try LiveHub(library)
    defer { hub.stop() }
    let recoveries = RecoveryHost(library, options: .init(), hub: hub, waiting: WaitingSessions())
    try body(ImportHost(library, options: .init(), recoveries) { free })
  }

  @Test func fileThatDoesNotFitIsRefusedBeforeItIsSent() throws {
    try withHost(free: FormReceiver.reservedBytes + 1000) { host throws in
      #expect(throws: HTTPError.self) { try host.begin(name: "a.wav", size: 1001, modified: nil) }
      #expect(try host.begin(name: "a.wav", size: 1000, modified: nil).size == 1000)
      #expect(host.unfinished.count == 1)
    }
  }

  @Test(arguments: [0, -1, (64 << 30) + 1] as [Int64])
  func impossibleSizeIsRefused(_ size: Int64) throws {
    try withHost(free: nil) { host throws in
      #expect(throws: HTTPError.self) { try host.begin(name: "a.wav", size: size, modified: nil) }
      #expect(host.unfinished.isEmpty)
    }
  }

  /// It is stored, so that it would end each later server too.
  @Test func impossibleDateDoesNotEndServer() throws {
    try withHost(free: nil) { host throws in
      let upload = try host.begin(name: "a.wav", size: 10, modified: 1e300)
      let text = host.document(try host.upload(upload.id)).text
      #expect(text.contains("9223372036854775807"))
    }
  }

  @Test func sameFileContinuesItsUpload() throws {
    try withHost(free: nil) { host throws in
      let first = try host.begin(name: "a.wav", size: 10, modified: 5)
      #expect(try host.append(Data("abc".utf8), at: 0, to: first) == 3)
      #expect(try host.begin(name: "a.wav", size: 10, modified: 5).id == first.id)
      #expect(try host.begin(name: "a.wav", size: 10, modified: 6).id != first.id)
      #expect(try host.begin(name: "a.wav", size: 11, modified: 5).id != first.id)
    }
  }

  /// Transcribing again and separating voices, which a server was asked for before it ended.
  @Test func nextServerDoesWhatWasToBeDoneAgain() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("again-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let hub = try LiveHub(library)
    defer { hub.stop() }
    let session = RecordedSession(source: "a.wav", locale: "en-US", engine: "analyzer", start: .now)
    try library.store.begin(session)
    let requests: [PendingWork.Request] = [
      .speakers(.exactly(2)), .transcription(RecognitionChoice(vocabulary: "nosuch")),
    ]
    for request in requests {
      library.pendingWork.set(request, on: session.id)
      #expect(library.pendingWork.all == [session.id: request])
      let waiting = WaitingSessions()
      RecoveryHost(library, options: .init(), hub: hub, waiting: waiting).resumeWork()
      // It has no audio, and the library has no such vocabulary.
      #expect(await eventually { waiting.work(on: session.id)?.state == .failed })
      #expect(await eventually { library.pendingWork.all.isEmpty })
    }
  }
}
