#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import Synchronization
  import TestSupport
  import Testing

  extension RecordingTests {
    /// A long recording, handed in as fast as it is taken, whose recognizer is scripted, so that every word is known;
    /// two thirds of it are silence. Eight hours of it with both engines in `make soak`.
    @Suite struct RecordEnduranceTests {
      private static let hours = isSoak ? 8 : 0.05
      /// Megabytes an hour.
      private static let mostGrowth = 1.0

      /// Sends audio, on a thread of its own, until it is stopped.
      private final class Talk: Sendable {
        private struct State {
          var frames = 0
          var words: [Int] = []
          var isStopped = false
        }

        private let state = Mutex(State())

        var hours: Double { state.withLock { Double($0.frames) } / 16_000 / 3600 }
        var words: [Int] { state.withLock(\.words) }
        func stop() { state.withLock { $0.isStopped = true } }

        /// - Parameter wanted: after so many hours no faster than people speak.
        init(into pipe: FileHandle, fast wanted: Double) {
          Thread.detachNewThread {
            var random = SystemRandomNumberGenerator()
            var round = 0
            while !self.state.withLock(\.isStopped) {
              let words = (0..<4).map { _ in Int.random(in: 0..<24, using: &random) }
              var samples = SpokenTones.sound(of: words)
              samples += [Int16](repeating: 0, count: 2 * samples.count)
              // Faint noise, as every room has.
              for index in samples.indices where index % 3 == round % 3 { samples[index] &+= 2 }
              self.state.withLock {
                $0.frames += samples.count
                $0.words += words
              }
              round += 1
              do {
                try samples.withUnsafeBytes { try pipe.write(contentsOf: Data($0)) }
              } catch {
                return
              }
              if self.hours > wanted { Thread.sleep(forTimeInterval: Double(samples.count) / 16_000) }
            }
            try? pipe.close()
          }
        }
      }

      /// What a reader of a running recording must not see: nothing, or anything but its beginning.
      private static func complaints(ofReader read: [Int], of words: [Int]) -> [String] {
        if read.isEmpty { return ["nothing is shown"] }
        guard let wrong = zip(read, words).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
          return read.count > words.count ? ["more is shown than was said"] : []
        }
        return ["word \(wrong) is another"]
      }

      /// The negative control: what a reader misses, or sees twice or otherwise, is seen.
      @Test func aReaderWhoSeesOtherWordsIsSeen() {
        let words = Array(0..<24)
        func complaints(_ read: [Int]) -> [String] { Self.complaints(ofReader: read, of: words) }
        #expect(complaints(words) == [])
        #expect(complaints(Array(0..<5)) == [])
        #expect(complaints([]) == ["nothing is shown"])
        #expect(complaints([0, 1, 3]) == ["word 2 is another"])
        #expect(complaints([0, 1, 1, 2]) == ["word 2 is another"])
        #expect(complaints(words + [0]) == ["more is shown than was said"])
      }

      @Test(.timeLimit(.minutes(60)), arguments: isSoak ? ["rolling", "analyzer"] : ["rolling"])
      func itNeitherGrowsNorStumblesAndOthersReadMeanwhile(_ engine: String) async throws {
        let folder = try TemporaryFolder()
        var environment = try SpeechScript(faults: [:]).environment(in: folder.url)
        environment["LONGHAND_LIBRARY"] = folder.path("library")
        let pipe = Pipe()
        let process = try LonghandProcess(
          ["record", "--from", "-", "--raw", "s16le:16000:1", "--engine", engine],
          input: .handle(pipe.fileHandleForReading), environment: environment)
        try pipe.fileHandleForReading.close()
        let talk = Talk(into: pipe.fileHandleForWriting, fast: Self.hours)
        var trace = ProcessTrace()
        while process.isRunning, talk.hours < Self.hours {
          trace.look(at: process.identifier, after: talk.hours)
          try await Task.sleep(for: .milliseconds(isSoak ? 2000 : 200))
        }
        // It continues. Everything that was recognized until now can be read by others.
        let shown = try await LonghandProcess(["show", "last"], environment: environment).result()
        // The recognizer may be behind, so that the word is not there yet.
        var found = try await LonghandProcess(["search", "sierra"], environment: environment).result()
        while found.status != 0, process.isRunning {
          found = try await LonghandProcess(["search", "sierra"], environment: environment).result()
        }
        let exported = try await LonghandProcess(["export", "last", "--json"], environment: environment)
          .result()
        #expect(process.isRunning)
        #expect(shown.status == 0)
        #expect(found.status == 0)
        #expect(exported.status == 0)
        talk.stop()
        let result = try await process.result(within: .seconds(3000))
        #expect(result.status == 0, "\(result.errors)")
        // Every word that was said, and no other, in what others read meanwhile, too.
        let words = talk.words
        #expect(SpokenTones.words(ofText: result.output) == words)
        let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(exported.output.utf8))
        for text in [shown.output, document.segments.map(\.text).joined(separator: " ")] {
          #expect(Self.complaints(ofReader: SpokenTones.words(ofText: text), of: words) == [])
        }
        // It may begin a sentence.
        #expect(found.output.lowercased().contains("sierra"))
        // A twentieth of an hour is handed in within seconds, while the services are still being started: what grows then
        // is what warms up, and says nothing of hours.
        if isSoak {
          #expect(trace.complaints(slope: Self.mostGrowth) == [], "\(engine): \(trace.samples.count) samples")
        }
        print("\(engine): \(trace.slope ?? .nan) MB an hour over \(talk.hours) hours")

        // One file, playable from end to end.
        let wave = try #require(folder.recordedSound).path
        let duration = try await LonghandProcess.shell(
          "ffprobe -v error -show_entries format=duration -of csv=p=0 '\(wave)'")
        #expect(abs((Double(duration.output.dropLast()) ?? 0) - talk.hours * 3600) < 0.01, "\(duration)")
        let coverage = try await LonghandProcess(["coverage", "last"], environment: environment).result()
        #expect(coverage.output.contains("pending           0.00"))
      }

      /// The negative control: what grows is seen, and what only warms up is not taken for it.
      @Test func growthIsSeen() {
        func trace(_ memory: (Double) -> Double, _ descriptors: (Double) -> Int) -> [String] {
          var trace = ProcessTrace()
          for step in 0..<100 {
            let hours = Double(step) * 0.08
            trace.add(
              .init(hours: hours, memory: memory(hours) * 1_048_576, descriptors: descriptors(hours)))
          }
          return trace.complaints(slope: 1)
        }
        #expect(
          trace({ 70 + min($0, 1) * 20 + ($0 * 100).truncatingRemainder(dividingBy: 3) }, { _ in 17 }) == [])
        #expect(trace({ 70 + $0 * 1.5 }, { _ in 17 }).first?.hasPrefix("memory") == true)
        #expect(trace({ _ in 70 }, { 17 + Int($0) }).first?.hasPrefix("descriptors") == true)
        #expect(ProcessTrace().complaints(slope: 1).first?.hasPrefix("too few") == true)
      }
    }
  }
#endif
