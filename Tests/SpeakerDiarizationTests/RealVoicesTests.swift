#if os(Linux)
  import Foundation
  import ModelStorage
  import TestSupport
  import Testing

  @testable import SpeakerDiarization

  /// The networks that `make setup` installs, with two people who take turns of a second.
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

    /// Parts of a second that are not silent.
    private static func parts(_ samples: [Int16]) -> [[Int16]] {
      stride(from: 0, to: samples.count - 16_000, by: 16_000).map { Array(samples[$0..<$0 + 16_000]) }.filter
      {
        $0.reduce(0) { $0 + abs(Int($1)) } > 400 * 16_000
      }
    }

    @Test(.enabled(if: model != nil)) func turnsOfASecondAreSeparated() async throws {
      let model = try #require(Self.model)
      let reader = try Self.parts(
        Self.samples("librivox/sense_and_sensibility_01_austen_64kb-0870.wav", header: 44))
      let other = try Self.parts(
        ["numbers.raw", "goforward.raw", "something.raw"].flatMap { try Self.samples($0, header: 0) })
      let count = min(reader.count, other.count)
      #expect(count >= 5)
      // Twice, so that there is enough of each.
      let turns = (0..<4 * count).map { $0 % 2 == 0 ? reader[$0 / 2 % count] : other[$0 / 2 % count] }
      let service = try BuiltModules.folder(having: "SherpaService").appendingPathComponent("sherpa-service")
        .path
      let diarizer = NeuralDiarizer(model, service: service)
      try await diarizer.add(turns.flatMap(\.self))
      let found = try await diarizer.found(voices: nil)
      #expect(found.prints.map(\.values.count) == [192, 192])
      // In the middle of each second, where somebody speaks.
      let right = turns.indices.filter { index in
        let time = Double(index) + 0.5
        return found.turns.contains { $0.start <= time && time < $0.end && $0.voice == index % 2 }
      }
      #expect(right.count >= turns.count * 8 / 10, "\(right.count) of \(turns.count)")
    }
  }
#endif
