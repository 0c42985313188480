/// What the words of a recognizer need to be kept: how sure it must be of them, and how much they must sound like speech.
public struct WordPolicy: Sendable, Hashable, Codable {
  /// Bounds of the support of an utterance: its words per second, each weighted with its confidence.
  public struct Support: Sendable, Hashable, Codable {
    /// Words without this support are rejected.
    public var min: Double
    /// With this support, words are kept whatever the audio sounds like.
    public var sure: Double
    /// As `sure`, where words follow each other as fast as people speak.
    public var sureIfFast: Double
    /// Words per second that count as fast.
    public var fastRate: Double
    /// As `min`, in utterances of more than `slowSeconds` whose words are not fast.
    public var minIfSlow: Double
    /// Seconds.
    public var slowSeconds: Double
  }

  /// The support that an utterance needs; nil if the recognizer can be sure of words that were not said, so that only the
  /// audio decides.
  public var support: Support?
  /// Words per second of speech that an utterance has at least.
  public var minRate = 0.0
  /// The least confidence in the only word of an utterance, where the recognizer has one and the network for voices is not sure
  /// that somebody speaks. If that word is a phrase of a
  /// vocabulary, the confidence is that of the word it replaced.
  public var minLoneConfidence = 0.0
  /// Whether hypotheses that repeat the same words again and again are rejected.
  public var rejectsLoops = false
  /// Added to the evidence of speech that audio needs for words to be kept; below 0 for a recognizer that itself finds no
  /// words in most audio without speech.
  public var speechMargin = 0.0
  /// The probability of a voice, by Silero's network, from which audio is speech, 0 to 1; nil if the evidence of the sound
  /// decides, as it does where the network is not installed.
  public var voice: Double?
}

extension WordPolicy {
  /// For PocketSphinx, which is less sure of words that were not said.
  ///
  /// Measured: utterances with one right word have a support of 0.7 and more in quiet; what it finds in music has 0.5 and
  /// less. 97 % of its words in 15 minutes of readers, prompts and orders are in utterances of 1.0 and more. Noise makes
  /// speech sound less like speech, and the recognizer less sure, but its words keep their pace: speech with fans, animals
  /// and music 10 dB below it has 2.0 words per second and more, and what it finds in music with a support of 0.6 has 1.5
  /// and less. Among these clips of speech, slow ones have 0.7 and more; what hens said had 0.65.
  public static let byConfidence = WordPolicy(
    support: .init(min: 0.4, sure: 1.0, sureIfFast: 0.6, fastRate: 1.9, minIfSlow: 0.7, slowSeconds: 3))

  /// For neural models, which can be sure of words that were not said, and which sometimes repeat words endlessly.
  ///
  /// Measured: none of 260 utterances of readers, prompts and orders has fewer than 0.8 words per second; what toy models
  /// find in music and animals has 0.5 and less. The margin puts 0.2 % more of the speech in two hours of such recordings
  /// below the bound. Of 288 single words of synthetic voices, which hold their pitch, it costs 35; 0.4 would cost 19, but
  /// lets each toy model write one word in nine minutes without speech.
  public static let bySound = WordPolicy(
    support: nil, minRate: 0.6, minLoneConfidence: 0.5, rejectsLoops: true, speechMargin: 0.6)

  /// For Whisper, whose service compares the probability of its words with that of silence.
  ///
  /// Measured: noise makes speech sound less like speech, but Whisper understands it. In clips 5 dB above fans, music and
  /// animals, `bySound` leaves 52 % word errors, nearly all of them missing words, and this margin 8 %. In nine minutes
  /// without speech it leaves no word.
  public static let byLikelihood = WordPolicy(
    support: nil, minRate: 0.6, minLoneConfidence: 0.5, rejectsLoops: true, speechMargin: -2, voice: 0.5)

  /// This policy for speech in which another recognizer found no words: only words that are sure are kept.
  public var forSecondTry: WordPolicy {
    var policy = self
    guard let support else { return self }
    policy.support = .init(
      min: support.sure, sure: support.sure, sureIfFast: support.sure, fastRate: support.fastRate,
      minIfSlow: support.sure, slowSeconds: support.slowSeconds)
    return policy
  }
}
