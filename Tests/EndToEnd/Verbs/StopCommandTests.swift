#if os(Linux)
  import Foundation
  import Longhand
  import TestSupport
  import Testing

  /// Stops work of other processes.
  @Suite(.tagged(.childProcess)) struct StopCommandTests {
    private static func library(_ library: KillableLibrary, begins isBegun: (Library) throws -> Bool) async {
      let opened = await eventually { (try? library.open()).map { (try? isBegun($0)) == true } == true }
      #expect(opened)
    }

    private static func hasText(_ library: Library) throws -> Bool {
      guard let session = try library.store.sessions().first else { return false }
      return try !library.store.page(of: session.id, limit: 1).isEmpty
    }

    @Test func importOfAnotherProcessStopsAndContinues() async throws {
      let library = try KillableLibrary.slow()
      let process = try library.start(["import", library.talk])
      await Self.library(library, begins: Self.hasText)
      let listed = try await library.run("stop")
      #expect(listed.output.contains(" transcribing "))
      #expect(listed.output.contains("talk.wav"))
      #expect(try await library.run("stop", "last").status == 0)
      let imported = try await process.result()
      #expect(imported.status == 1)
      #expect(imported.errors.contains("longhand recover"))
      #expect(try await library.run("sessions").output.contains(" stopped "))
      let store = try library.open()
      let session = try store.store.session(matching: "last")
      #expect(session.state == .stopped)
      #expect(Coverage(try store.coverageSpans(of: session)).pending > 0)
      #expect(try !store.transcript(of: session).segments.isEmpty)
      let idle = try await library.run("stop", "last")
      #expect(idle.status == 0)
      #expect(idle.errors.contains("Nothing is done"))

      try library.setSlow(false)
      let all = try await library.run("recover")
      #expect(all.status == 0)
      #expect(all.output.isEmpty)
      #expect(try await library.run("recover", "last").status == 0)
      let whole = try store.store.session(matching: "last")
      #expect(try library.complaints(about: whole, in: store) == [])
    }

    @Test func sessionThatIsTranscribedIsStoppedBeforeItIsDeleted() async throws {
      let library = try KillableLibrary.slow()
      let process = try library.start(["import", library.talk])
      await Self.library(library, begins: Self.hasText)
      let refused = try await library.run("delete", "last")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("longhand stop"))
      #expect(try await library.run("delete", "last", "--force").status == 0)
      #expect(try await process.result().status == 1)
      #expect(try library.open().store.sessions().isEmpty)
      #expect(library.recordings.isEmpty)
    }

    @Test func retranscriptionStopsAndLeavesTheSessionAsItWas() async throws {
      let library = try KillableLibrary.slow()
      try library.setSlow(false)
      #expect(try await library.run("import", library.talk).status == 0)
      let before = try await library.run("show", "last").output
      try library.setSlow(true)
      let process = try library.start(["retranscribe", "last"])
      await Self.library(library) { try $0.isInUse($0.store.session(matching: "last").id) }
      #expect(try await library.run("stop", "last").status == 0)
      #expect(try await process.result().status == 1)
      #expect(try await library.run("show", "last").output == before)
      #expect(try library.open().store.session(matching: "last").state == .complete)
    }
  }
#endif
