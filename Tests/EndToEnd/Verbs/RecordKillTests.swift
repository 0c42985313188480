#if os(Linux)
  import Foundation
  import Longhand
  import ScriptedSpeech
  import TestSupport
  import Testing

  extension RecordingTests {
    /// A recording that is killed at any moment: at most a second of it is gone, and nothing that was written down.
    ///
    /// Spoken tones and a scripted service, so that every word is known; 200 times in `make soak`.
    @Suite struct RecordKillTests {
      private static let pause = 0.7

      /// Utterances with pauses and faint noise, and their words with their times.
      private static func speech() -> (samples: [Int16], words: [SpokenTones.Word]) {
        var samples = [Int16](repeating: 0, count: 8000)
        var words: [SpokenTones.Word] = []
        for utterance in [[0, 5, 11], [7], [3, 3, 20, 14], [9, 1], [22, 16, 2], [4, 18], [6, 13, 8]] {
          let offset = Double(samples.count) / 16_000
          let sound = SpokenTones.sound(of: utterance)
          for word in SpokenTones.words(in: sound) {
            words.append(.init(number: word.number, start: word.start + offset, end: word.end + offset))
          }
          samples += sound + [Int16](repeating: 0, count: Int(pause * 16_000))
        }
        var state: UInt32 = 7
        for index in samples.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          samples[index] = samples[index] &+ Int16(state >> 29) - 4
        }
        return (samples, words)
      }

      @Test(.timeLimit(.minutes(120))) func atMostASecondIsLostAndNothingThatWasSaid() async throws {
        let speech = Self.speech()
        var sawFinals = false
        var lost: [Double] = []
        for round in 0..<(isSoak ? 200 : 2) {
          // Beside other tests the whole machine may be late by as much again.
          let killed = try await KilledRecording(
            of: speech, engine: round % 2 == 0 ? "analyzer" : "rolling",
            after: .random(in: 0.3...Double(speech.samples.count) / 16_000), delay: isSoak ? 1 : 2)
          sawFinals = sawFinals || !killed.finals.isEmpty
          #expect(try await killed.recover() == [], "round \(round)")
          lost.append(killed.lost)
          if (round + 1) % 20 == 0 { print("\(round + 1) kills, at most \(lost.max() ?? 0) s lost") }
        }
        // Two kills can both come before the first final.
        #expect(sawFinals || !isSoak, "nothing was ever written down before the kill")
      }

      /// What goes wrong on purpose.
      enum Defect: CaseIterable { case sound, segment, recovery }

      /// The negative control: missing audio, a missing segment and a second recovery that changes something are detected.
      @Test(.timeLimit(.minutes(10)), arguments: Defect.allCases)
      func lossIsDetected(_ defect: Defect) async throws {
        let speech = Self.speech()
        // Until something was written down; how fast that is depends on the machine.
        var killed = try await KilledRecording(of: speech, engine: "analyzer", after: 4, delay: 2)
        for _ in 0..<5 where killed.finals.isEmpty {
          killed = try await KilledRecording(of: speech, engine: "analyzer", after: 30, delay: 2)
        }
        try #require(!killed.finals.isEmpty)
        switch defect {
        case .sound:
          let file = try FileHandle(forUpdating: try #require(killed.audio))
          let length = try file.seekToEnd()
          try file.truncate(atOffset: length > 96_080 ? length - 96_000 : 80)
          try file.close()
          #expect(try await killed.recover().contains { $0.hasPrefix("lost") })
        case .segment:
          try killed.change("DELETE FROM revision WHERE segment = (SELECT max(segment) FROM revision)")
          #expect(try await killed.recover().contains { $0.hasPrefix("words") || $0.hasPrefix("changed") })
        case .recovery:
          let session = killed
          let complaints = try await session.recover {
            try session.change("UPDATE revision SET start = start - 0.01")
          }
          #expect(complaints.count == 1)
          #expect(complaints.allSatisfy { $0.hasPrefix("second") })
        }
      }

    }
  }
#endif
