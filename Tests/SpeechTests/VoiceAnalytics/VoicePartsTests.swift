import Foundation
import Testing

@testable import Speech
@testable import VoiceMeasurement

/// The analyser's parts, each against its definition.
struct VoicePartsTests {
  @Test(arguments: [2, 4, 64])
  func fastTransformEqualsTheDefinition(count: Int) {
    let noise = SyntheticVoice.noise(seconds: 0.01).map { Double($0) }
    let (real, imaginary) = (Array(noise[0..<count]), Array(noise[64..<64 + count]))
    var (fastReal, fastImaginary) = (real, imaginary)
    let transform = FourierTransform(atLeast: count)
    #expect(transform.count == count)
    transform.transform(&fastReal, &fastImaginary)
    for bin in 0..<count {
      var sum = (real: 0.0, imaginary: 0.0)
      for index in 0..<count {
        let angle = -2 * .pi * Double(bin * index) / Double(count)
        sum.real += real[index] * cos(angle) - imaginary[index] * sin(angle)
        sum.imaginary += real[index] * sin(angle) + imaginary[index] * cos(angle)
      }
      #expect(abs(sum.real - fastReal[bin]) < 1e-12)
      #expect(abs(sum.imaginary - fastImaginary[bin]) < 1e-12)
    }
  }

  @Test(arguments: [-0.45, -0.2, 0, 0.1, 0.3, 0.49])
  func interpolationFindsAMaximumBetweenSamples(shift: Double) {
    let values = (0..<101).map { cos(2 * .pi * (Double($0) - 50 - shift) / 7) }
    let found = values.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { SincInterpolation().maximum(around: $0 + 50) }
    }
    #expect(abs((found?.offset ?? 9) - shift) < 0.005)
    #expect(abs((found?.height ?? 9) - 1) < 0.005)
  }

  @Test func parabolaHasItsExtremum() {
    let parabola = Parabola(-1.44, -0.04, -0.64)  // -(x - 0.2)²
    #expect(abs(parabola.position - 0.2) < 1e-12)
    #expect(abs(parabola.value) < 1e-12)
    #expect(Parabola(3, 3, 3).position == 0)
  }

  @Test func pathAvoidsAnOctaveJump() {
    let steady = [
      PitchCandidate(frequency: 0, strength: 0.45), PitchCandidate(frequency: 100, strength: 0.9),
    ]
    // Alone, the octave would win.
    let tempting = steady + [PitchCandidate(frequency: 200, strength: 0.95)]
    let path = PitchPath(through: [steady, tempting, steady], settings: PitchSettings())
    #expect(path.frequencies == [100, 100, 100])
    let alone = PitchPath(through: [tempting], settings: PitchSettings())
    #expect(alone.frequencies == [200])
    // Strength 0.95 against 0.45, five times the scale of the odds.
    #expect(abs((alone.voicing.first ?? 0) - 1 / (1 + exp(-5))) < 1e-9)
  }

  @Test func weakCandidateDoesNotStartVoicing() {
    let weak = [PitchCandidate(frequency: 0, strength: 0.45), PitchCandidate(frequency: 100, strength: 0.7)]
    let unvoiced = [PitchCandidate(frequency: 0, strength: 0.45)]
    let path = PitchPath(through: [unvoiced, weak, unvoiced], settings: PitchSettings())
    #expect(path.frequencies == [0, 0, 0])
    #expect(path.voicing[0] == 0)
    #expect(path.voicing[1] < 0.5)
    #expect(path.voicing[1] > 0.3)
    #expect(PitchPath(through: [], settings: PitchSettings()).frequencies.isEmpty)
  }

  @Test func contourIsInterpolatedOnlyBetweenVoicedFrames() {
    let contour = PitchContour(frequencies: [0, 100, 120, 0])
    #expect(contour.voicedRuns == [1..<3])
    #expect(contour.frequency(at: 0.005) == nil)
    #expect(contour.frequency(at: 0.011) == 100)
    #expect(abs((contour.frequency(at: 0.020) ?? 0) - 110) < 1e-9)
    #expect(contour.frequency(at: 0.029) == 120)
    #expect(contour.frequency(at: 0.031) == nil)
    #expect(contour.frequency(at: -1) == nil)
    #expect(contour.frequency(at: 1) == nil)
    #expect(contour.median == 110)
    #expect(PitchContour(frequencies: []).frequency(at: 0) == nil)
    #expect(PitchContour(frequencies: [0]).median == nil)
  }

  @Test func intervalsOutOfRangeAreNotCompared() throws {
    let signal = VoiceSignal((0..<16000).map { sin(Double($0)) })
    // 10, 10, 11 ms; a pause; 10, 14 ms, which differ by more than a factor of 1.3.
    let pulses = [0.1, 0.11, 0.12, 0.131, 0.5, 0.51, 0.524]
    let perturbation = Perturbation(pulses: pulses, in: signal)
    let expected = 100 * ((0 + 0.001) / 2) / (0.031 / 3)
    let jitter = try #require(perturbation.jitter)
    #expect(abs(jitter - expected) < 1e-9)
    #expect(Perturbation(pulses: [], in: signal).jitter == nil)
    #expect(Perturbation(pulses: [0.1, 0.11, 0.12], in: signal).shimmer == nil)
  }
}
