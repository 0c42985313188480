import Foundation
import Longhand
import Synchronization
import TestSupport
import Testing

@testable import LonghandServer

@Suite struct ImportHostTests {
  private func withHost(
    free: Int64?, options: TranscriptionOptions = .init(), _ body: (ImportHost) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try Library(at: folder)
    let hub = try LiveHub(library)
    defer { hub.stop() }
    let recoveries = RecoveryHost(library, options: .init(), hub: hub, waiting: WaitingSessions())
    try body(ImportHost(library, options: options, recoveries) { free })
  }

  /// A second of a tone in Sun's format. Each number has other bytes.
  private static func tone(_ number: Int) -> Data {
    let header: [UInt32] = [0x2E73_6E64, 24, .max, 3, 16_000, 1]
    var file = Data(header.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } })
    for frame in 0..<16_000 { file += [frame % 40 < 20 ? UInt8(10 + number) : UInt8(240 - number), 0] }
    return file
  }

  /// Else the session is there without a name, and does not get the next one.
  @Test(arguments: ["last", "one\ntwo", " ", String(repeating: "a", count: 201), UUID().uuidString])
  func impossibleNameIsRefusedBeforeTheImport(_ name: String) async throws {
    try await TestServer.run { server in
      let body =
        Data("--b\r\nContent-Disposition: form-data; name=name\r\n\r\n\(name)\r\n".utf8)
        + Data("--b\r\nContent-Disposition: form-data; name=file; filename=a.au\r\n\r\n".utf8)
        + Self.tone(0) + Data("\r\n--b--".utf8)
      let answer = try server.ask(
        "POST", "/api/sessions", ["Content-Type": "multipart/form-data; boundary=b"], body: body)
      #expect(answer.status == 400)
      #expect((answer.json["error"] as? [String: Any])?["param"] as? String == "name")
      #expect(try server.library.store.sessions().isEmpty)
      #expect(server.library.uploads.all.isEmpty)
    }
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

  private static var withoutModel: TranscriptionOptions {
    var options = TranscriptionOptions()
    options.model = .named("nosuch")
    return options
  }

  /// A model that was removed meanwhile is no fault of a file: what was received is kept, and not asked for again.
  @Test func fileThatCannotBeImportedNowIsKept() throws {
    try withHost(free: nil, options: Self.withoutModel) { host throws in
      let file = Self.tone(0)
      let size = Int64(file.count)
      let upload = try host.begin(name: "a.au", size: size, modified: 5)
      #expect(try host.append(file, at: 0, to: upload) == size)
      for _ in 0..<2 {
        let error = #expect(throws: HTTPError.self) { try host.finish(upload) }
        #expect(error?.status == .unavailable)
        #expect(error?.code == "not_importable")
        #expect(error?.message.contains("file with audio") == false)
        let again = try host.begin(name: "a.au", size: size, modified: 5)
        #expect(again.id == upload.id)
        #expect(try host.append(Data(), at: size, to: again) == size)
      }
    }
  }

  /// Who has the file tries it again: a client, and the watched folder, which never tries an undecodable one again.
  @Test func wholeFileThatCannotBeImportedNowIsNotUndecodable() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tone-\(UUID().uuidString)")
    try Self.tone(0).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let file = try FileHandle(forReadingFrom: path)
    try withHost(free: nil, options: Self.withoutModel) { host throws in
      let error = #expect(throws: HTTPError.self) {
        try host.take(file.fileDescriptor, named: "a.au", choice: nil, modified: 5)
      }
      #expect(error?.status == .unavailable)
      #expect(error?.code == "not_importable")
    }
  }

  /// Each server would look for the file before the other one has stored its session.
  @Test(.tagged(.childProcess)) func oneFileThatTwoServersReceiveAtOnceIsOneSession() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("twice-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let libraries = try (0..<2).map { _ in try Library(at: folder) }
    let hubs = try libraries.map { try LiveHub($0) }
    let recoveries = zip(libraries, hubs).map {
      RecoveryHost($0, options: .init(), hub: $1, waiting: WaitingSessions())
    }
    let hosts = zip(libraries, recoveries).map { ImportHost($0, options: .init(), $1) { nil } }
    for round in 0..<5 {
      let file = Self.tone(round)
      let uploads = try hosts.map { host in
        let upload = try host.begin(name: "a.wav", size: Int64(file.count), modified: nil)
        _ = try host.append(file, at: 0, to: upload)
        return upload
      }
      let ids = Mutex<[ImportHost.Imported]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        guard let imported = try? hosts[index].finish(uploads[index]) else { return }
        ids.withLock { $0.append(imported) }
      }
      let imported = ids.withLock(\.self)
      #expect(imported.count == 2)
      #expect(Set(imported.map(\.id)).count == 1, "round \(round)")
      #expect(imported.count(where: \.isDuplicate) == 1)
      #expect(try libraries[0].store.sessions().count == round + 1)
    }
    for host in recoveries { await host.stop() }
    for hub in hubs { hub.stop() }
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
