/// What a frame of audio sounds like: 40 ms, of which there is one every 20 ms.
struct SpeechFrame: Sendable {
  /// Samples of 16 kHz from one frame to the next.
  static let hop = 320

  /// The sample that the frame stands for.
  var place: Int
  /// The levels of 20 bands between 100 and 4000 Hz, equally wide for the ear (mel), in dB.
  var bands: [Double]
  /// The level of all bands, in dB.
  var level: Double
  /// How periodic the sound is: about 1 for a sung note, 0 for noise.
  var harmonicity: Double
  /// The pitch, if there is one, in semitones above 1 Hz.
  var pitch: Double
}
