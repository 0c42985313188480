import CSilero
import FileSupport
import Foundation
import RecognitionProtocol

/// The weights of Silero's network for voices.
final class VoiceNetwork: Sendable {
  /// What is wrong with a file.
  struct InvalidFile: Error {}

  /// What the network keeps from step to step.
  typealias State = silero_state

  /// Samples of a step, at 16 kHz: 32 ms.
  static let step = Int(SILERO_STEP)
  /// That of version 6.2.0, as whisper.cpp has it.
  private static let digest = "2aa269b785eeb53a82983a20501ddf7c1d9c48e33ab63a41391ac6c9f7fb6987"

  /// The one of this system; nil if there is none, or if it is another one than the one that was measured.
  static let installed = ModelLocations.voiceNetwork(environment: ProcessInfo.processInfo.environment)
    .flatMap { try? VoiceNetwork(file: URL(fileURLWithPath: $0)) }

  /// As the C function takes them.
  private let parameters: [Float]

  /// Reads the weights.
  init(file: URL) throws {
    let data = try Data(contentsOf: file)
    guard SHA256.hash(data: data).hexadecimal == Self.digest else { throw InvalidFile() }
    parameters = Self.parameters(of: data)
  }

  /// The probability of a voice in the next `step` samples.
  func probability(of samples: some Collection<Int16>, after state: inout State) -> Double {
    var padded = [Int16](samples)
    padded += repeatElement(0, count: Self.step - padded.count)
    return Double(silero_step(parameters, &state, padded))
  }

  /// The numbers of all tensors, in the order of the file, whose hash is known.
  private static func parameters(of data: Data) -> [Float] {
    // The magic number, the name with its length, three numbers of the version, and 19 of the layers.
    var place = 4 + 4 + 10 + 22 * 4
    func integer() -> Int {
      defer { place += 4 }
      return Int(data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int32.self) })
    }
    var parameters: [Float] = []
    parameters.reserveCapacity(Int(SILERO_PARAMETERS))
    while place < data.count {
      let (rank, nameLength, isHalf) = (integer(), integer(), integer() == 1)
      let count = (0..<rank).reduce(1) { product, _ in product * integer() }
      place += nameLength
      data.withUnsafeBytes { bytes in
        for index in 0..<count {
          parameters.append(
            isHalf
              ? Float(bytes.loadUnaligned(fromByteOffset: place + 2 * index, as: Float16.self))
              : bytes.loadUnaligned(fromByteOffset: place + 4 * index, as: Float.self))
        }
      }
      place += count * (isHalf ? 2 : 4)
    }
    return parameters
  }
}
