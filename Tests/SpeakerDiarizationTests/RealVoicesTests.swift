#if os(Linux)
  import Foundation
  import ModelStorage
  import RecognitionProtocol
  import TestSupport
  import Testing

  @testable import SpeakerDiarization

  /// The networks that `make setup` installs, with two people who take turns.
  @Suite(.tagged(.childProcess)) struct RealVoicesTests {
    private static let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    private static let model = ModelStore(
      environment: ["SPEECH_MODEL_PATH": "\(prefix)/share/longhand/models"]
    ).speakers()

    /// The samples of a file, without its header.
    private static func samples(_ name: String, header: Int) throws -> [Int16] {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(prefix)/share/pocketsphinx/samples/\(name)"))
      return data.dropFirst(header).withUnsafeBytes { bytes in
        (0..<bytes.count / 2).map {
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
        }
      }
    }

    private static func diarizer(_ model: InstalledModel) throws -> NeuralDiarizer {
      let folder = try BuiltModules.folder(having: "SherpaService")
      return NeuralDiarizer(model, service: folder.appendingPathComponent("sherpa-service").path)
    }

    @Test(.enabled(if: model != nil)) func voiceIsRecognizedInAnotherRecording() async throws {
      let model = try #require(Self.model)
      func print(_ samples: [Int16]) async throws -> NetworkPrint {
        let diarizer = try Self.diarizer(model)
        try await diarizer.add(samples)
        _ = try await diarizer.turns(in: [], voices: 1)
        return try #require(diarizer.prints[0])
      }
      let reader = try ["0870", "0880", "0890", "0930"].map {
        try Self.samples("librivox/sense_and_sensibility_01_austen_64kb-\($0).wav", header: 44)
      }
      let remembered = try await print(reader[0] + reader[1])
      let same = try await print(reader[2] + reader[3])
      let other = try await print(
        ["numbers.raw", "goforward.raw", "something.raw"].flatMap { try Self.samples($0, header: 0) })
      #expect(remembered.network == model.description.files.first { $0.name == "embedding.onnx" }?.sha256)
      #expect(remembered.seconds > 5)
      #expect(remembered.distance(to: same) < VoiceMargins.network.sameVoice)
      #expect(remembered.distance(to: other) > VoiceMargins.network.sameVoice)
    }

    /// However long a recording is, little is kept of it.
    @Test(.enabled(if: model != nil)) func longRecordingTakesLittleMemory() throws {
      let model = try #require(Self.model)
      let names = ["0870", "0880", "0890", "0920", "0930"]
      let reader = try names.flatMap {
        try Self.samples("librivox/sense_and_sensibility_01_austen_64kb-\($0).wav", header: 44)
      }
      let folder = try BuiltModules.folder(having: "SherpaService")
      let service = try ServiceProcess(
        folder.appendingPathComponent("sherpa-service").path, ["--speakers", model.folder.path])
      let deadline = service.deadline(in: 600)
      func send(_ request: VoiceRequest) throws {
        try request.bytes.withUnsafeBytes { try service.channel.send($0, by: deadline) }
      }
      /// The most memory that the process has had after so many more seconds, in megabytes.
      func heard(_ seconds: Int) throws -> Int {
        for _ in 0..<(seconds * 16_000 / reader.count) { try send(.samples(reader)) }
        try send(.now(voices: 2))
        let _: ServiceText = try service.channel.receive(by: deadline)
        let status = try String(contentsOfFile: "/proc/\(service.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) / 1024
      }
      let short = try heard(45)
      let long = try heard(isSoak ? 3600 : 90)
      #expect(long < short + 25, "\(short) MB, then \(long) MB")
    }

    @Test(.enabled(if: model != nil)) func twoPeopleAreSeparated() async throws {
      let model = try #require(Self.model)
      let names = ["0870", "0880", "0890"].map { "librivox/sense_and_sensibility_01_austen_64kb-\($0).wav" }
      let reader = try names.map { try Self.samples($0, header: 44).prefix(4 * 16_000) }
      let other = try ["numbers.raw", "goforward.raw", "something.raw"].map {
        try Self.samples($0, header: 0)[...]
      }
      let turns = zip(reader, other).flatMap { [$0, $1] }
      let diarizer = try Self.diarizer(model)
      try await diarizer.add(turns.flatMap(\.self))
      let found = try await diarizer.found(voices: nil)
      #expect(found.prints.map(\.values.count) == [192, 192])
      // A second after the beginning of each turn, where all of them speak.
      let starts = turns.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
      let right = turns.indices.filter { index in
        let time = Double(starts[index]) / 16_000 + 1
        return found.turns.contains { $0.start <= time && time < $0.end && $0.voice == index % 2 }
      }
      #expect(right.count >= turns.count - 1, "\(right.count) of \(turns.count)")
      #expect(found.turns.allSatisfy { (0.5..<1).contains($0.confidence) })
    }
  }
#endif
