import Foundation
import Testing

extension StoredSessionTests {
  /// `Examples/LiveTranscription`, run on real recordings.
  @Suite struct LiveTranscriptionTests {
    @Test func liveTranscriptionShowsVolatileTextAndThenTheFinalOne() async throws {
      let result = try await LonghandProcess.shell("LiveTranscription --fast '\(Recordings.long)'")
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let lines = result.outputLines
      let volatile = try lines.dropLast().map { line in
        let match = try #require(line.wholeMatch(of: /\.\.\. ([0-9.]+) s: (.+)/))
        return (heard: try #require(Double(match.1)), text: String(match.2))
      }
      #expect(volatile.count > 3)
      #expect(zip(volatile, volatile.dropFirst()).allSatisfy { $0.heard <= $1.heard })
      #expect((volatile.first?.text.count ?? 0) < (volatile.last?.text.count ?? 0))
      let final = try #require(lines.last)
      // Nothing volatile is left beside what is final.
      #expect(volatile.last?.text == final)
      #expect(try Recordings.errorRate(final, of: Recordings.long) < 0.6)
    }

    @Test func liveTranscriptionKeepsThePaceOfSpeech() async throws {
      let start = ContinuousClock.now
      let result = try await LonghandProcess.shell("LiveTranscription '\(Recordings.short)'")
      #expect(result.status == 0)
      #expect(ContinuousClock.now - start > .seconds(2.9))
      #expect(result.output.contains("... "))
    }

    @Test("Sound of a usual microphone is converted, and no buffer is lost")
    func liveTranscriptionConverts() async throws {
      let folder = try TemporaryFolder()
      let result = try await LonghandProcess.shell(
        """
        set -e
        ffmpeg -nostdin -v error -i '\(Recordings.long)' -ar 44100 -ac 2 voice.wav
        LiveTranscription --fast voice.wav
        """, in: folder.url)
      #expect(result.status == 0)
      let final = try #require(result.outputLines.last)
      #expect(try Recordings.errorRate(final, of: Recordings.long) < 0.6)
      #expect(result.output.contains("... 6."))
      #expect(!result.output.contains("... 7.2"))
    }
  }
}
