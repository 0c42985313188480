/// A tensor of a Whisper model.
package struct WhisperTensor: Sendable, Equatable {
  /// How its numbers are stored in a ggml file.
  package enum Kind: Sendable {
    /// As the file's type says, which may be a quantized one.
    case weights
    /// As 16-bit numbers, or 32-bit ones in a file of such.
    case convolution
    /// As 32-bit numbers.
    case exact
  }

  /// Its name in OpenAI's models and in ggml files.
  package let name: String
  /// The lengths of its sides, the outer one first.
  package let shape: [Int]
  package let kind: Kind
  /// The variable of a CTranslate2 model that has its numbers.
  let variable: String
  /// The rows of the variable.
  let rows: Range<Int>
  /// The number of rows of the variable.
  let variableRows: Int

  /// The number of its numbers.
  package var count: Int { shape.reduce(1, *) }
}

extension WhisperDimensions {
  /// All tensors, in the order of the official files.
  package var tensors: [WhisperTensor] {
    var list = TensorList(state: state)
    list.add(
      "decoder.positional_embedding", "decoder/position_encodings/encodings", [Self.textContext, state],
      .exact)
    list.add(
      "encoder.positional_embedding", "encoder/position_encodings/encodings", [Self.audioContext, state],
      .exact)
    list.add("decoder.token_embedding.weight", "decoder/embeddings/weight", [tokens, state], .weights)
    for layer in 0..<textLayers { list.addLayer("decoder", layer, crosses: true) }
    list.addNorm("decoder.ln", "decoder/layer_norm")
    for (name, inputs) in [("conv1", bands), ("conv2", state)] {
      list.add("encoder.\(name).weight", "encoder/\(name)/weight", [state, inputs, 3], .convolution)
      list.add("encoder.\(name).bias", "encoder/\(name)/bias", [state, 1], .exact)
    }
    for layer in 0..<audioLayers { list.addLayer("encoder", layer, crosses: false) }
    list.addNorm("encoder.ln_post", "encoder/layer_norm")
    return list.tensors
  }
}

private struct TensorList {
  let state: Int
  var tensors: [WhisperTensor] = []

  /// - Parameters:
  ///   - part: which of the equal parts of the variable is the tensor.
  ///   - parts: the number of parts.
  mutating func add(
    _ name: String, _ variable: String, _ shape: [Int], _ kind: WhisperTensor.Kind, part: Int = 0,
    of parts: Int = 1
  ) {
    let rows = shape[0]
    tensors.append(
      WhisperTensor(
        name: name, shape: shape, kind: kind, variable: variable, rows: part * rows..<(part + 1) * rows,
        variableRows: parts * rows))
  }

  mutating func addNorm(_ name: String, _ variable: String) {
    add(name + ".weight", variable + "/gamma", [state], .exact)
    add(name + ".bias", variable + "/beta", [state], .exact)
  }

  mutating func addLinear(
    _ name: String, _ variable: String, _ rows: Int, _ columns: Int, part: Int = 0, of parts: Int = 1,
    bias: Bool = true
  ) {
    add(name + ".weight", variable + "/weight", [rows, columns], .weights, part: part, of: parts)
    if bias { add(name + ".bias", variable + "/bias", [rows], .exact, part: part, of: parts) }
  }

  mutating func addLayer(_ side: String, _ layer: Int, crosses: Bool) {
    let block = "\(side).blocks.\(layer)"
    let variable = "\(side)/layer_\(layer)"
    addNorm(block + ".mlp_ln", variable + "/ffn/layer_norm")
    addLinear(block + ".mlp.0", variable + "/ffn/linear_0", 4 * state, state)
    addLinear(block + ".mlp.2", variable + "/ffn/linear_1", state, 4 * state)
    // CTranslate2 keeps query, key and value in one matrix; of an attention to the audio, key and value.
    let own = variable + "/self_attention"
    addNorm(block + ".attn_ln", own + "/layer_norm")
    addLinear(block + ".attn.query", own + "/linear_0", state, state, part: 0, of: 3)
    addLinear(block + ".attn.key", own + "/linear_0", state, state, part: 1, of: 3, bias: false)
    addLinear(block + ".attn.value", own + "/linear_0", state, state, part: 2, of: 3)
    addLinear(block + ".attn.out", own + "/linear_1", state, state)
    guard crosses else { return }
    let audio = variable + "/attention"
    addNorm(block + ".cross_attn_ln", audio + "/layer_norm")
    addLinear(block + ".cross_attn.query", audio + "/linear_0", state, state)
    addLinear(block + ".cross_attn.key", audio + "/linear_1", state, state, part: 0, of: 2, bias: false)
    addLinear(block + ".cross_attn.value", audio + "/linear_1", state, state, part: 1, of: 2)
    addLinear(block + ".cross_attn.out", audio + "/linear_2", state, state)
  }
}
