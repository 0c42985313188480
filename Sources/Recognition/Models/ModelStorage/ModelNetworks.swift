import ModelConversion

/// The networks of a model, with the family that their metadata say, checked for what the library needs.
struct ModelNetworks {
  typealias Role = ModelDescription.Role

  let family: ModelFamily
  /// The metadata of the networks that describe the model.
  let metadata: [String: String]

  /// - Parameter files: names in the folder.
  /// - Throws: `ModelFolderError`.
  init(folder: String, files: [Role: String]) throws(ModelFolderError) {
    let folder = NetworkFolder(path: folder, files: files)
    if let whisper = files[.model], whisper.hasSuffix(".bin") {
      do { _ = try GGMLModel(path: folder.path + "/" + whisper) } catch { throw ModelFolderError(error) }
      (family, metadata) = (.whisperGGML, [:])
      return
    }
    let role = folder.describingRole
    guard role != .model || files[.model] != nil else {
      throw ModelFolderError(
        .missingFile, path: folder.path, reason: "The folder \(folder.path) has no network (.onnx).",
        remedy: "Name the folder that has the model's files.")
    }
    let network = try folder.metadata(role)
    if role == .encoder { try folder.checkTransducer() }
    try folder.checkCaches(role)
    guard
      let family = ModelFamily.all.first(where: { $0.roles.first == role && $0.describes(network) })
    else {
      guard network.values.isEmpty else { throw folder.unknown(role, kind: network["model_type"] ?? "") }
      throw folder.error(
        .missingMetadata, role, "has no metadata", "Export the model again with its metadata.")
    }
    try family.check(folder)
    for (role, keys) in family.requiredKeys {
      let values = try folder.metadata(role).values
      guard values["streaming_model_type"] != "nemo_parakeet_unified_streaming",
        let missing = keys.first(where: { values[$0] == nil })
      else { continue }
      throw folder.error(
        .missingMetadata, role,
        "lacks the metadata \"\(missing)\", which a model of the family \(family.rawValue) needs",
        "Export the model again with its metadata, or install it from its source.")
    }
    self.family = family
    let decoder = family.isTransducer ? try folder.metadata(.decoder).values : [:]
    metadata = network.values.merging(decoder) { own, _ in own }
  }
}

extension NetworkFolder {
  /// The role of the network that describes the model.
  fileprivate var describingRole: Role {
    if files[.segmentation] != nil || files[.embedding] != nil { return .segmentation }
    return [Role.encoder, .decoder, .joiner].contains { files[$0] != nil } ? .encoder : .model
  }

  /// The networks of a transducer have their own names.
  fileprivate func checkTransducer() throws(ModelFolderError) {
    let encoder = try metadata(.encoder)
    let kind = encoder["model_type"] ?? ""
    if kind.hasPrefix("whisper") || encoder["n_text_layer"] != nil {
      throw ModelFamily.Retired.whisper.error(path)
    }
    if kind.contains("zipformer"), encoder["decode_chunk_len"] == nil {
      throw ModelFamily.Retired.zipformer.error(path)
    }
    let decoder = try metadata(.decoder)
    let joiner = try metadata(.joiner)
    for (role, other) in [(Role.decoder, decoder), (.joiner, joiner)] where encoder["model_type"] == nil {
      // Only encoders say what the whole model is.
      if other["model_type"] != nil || other["subsampling_factor"] != nil { throw swapped(.encoder, role) }
    }
    // Joiners have one output. Decoders have it too, or they also return the state of their cells.
    let isDecoder = { (network: ONNXMetadata) in
      encoder.isNeMo ? network.outputs.count >= 3 : network["context_size"] != nil
    }
    if !isDecoder(decoder), isDecoder(joiner) { throw swapped(.decoder, .joiner) }
    guard !encoder.isNeMo || isDecoder(decoder) && joiner.outputs.count == 1 else {
      throw unknown(.decoder, kind: kind)
    }
  }
}

extension ONNXMetadata {
  /// Whether the network is one of NeMo.
  var isNeMo: Bool {
    isNeMoStreaming || self["pred_rnn_layers"] != nil
      || self["model_type"]?.hasPrefix("EncDec") ?? (self["subsampling_factor"] != nil)
  }

  /// Whether the network carries caches from chunk to chunk, as NeMo's for streaming do.
  var isNeMoStreaming: Bool {
    values["cache_last_channel_dim1"] != nil || values["chunk_shift"] != nil
      || values["streaming_model_type"] != nil
  }
}
