/// What the pitch tracker searches for and how it weighs what it finds: Boersma (1993), section 4, with the
/// standard values of Praat's "To Pitch (raw ac)".
struct PitchSettings: Sendable, Equatable {
  /// The lowest fundamental frequency searched for, in Hz; it also sets the window: three of its periods.
  var floor = 75.0

  /// The highest fundamental frequency searched for, in Hz.
  var ceiling = 600.0

  /// How many candidates a frame keeps at most, the unvoiced one included.
  var candidateLimit = 15

  /// Frames whose peak is below this share of the whole signal's peak are probably silent.
  var silenceThreshold = 0.03

  /// The strength of the unvoiced candidate, on the scale of the autocorrelation.
  var voicingThreshold = 0.45

  /// How much strength a candidate loses for each octave that it lies below the highest possible one.
  var octaveCost = 0.01

  /// What it costs to move by one octave from a frame to the next.
  var octaveJumpCost = 0.35

  /// What it costs to begin or to end being voiced.
  var voicedUnvoicedCost = 0.14
}
