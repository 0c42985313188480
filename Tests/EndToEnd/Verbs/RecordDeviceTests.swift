#if os(Linux)
  import Foundation
  import Longhand
  import SoundServer
  import TestSupport
  import Testing

  extension LongRecordingTests {
    /// `record` from a real sound server: what one plays is what is recorded and written down.
    @Suite(.tagged(.soundServer)) struct RecordDeviceTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      private func samples(of file: URL, after header: Int) throws -> [Float] {
        let data = try Data(contentsOf: file).dropFirst(header)
        return data.withUnsafeBytes { bytes in
          (0..<bytes.count / 2).map {
            Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))) / 32_768
          }
        }
      }

      /// Speech with pauses; ten minutes of it, and pauses up to two minutes, in `make soak`.
      private func talk() throws -> (URL, [Float]) {
        var state: UInt32 = 1
        func noise(_ seconds: Double) -> Data {
          let samples = (0..<Int(seconds * 16_000)).map { _ -> Int16 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int16(state >> 29) - 4
          }
          return samples.withUnsafeBytes { Data($0) }
        }
        let pauses = isSoak ? [2, 40, 120, 5, 90] : [1.5, 4]
        var sound = noise(1)
        for pause in pauses {
          for path in isSoak ? Recordings.paths + Recordings.paths : [Recordings.short] {
            sound += try Recordings.samples(of: path)
            sound += noise(1)
          }
          sound += noise(pause)
        }
        var head = Data(try Data(contentsOf: URL(fileURLWithPath: Recordings.long)).prefix(44))
        for (offset, number) in [(4, UInt32(sound.count + 36)), (40, UInt32(sound.count))] {
          withUnsafeBytes(of: number.littleEndian) { head.replaceSubrange(offset..<offset + 4, with: $0) }
        }
        let file = URL(fileURLWithPath: try folder.write(head + sound, to: "talk.wav"))
        return (file, try samples(of: file, after: 44))
      }

      @Test(.timeLimit(.minutes(60)), arguments: isSoak ? ["analyzer", "rolling"] : ["rolling"])
      func playedAudioIsRecordedAndTranscribed(_ engine: String) async throws {
        let server = try await PulseServer()
        let (file, played) = try talk()
        let environment = ["PULSE_SERVER": server.address, "LONGHAND_LIBRARY": folder.path("library")]
        let listed = try await LonghandProcess(["record", "--list-sources"], environment: environment)
          .result()
        #expect(listed.status == 0)
        #expect(listed.output.contains("* mic.monitor\t"))
        let process = try LonghandProcess(
          ["record", "--from", "mic", "--engine", engine], environment: environment)
        // The source is open when its first audio is on the disk, and closed when a second came after all that was played.
        #expect(await eventually { folder.recordedSamples.count > 8_000 })
        let player = try server.play(file)
        #expect(await eventually(within: 1500) { !player.isRunning })
        let end = folder.recordedSamples.count
        #expect(await eventually { folder.recordedSamples.count > end + 64_000 })
        process.send(SIGINT)
        let result = try await process.result(within: .seconds(1500))
        #expect(result.status == 130)

        let audio = try #require(folder.recordedSound)
        let comparison = SignalComparison(
          of: played, in: try samples(of: audio, after: TemporaryFolder.soundHeader), rate: 16_000, reach: 320
        )
        #expect(comparison.missing == 0)
        #expect(comparison.spread <= 320)
        let plain = try await LonghandProcess(["transcribe", audio.path]).result(within: .seconds(1500))
        let words = [plain, result].map { TextNormalizer().words(in: $0.output) }
        #expect(words[1].count > 10)
        if engine == "analyzer" {
          // A file is cut into other windows than a recording, so that a word between two readings may be the other one.
          let difference = WordErrorRate(reference: words[0], hypothesis: words[1]).rate
          #expect(difference < 0.2, "\(result.output)\(plain.output)")
        }
      }

      @Test func spaceBarClosesTheMicrophoneAndThePauseIsAGap() async throws {
        let server = try await PulseServer()
        let environment = [
          "PULSE_SERVER": server.address, "LONGHAND_LIBRARY": folder.path("library"), "TERM": "xterm",
        ]
        let keys = Pipe()
        let screen = folder.path("screen")
        // Control-C reaches the shell too, and most shells end of it: `trap` keeps this one for `stty`.
        let process = try LonghandProcess(
          ["exec script -qfec 'trap : INT; longhand record --from mic; stty -a' \(screen)"],
          input: .handle(keys.fileHandleForReading), environment: environment, shell: true)
        let shows = { (text: String) in
          (try? String(contentsOfFile: screen, encoding: .utf8))?.contains(text) == true
        }
        #expect(await eventually { shows("Space pauses") && folder.recordedSamples.count > 8_000 })
        keys.fileHandleForWriting.write(Data(" ".utf8))
        #expect(await eventually { shows("paused; space continues") })
        #expect(try server.control("list", "source-outputs", "short").isEmpty)
        try await Task.sleep(for: .seconds(1))
        let paused = folder.recordedSamples.count
        keys.fileHandleForWriting.write(Data(" ".utf8))
        #expect(await eventually { folder.recordedSamples.count > paused + 24_000 })
        keys.fileHandleForWriting.write(Data([3]))
        _ = try await process.result()
        #expect(shows(" icanon"), "the terminal has its settings back")
        let library = try Library(at: URL(fileURLWithPath: folder.path("library")))
        let session = try library.store.session(matching: "last")
        #expect(session.state == .complete)
        let gaps = try library.store.coverageSpans(of: session.id).filter { $0.kind == .gap }
        #expect(gaps.map(\.reason) == ["paused"])
        #expect(gaps.allSatisfy { (1...10).contains($0.end - $0.start) })
      }

      @Test func aSourceThatIsNotThereIsNamed() async throws {
        let server = try await PulseServer()
        let environment = ["PULSE_SERVER": server.address, "LONGHAND_LIBRARY": folder.path("library")]
        let result = try await LonghandProcess(["record", "--from", "trumpet"], environment: environment)
          .result()
        #expect(result.status == 1)
        #expect(result.errorLines.count == 1)
        #expect(result.errors.contains("--list-sources"))
        server.kill()
        let none = try await LonghandProcess(["record"], environment: environment).result()
        #expect(none.status == 1, "\(none.errors)")
        #expect(none.errorLines.count == 1, "\(none.errors)")
      }
    }
  }
#endif
