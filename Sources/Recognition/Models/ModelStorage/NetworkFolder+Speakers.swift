extension NetworkFolder {
  static let segmentationKeys = [
    "sample_rate", "window_size", "receptive_field_size", "receptive_field_shift", "num_speakers",
    "powerset_max_classes", "num_classes",
  ]
  static let embeddingKeys = ["framework", "output_dim", "sample_rate", "normalize_samples"]

  /// Checks what the service that separates voices relies on.
  /// - Throws: `ModelFolderError`.
  func checkSpeakers() throws(ModelFolderError) {
    let segmentation = try metadata(.segmentation)
    let embedding = try metadata(.embedding)
    if segmentation["num_classes"] == nil, embedding["num_classes"] != nil {
      throw swapped(.segmentation, .embedding)
    }
    for (role, network, keys) in [
      (Role.segmentation, segmentation, Self.segmentationKeys),
      (.embedding, embedding, Self.embeddingKeys),
    ] {
      guard let missing = keys.first(where: { network[$0] == nil }) else { continue }
      throw error(
        .missingMetadata, role, "lacks the metadata \"\(missing)\"",
        "Export the model again with its metadata, or install it from its source.")
    }
    func number(_ role: Role, _ network: ONNXMetadata, _ key: String, _ range: ClosedRange<Int>)
      throws(ModelFolderError) -> Int
    {
      if let value = network[key].flatMap({ Int($0) }), range.contains(value) { return value }
      throw error(
        .missingMetadata, role,
        "has the metadata \"\(key)\" with the value \"\(network[key] ?? "")\", which cannot be right",
        "Export the model again with its metadata, or install it from its source.")
    }
    let rate = 16_000
    for (role, network) in [(Role.segmentation, segmentation), (.embedding, embedding)] {
      _ = try number(role, network, "sample_rate", rate...rate)
    }
    let window = try number(.segmentation, segmentation, "window_size", rate...60 * rate)
    _ = try number(.segmentation, segmentation, "receptive_field_size", 1...window)
    _ = try number(.segmentation, segmentation, "receptive_field_shift", 16...rate)
    let speakers = try number(.segmentation, segmentation, "num_speakers", 1...16)
    let largest = try number(.segmentation, segmentation, "powerset_max_classes", 1...2)
    // The sets of at most `largest` of the speakers, with the empty one.
    let classes = 1 + speakers + (largest > 1 ? speakers * (speakers - 1) / 2 : 0)
    _ = try number(.segmentation, segmentation, "num_classes", classes...classes)
    _ = try number(.embedding, embedding, "output_dim", 1...8192)
    _ = try number(.embedding, embedding, "normalize_samples", 0...1)
    // The frameworks whose networks hear the bands that they are given.
    guard let framework = embedding["framework"], ["3d-speaker", "wespeaker"].contains(framework)
    else {
      throw unknown(.embedding, kind: embedding["framework"] ?? "")
    }
  }
}
