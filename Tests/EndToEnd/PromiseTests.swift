import Foundation
import Longhand
import Synchronization
import TestSupport
import Testing

extension StoredSessionTests {
  /// What Longhand promises, checked on the built command and real recordings.
  @Suite struct PromiseTests {
    private struct Document: Decodable {
      struct Segment: Decodable {
        var text: String
        var alternatives: [Alternative]
        var selection: Selection
      }

      struct Alternative: Decodable { var text: String }
      struct Selection: Decodable { var index: Int }

      var text: String
      var duration: Double
      var segments: [Segment]
      var coverage: Coverage
    }

    private func transcribe(_ recording: String) async throws -> Document {
      let result = try await Recordings.transcribed(recording, "--format", "json")
      #expect(result.status == 0)
      return try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
    }

    @Test func everyTextIsACandidateOfTheRecognizer() async throws {
      let document = try await transcribe(Recordings.long)
      #expect(!document.segments.isEmpty)
      for segment in document.segments {
        try #require(segment.alternatives.indices.contains(segment.selection.index))
        #expect(segment.alternatives[segment.selection.index].text == segment.text)
      }
      #expect(document.segments.map(\.text).joined(separator: " ") == document.text)
    }

    @Test(arguments: Recordings.paths) func everySecondIsAccountedFor(_ recording: String) async throws {
      let document = try await transcribe(recording)
      let parts = document.coverage
      let seconds = [
        parts.transcribed, parts.silent, parts.wordless, parts.nonspeech, parts.pending, parts.failed,
        parts.gaps,
      ]
      #expect(abs(seconds.reduce(0, +) - document.duration) < 0.01)
      #expect(seconds.allSatisfy { $0 >= 0 })
      #expect(parts.transcribed > 0)
    }

    #if os(Linux)
      /// Looks at the open files of the command and of what it starts, again and again.
      @Test func noSocketReachesTheNetwork() async throws {
        // Without what other tests have open at the moment and hand down: it is none that the command opened.
        let line = """
          for file in /proc/$$/fd/*; do
            number=${file##*/}
            if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
          done
          exec longhand transcribe --jobs 2 \(Recordings.sample.joined(separator: " "))
          """
        let process = try LonghandProcess([line], shell: true)
        #expect(await eventually { !process.isRunning || process.program == LonghandProcess.executable.path })
        let result = Task { try await process.result() }
        let all = Mutex<Set<String>>([])
        let beyond = Mutex<Set<String>>([])
        await process.watch {
          all.withLock { $0.formUnion(OpenSockets.ofTree(under: process.identifier)) }
          beyond.withLock { $0.formUnion(OpenSockets.beyondThisMachine(under: process.identifier)) }
          return true
        }
        #expect(try await result.value.status == 0)
        // The negative control: the pair of sockets between the command and its service is found.
        #expect(!all.withLock(\.self).isEmpty)
        #expect(beyond.withLock(\.self) == [])
      }

      /// However many local sockets the machine has, none of them is taken for one that reaches further.
      @Test func localSocketsAreKnown() throws {
        var ends: [Int32] = []
        defer { for end in ends { close(end) } }
        for _ in 0..<100 {
          var pair: [Int32] = [-1, -1]
          try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
          ends += pair
        }
        let own = ends.map { end in
          var status = stat()
          return fstat(end, &status) == 0 ? "\(status.st_ino)" : "none"
        }
        #expect(OpenSockets.local().isSuperset(of: own))
      }
    #endif
  }
}
