#if os(Linux)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import LonghandArchive

  @Suite struct StoreConnectionTests {
    @Test func storeOpensNoReaderBeforeSomethingIsRead() throws {
      try StoreFixture.temporary { store in
        let session = try store.add(["one"])
        #expect(OpenFiles.count(of: store.file) == 1)
        for _ in 0..<3 { #expect(try store.page(of: session, limit: 1).count == 1) }
        #expect(OpenFiles.count(of: store.file) == 2)
      }
    }

    @Test func manyReadersAtOnceShareSmallPool() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try TranscriptStore(at: folder)
      let session = try store.add(["one"])
      let readers = StoreReaders.maxCount + 3
      let inside = Atomic(0)
      let gate = DispatchSemaphore(value: 0)
      let texts = Mutex<[[String]]>([])
      for _ in 0..<readers {
        // Threads, because they block.
        Thread.detachNewThread {
          let read = try? store.read { database in
            inside.add(1, ordering: .sequentiallyConsistent)
            gate.wait()
            return try database.rows("SELECT text FROM revision ORDER BY number") { $0.text(0) }
          }
          texts.withLock { $0.append(read ?? []) }
        }
      }
      #expect(await eventually { inside.load(ordering: .sequentiallyConsistent) == StoreReaders.maxCount })
      #expect(OpenFiles.count(of: store.file) == 1 + StoreReaders.maxCount)
      // A writer does not wait for readers.
      try store.append(StoreFixture.segment(1, "two"), to: session)
      for _ in 0..<readers { gate.signal() }
      #expect(await eventually { texts.withLock { $0.count } == readers })
      #expect(texts.withLock { $0 }.allSatisfy { $0.first == "one" })
      #expect(OpenFiles.count(of: store.file) == 1 + StoreReaders.maxCount)
    }

    /// For example because the library was deleted.
    @Test func readerDoesNotCreateFile() throws {
      try StoreFixture.temporary { store in
        try FileManager.default.removeItem(at: store.folder)
        #expect(throws: StoreError.self) { try store.sessions(limit: 1) }
        #expect(!FileManager.default.fileExists(atPath: store.folder.path))
      }
    }
  }
#endif
