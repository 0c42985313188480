/// The networks of a model, with the family that their metadata say, checked for what the library needs.
struct ModelNetworks {
  typealias Role = ModelDescription.Role

  let family: ModelFamily
  /// The metadata of the network that describes the model.
  let metadata: [String: String]
  /// The number of tokens that the network knows, as its metadata say.
  let vocabularySize: Int?

  /// - Parameter files: names in the folder.
  /// - Throws: `ModelFolderError`.
  init(folder: String, files: [Role: String]) throws(ModelFolderError) {
    let folder = NetworkFolder(path: folder, files: files)
    if files[.segmentation] != nil || files[.embedding] != nil {
      try folder.checkSpeakers()
      self.init(
        family: .speakers, metadata: try folder.metadata(.segmentation).values, vocabularySize: nil)
    } else if files[.preprocessor] != nil || files[.uncachedDecoder] != nil || files[.cachedDecoder] != nil {
      try folder.checkMoonshine()
      self.init(family: .moonshine, metadata: [:], vocabularySize: nil)
    } else if files[.encoder] == nil, files[.decoder] == nil, files[.joiner] == nil {
      self = try Self.single(folder)
    } else if files[.joiner] == nil,
      [files[.encoder], files[.decoder]].allSatisfy({ $0?.hasSuffix(".ort") == true })
    {
      try folder.checkRuntimeFormat(.encoder)
      try folder.checkRuntimeFormat(.decoder)
      self.init(family: .moonshine, metadata: [:], vocabularySize: nil)
    } else {
      self = try Self.several(folder)
    }
    for (role, key) in family.requiredKeys {
      let values = try folder.metadata(role).values
      if values["streaming_model_type"] == "nemo_parakeet_unified_streaming" { continue }
      guard values[key] == nil else { continue }
      throw folder.error(
        .missingMetadata, role,
        "lacks the metadata \"\(key)\", which a model of the family \(family.rawValue) needs",
        "Export the model again with its metadata, or install it from its source.")
    }
  }

  private init(family: ModelFamily, metadata: [String: String], vocabularySize: Int?) {
    self.family = family
    self.metadata = metadata
    self.vocabularySize = vocabularySize
  }

  /// A model of one network.
  private static func single(_ folder: NetworkFolder) throws(ModelFolderError) -> ModelNetworks {
    guard folder.files[.model] != nil else {
      throw ModelFolderError(
        .missingFile, path: folder.path, reason: "The folder \(folder.path) has no network (.onnx).",
        remedy: "Name the folder that has the model's files.")
    }
    let model = try folder.metadata(.model)
    let kind = model["model_type"] ?? ""
    let family: ModelFamily
    if PunctuationLabels.all.contains(where: { model[$0.key] != nil }) {
      try folder.checkPunctuation()
      return ModelNetworks(family: .punctuation, metadata: model.values, vocabularySize: nil)
    }
    try folder.checkCaches(.model)
    if model.isNeMoStreaming {
      family = .nemoStreamingCTC
    } else if kind.hasPrefix("sense_voice") || model["lfr_window_size"] != nil && model["neg_mean"] != nil {
      family = .senseVoice
    } else if kind.hasPrefix("EncDec") || kind.isEmpty && model["subsampling_factor"] != nil {
      family = .nemoCTC
    } else if model.values.isEmpty {
      throw folder.error(
        .missingMetadata, .model, "has no metadata", "Export the model again with its metadata.")
    } else {
      throw folder.unknown(.model, kind: kind)
    }
    return ModelNetworks(
      family: family, metadata: model.values, vocabularySize: model["vocab_size"].flatMap { Int($0) })
  }

