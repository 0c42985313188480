import RecognitionProtocol

/// A family of neural models: the files of a model, the metadata by which it is recognized, how it is loaded and what it
/// does.
///
/// A new family is a new row of the table below.
public struct ModelFamily: RawRepresentable, Equatable, Sendable, Codable {
  typealias Role = ModelDescription.Role

  /// The name in the descriptions of models, such as `nemo-ctc`.
  public let rawValue: String
  /// The ID of the recognizer that loads it, see `Recognizer`.
  public var recognizer = Recognizer.sherpaOnnx.id
  /// What the model does if it recognizes no words, such as "separates speakers"; nil if it recognizes words.
  public var otherPurpose: String?
  /// Whether the model decodes audio as it is spoken.
  public var isStreaming = false
  /// Whether the model reports how likely its words are.
  public var hasConfidence = false
  /// Whether a model for several languages finds the language of speech by its sound.
  public var detectsLanguage = false
  /// Whether the model must know the language when it is loaded.
  package var bindsLanguage = false
  /// Whether `<blk>` follows the tokens that the metadata count.
  var hasBlank = false
  /// The files that are used. The first one describes the model. `pieces` and `licence` may be missing.
  let roles: [Role]
  /// The metadata that the library reads, and ends the process without.
  var requiredKeys: KeyValuePairs<Role, [String]> = [:]
  /// Checks what else the library relies on.
  var check: @Sendable (NetworkFolder) throws(ModelFolderError) -> Void = { _ in }
  /// Whether the first file is one of the family.
  let describes: @Sendable (ONNXMetadata) -> Bool

  /// Whether the model recognizes words.
  public var recognizesWords: Bool { otherPurpose == nil }
  /// Whether the model is a transducer, which writes token by token as the audio goes on.
  public var isTransducer: Bool { roles.contains(.joiner) }
}

extension ModelFamily {
  private static let transducer: [Role] = [.encoder, .decoder, .joiner, .tokens, .pieces, .licence]
  // An empty value of `normalize_type` is one, too.
  private static let nemo = ["vocab_size", "subsampling_factor", "normalize_type"]
  private static let prediction = ["pred_rnn_layers", "pred_hidden"]
  private static let streaming =
    ["window_size", "chunk_shift"]
    + ["channel", "time"].flatMap { kind in (1...3).map { "cache_last_\(kind)_dim\($0)" } }

  /// A transducer of NeMo, such as Parakeet, for whole utterances.
  public static let nemoTransducer = ModelFamily(
    rawValue: "nemo-transducer", hasConfidence: true, hasBlank: true, roles: transducer,
    requiredKeys: [.encoder: nemo + prediction], describes: { $0.isNeMo && !$0.isNeMoStreaming })

  /// A transducer of NeMo for audio as it is spoken.
  public static let nemoStreamingTransducer = ModelFamily(
    rawValue: "nemo-streaming-transducer", isStreaming: true, hasConfidence: true, hasBlank: true,
    roles: transducer, requiredKeys: [.encoder: nemo + prediction + streaming], describes: \.isNeMoStreaming)

  /// A zipformer transducer for audio as it is spoken.
  public static let zipformerStreamingTransducer = ModelFamily(
    rawValue: "zipformer-streaming-transducer", isStreaming: true, hasConfidence: true, roles: transducer,
    requiredKeys: [
      .encoder: [
        "encoder_dims", "num_encoder_layers", "cnn_module_kernels", "left_context_len", "T",
        "decode_chunk_len",
      ],
      .decoder: ["vocab_size", "context_size"],
    ],
    describes: { network in
      let kind = network["model_type"] ?? "conformer"
      return network["decode_chunk_len"] != nil && (kind.contains("zipformer") || kind == "conformer")
    })

  /// A CTC model of NeMo for whole utterances.
  public static let nemoCTC = ModelFamily(
    rawValue: "nemo-ctc", hasBlank: true, roles: [.model, .tokens, .licence], requiredKeys: [.model: nemo],
    describes: { $0.isNeMo && !$0.isNeMoStreaming })

