import RecognitionProtocol

/// A family of neural models, which decides the files of a model, how it is loaded and what it gives.
public enum ModelFamily: String, Sendable, Codable, CaseIterable {
  /// A transducer of NeMo, such as Parakeet, for whole utterances.
  case nemoTransducer = "nemo-transducer"
  /// A transducer of NeMo for audio as it is spoken.
  case nemoStreamingTransducer = "nemo-streaming-transducer"
  /// A CTC model of NeMo for whole utterances.
  case nemoCTC = "nemo-ctc"
  /// A CTC model of NeMo for audio as it is spoken.
  case nemoStreamingCTC = "nemo-streaming-ctc"
  /// A zipformer transducer for whole utterances.
  case zipformerTransducer = "zipformer-transducer"
  /// A zipformer transducer for audio as it is spoken.
  case zipformerStreamingTransducer = "zipformer-streaming-transducer"
  /// Moonshine, for whole utterances.
  case moonshine
  /// SenseVoice, for whole utterances.
  case senseVoice = "sense-voice"
  /// Whisper, for whole utterances.
  case whisper
  /// Whisper in the format of whisper.cpp, for whole windows of speech.
  case whisperGGML = "whisper-ggml"
  /// Two networks that separate speakers and recognize no words: pyannote's segmentation and an embedding of voices.
  case speakers
  /// A network that writes English words with punctuation and capitals, and recognizes nothing.
  case punctuation

  /// The ID of the recognizer that loads it, see `Recognizer`.
  public var recognizer: String {
    self == .whisperGGML ? Recognizer.whisper.id : Recognizer.sherpaOnnx.id
  }

  /// Whether the model recognizes words.
  public var recognizesWords: Bool { otherPurpose == nil }

  /// What the model does if it recognizes no words, such as "separates speakers"; nil if it recognizes words.
  public var otherPurpose: String? {
    switch self {
    case .speakers: "separates speakers"
    case .punctuation: "writes punctuation"
    default: nil
    }
  }

  /// Whether the model decodes audio as it is spoken.
  public var isStreaming: Bool {
    switch self {
    case .nemoStreamingTransducer, .nemoStreamingCTC, .zipformerStreamingTransducer: true
    default: false
    }
  }

  /// Whether the model is a transducer, which writes token by token as the audio goes on.
  public var isTransducer: Bool {
    switch self {
    case .nemoTransducer, .nemoStreamingTransducer, .zipformerTransducer, .zipformerStreamingTransducer: true
    default: false
    }
  }
}