  /// A model of an encoder, a decoder and perhaps a joiner.
  private static func several(_ folder: NetworkFolder) throws(ModelFolderError) -> ModelNetworks {
    let encoder = try folder.metadata(.encoder)
    let decoder = try folder.metadata(.decoder)
    let kind = encoder["model_type"] ?? ""
    if folder.files[.joiner] == nil {
      guard kind.hasPrefix("whisper") || encoder["n_text_layer"] != nil else {
        if (decoder["model_type"] ?? "").hasPrefix("whisper") { throw folder.swapped(.encoder, .decoder) }
        throw folder.missing(.joiner)
      }
      return ModelNetworks(
        family: .whisper, metadata: encoder.values, vocabularySize: encoder["n_vocab"].flatMap { Int($0) })
    }
    let joiner = try folder.metadata(.joiner)
    for (role, other) in [(Role.decoder, decoder), (.joiner, joiner)] where encoder["model_type"] == nil {
      // Only encoders say what the whole model is.
      if other["model_type"] != nil || other["subsampling_factor"] != nil {
        throw folder.swapped(.encoder, role)
      }
    }
    let isNeMo = encoder.isNeMoStreaming || encoder["pred_rnn_layers"] != nil || kind.hasPrefix("EncDec")
    // Joiners have one output. Decoders have it too, or they also return the state of their cells.
    let isDecoder = { (network: ONNXMetadata) in
      isNeMo ? network.outputs.count >= 3 : network["context_size"] != nil
    }
    if !isDecoder(decoder), isDecoder(joiner) { throw folder.swapped(.decoder, .joiner) }
    if isNeMo {
      try folder.checkCaches(.encoder)
      guard isDecoder(decoder), joiner.outputs.count == 1 else { throw folder.unknown(.decoder, kind: kind) }
      return ModelNetworks(
        family: encoder.isNeMoStreaming ? .nemoStreamingTransducer : .nemoTransducer,
        metadata: encoder.values,
        vocabularySize: encoder["vocab_size"].flatMap { Int($0) })
    }
    guard !encoder.values.isEmpty || decoder["context_size"] != nil else {
      throw folder.error(
        .missingMetadata, .encoder, "has no metadata", "Export the model again with its metadata.")
    }
    guard encoder.values.isEmpty || kind.isEmpty || kind.contains("zipformer") || kind == "conformer" else {
      throw folder.unknown(.encoder, kind: kind)
    }
    let isStreaming = encoder["decode_chunk_len"] != nil
    return ModelNetworks(
      family: isStreaming ? .zipformerStreamingTransducer : .zipformerTransducer,
      metadata: encoder.values.merging(decoder.values) { own, _ in own },
      vocabularySize: decoder["vocab_size"].flatMap { Int($0) })
  }
}

extension ONNXMetadata {
  /// Whether the network carries caches from chunk to chunk, as NeMo's for streaming do.
  var isNeMoStreaming: Bool {
    values["cache_last_channel_dim1"] != nil || values["chunk_shift"] != nil
      || values["streaming_model_type"] != nil
  }
}

extension ModelFamily {
  /// The metadata that the library reads, and ends the process without.
  var requiredKeys: [(ModelDescription.Role, String)] {
    let caches = ["channel", "time"].flatMap { kind in (1...3).map { "cache_last_\(kind)_dim\($0)" } }
    let streaming = ["window_size", "chunk_shift"] + caches
    func keys(_ role: ModelDescription.Role, _ keys: [String]) -> [(ModelDescription.Role, String)] {
      keys.map { (role, $0) }
    }
    // An empty value of `normalize_type` is one, too.
    let nemo = ["vocab_size", "subsampling_factor", "normalize_type"]
    let prediction = ["pred_rnn_layers", "pred_hidden"]
    switch self {
    case .nemoTransducer: return keys(.encoder, nemo + prediction)
    case .nemoStreamingTransducer: return keys(.encoder, nemo + prediction + streaming)
    case .nemoCTC: return keys(.model, nemo)
    case .nemoStreamingCTC: return keys(.model, ["vocab_size", "subsampling_factor"] + streaming)
    case .zipformerTransducer: return keys(.decoder, ["vocab_size", "context_size"])
    case .zipformerStreamingTransducer:
      return keys(
        .encoder,
        [
          "encoder_dims", "num_encoder_layers", "cnn_module_kernels", "left_context_len", "T",
          "decode_chunk_len",
        ])
        + keys(.decoder, ["vocab_size", "context_size"])
    case .whisper:
      return keys(
        .encoder,
        [
          "n_mels", "n_text_layer", "n_text_ctx", "n_text_state", "n_vocab", "sot", "eot", "blank_id",
          "translate",
          "transcribe", "is_multilingual", "no_timestamps", "no_speech", "sot_sequence",
        ])
    case .senseVoice:
      return keys(
        .model,
        [
          "vocab_size", "lfr_window_size", "lfr_window_shift", "normalize_samples", "with_itn", "without_itn",
          "lang_auto", "lang_zh", "lang_en", "lang_ja", "lang_ko", "neg_mean", "inv_stddev",
        ])
    case .speakers:
      return keys(.segmentation, NetworkFolder.segmentationKeys)
        + keys(.embedding, NetworkFolder.embeddingKeys)
    case .moonshine, .punctuation, .whisperGGML: return []
    }
  }
}