  /// A CTC model of NeMo for audio as it is spoken.
  public static let nemoStreamingCTC = ModelFamily(
    rawValue: "nemo-streaming-ctc", isStreaming: true, hasBlank: true, roles: [.model, .tokens, .licence],
    requiredKeys: [.model: ["vocab_size", "subsampling_factor"] + streaming], describes: \.isNeMoStreaming)

  /// SenseVoice, for whole utterances.
  public static let senseVoice = ModelFamily(
    rawValue: "sense-voice", bindsLanguage: true, roles: [.model, .tokens, .licence],
    requiredKeys: [
      .model: [
        "vocab_size", "lfr_window_size", "lfr_window_shift", "normalize_samples", "with_itn", "without_itn",
        "lang_auto", "lang_zh", "lang_en", "lang_ja", "lang_ko", "neg_mean", "inv_stddev",
      ]
    ],
    describes: { network in
      network["model_type"]?.hasPrefix("sense_voice") == true
        || network["lfr_window_size"] != nil && network["neg_mean"] != nil
    })

  /// Whisper in the format of whisper.cpp, for whole windows of speech. Its file is no network of ONNX.
  public static let whisperGGML = ModelFamily(
    rawValue: "whisper-ggml", recognizer: Recognizer.whisper.id, hasConfidence: true, detectsLanguage: true,
    roles: [.model, .licence], describes: { _ in false })

  /// Two networks that separate speakers and recognize no words: pyannote's segmentation and an embedding of voices.
  public static let speakers = ModelFamily(
    rawValue: "speakers", otherPurpose: "separates speakers", roles: [.segmentation, .embedding, .licence],
    check: { folder throws(ModelFolderError) in try folder.checkSpeakers() }, describes: { _ in true })

  /// A network that writes English words with punctuation and capitals, and recognizes nothing.
  public static let punctuation = ModelFamily(
    rawValue: "punctuation", otherPurpose: "writes English punctuation", roles: [.model, .pieces, .licence],
    check: { folder throws(ModelFolderError) in try folder.checkPunctuation() },
    describes: { network in PunctuationLabels.all.contains { network[$0.key] != nil } })

  /// All families. Of those that a network may belong to, the first one is taken.
  public static let all = [
    punctuation, nemoStreamingTransducer, nemoTransducer, zipformerStreamingTransducer, nemoStreamingCTC,
    senseVoice, nemoCTC, whisperGGML, speakers,
  ]

  /// The family with a name; nil if there is none.
  public init?(rawValue: String) {
    guard let family = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = family
  }

  /// Reads the name of a family.
  /// - Throws: `Retired` for a family of earlier versions, `DecodingError` for other unknown names.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.singleValueContainer()
    let name = try values.decode(String.self)
    if let retired = Retired.all.first(where: { $0.rawValue == name }) { throw retired }
    guard let family = Self(rawValue: name) else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "no family is named \(name)")
    }
    self = family
  }
}

extension ModelFamily {
  /// A family that only earlier versions run. A model of it stays where it is, and cannot be used.
  package struct Retired: Error {
    let rawValue: String
    /// The name in a sentence.
    package let name: String
    package var remedy = "Use another model; 'longhand models list' lists them."

    static let whisper = Retired(
      rawValue: "whisper", name: "Whisper in the format ONNX",
      remedy:
        "Use it in the format of whisper.cpp: run 'longhand models install whisper-base', or import a ggml file (.bin)."
    )
    static let moonshine = Retired(rawValue: "moonshine", name: "Moonshine")
    static let zipformer = Retired(rawValue: "zipformer-transducer", name: "Zipformer for whole utterances")
    static let all = [whisper, moonshine, zipformer]

    /// The error about a model.
    /// - Parameter path: its folder.
    func error(_ path: String) -> ModelFolderError {
      ModelFolderError(
        .unknownFamily, path: path, reason: "The model in \(path) is \(name), which is no longer supported.",
        remedy: remedy)
    }
  }
}
