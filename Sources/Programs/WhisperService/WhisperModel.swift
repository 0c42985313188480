import CWhisper
import Foundation
import ModelConversion
import NeuralRecognition
import Sandboxing

/// A model in whisper.cpp, with memory for one window.
final class WhisperModel {
  let facts: lh_whisper_facts
  /// The codes of the languages, in the order of their tokens; empty if the model knows English only.
  let languages: [String]
  private let model: OpaquePointer
  private let state: OpaquePointer

  /// The version of whisper.cpp.
  static var version: String { String(cString: lh_whisper_version()) }
  /// Whether this processor has the instructions of our own kernels, which take a fraction of the time of ggml's.
  static var hasKernels: Bool { lh_whisper_kernel_sets() > 0 }

  /// Loads a file that has been inspected. From here on the process opens nothing: what inspection missed must not reach
  /// anything else.
  /// - Parameters:
  ///   - file: the open file; it is closed.
  ///   - sequences: how many texts a search follows at most.
  ///   - threads: how many threads a window is decoded with.
  /// - Returns: nil if it cannot be loaded.
  init?(_ file: FileHandle, sequences: Int, threads: Int) {
    defer { try? file.close() }
    let size = lseek(file.fileDescriptor, 0, SEEK_END)
    Sandbox.enterLoader()
    guard let model = lh_whisper_load_file(file.fileDescriptor, max(0, size)) else { return nil }
    guard let state = lh_whisper_state_new(model, Int32(sequences), Int32(threads)) else {
      lh_whisper_free(model)
      return nil
    }
    (self.model, self.state) = (model, state)
    facts = lh_whisper_get_facts(model)
    languages = (0..<facts.languages).compactMap { lh_whisper_language($0).map { String(cString: $0) } }
  }

  deinit {
    lh_whisper_state_free(state)
    lh_whisper_free(model)
  }

  /// The path of the model in a folder.
  /// - Throws: `NeuralError.model` if it has none that can be loaded.
  static func path(in folder: String) throws(NeuralError) -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = names.filter { $0.hasSuffix(".bin") }.sorted().map { "\(folder)/\($0)" }
    guard let path = paths.first(where: GGMLModel.isOne) else {
      throw .model(
        "The folder \(folder) has no Whisper model (.bin). Install it again with 'longhand models install'.")
    }
    do { _ = try GGMLModel(path: path) } catch { throw .model("\(error)") }
    return path
  }

  /// The bytes of a token.
  func bytes(_ token: Int) -> [UInt8] {
    var count = 0
    guard let text = lh_whisper_token(model, Int32(token), &count) else { return [] }
    return Array(UnsafeRawBufferPointer(start: text, count: count))
  }

  func text(_ sequence: TokenSequence) -> String {
    String(decoding: sequence.tokens.flatMap(bytes), as: UTF8.self)
  }

  /// Encodes audio, and forgets all sequences.
  /// - Parameter frames: the length of the encoder's context.
  func encode(_ samples: [Float], frames: Int) throws(NeuralError) {
    guard lh_whisper_encode(state, samples, Int32(samples.count), Int32(frames)) else {
      throw .failed("decode an utterance")
    }
  }

  /// Appends tokens to sequences.
  /// - Parameter lengths: for each token, over how many tokens of the vocabulary the probabilities of the next are wanted.
  /// - Returns: the logarithms of the probabilities, for each token whose length is not 0.
  func next(_ steps: [TokenStep], lengths: [Int]) throws(NeuralError) -> [[Float]] {
    let size = Int(facts.vocabulary)
    let wanted = lengths.filter { $0 > 0 }
    var rows = [Float](repeating: 0, count: size * wanted.count)
    let isDone = lh_whisper_decode(
      state, steps.map { Int32($0.token) }, steps.map { Int32($0.position) },
      steps.map { Int32($0.sequence) }, lengths.map { Int32($0) }, Int32(steps.count), &rows)
    guard isDone else { throw .failed("decode an utterance") }
    return wanted.enumerated().map { Array(rows[$0.offset * size..<$0.offset * size + $0.element]) }
  }

  /// When text tokens are said, and where pauses are between them. It forgets all sequences.
  /// - Parameter loudness: of each frame of the context that has audio.
  /// - Returns: nil if the attention does not show it.
  func alignment(of tokens: [Int], after prompt: [Int], loudness: [Float]) -> AttentionAlignment? {
    var costs = [Float](repeating: 0, count: (tokens.count + 1) * loudness.count)
    guard
      lh_whisper_attention(
        state, prompt.map { Int32($0) }, Int32(prompt.count), tokens.map { Int32($0) }, Int32(tokens.count),
        Int32(loudness.count), &costs)
    else { return nil }
    // In writing without spaces, letters have three bytes, and a pause may be anywhere.
    let beginsWord = tokens.map { token in
      bytes(token).first.map { $0 == UInt8(ascii: " ") || $0 >= 0xE0 } ?? false
    }
    return AttentionAlignment(costs: costs, loudness: loudness, beginsWord: beginsWord)
  }

  /// The frame at which each text token begins, and at which the last one ends, by the attention alone. It forgets all sequences.
  /// - Parameter frames: how many frames of the context have audio.
  /// - Returns: nil if the attention does not show it.
  func starts(of tokens: [Int], after prompt: [Int], frames: Int) -> [Int]? {
    var starts = [Int32](repeating: 0, count: tokens.count + 1)
    guard
      lh_whisper_align(
        state, prompt.map { Int32($0) }, Int32(prompt.count), tokens.map { Int32($0) }, Int32(tokens.count),
        Int32(frames), &starts)
    else { return nil }
    return starts.map { Int($0) }
  }
}

extension WhisperModel: NextTokens {
  func next(_ steps: [TokenStep]) throws(NeuralError) -> [[Float]] {
    try next(steps, lengths: steps.map { _ in Int(facts.end_of_text) + 1 })
  }

  func copy(_ sequence: Int, to other: Int) { lh_whisper_seq_copy(state, Int32(sequence), Int32(other)) }

  func remove(_ sequence: Int) { lh_whisper_seq_remove(state, Int32(sequence)) }
}
