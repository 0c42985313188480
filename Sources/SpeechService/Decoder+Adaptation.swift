import CPocketSphinx
import Foundation
import Sandboxing
import SpeechServiceProtocol

extension Decoder {
  /// The lowest rate of speech, in words per second, each word weighted with its confidence, of an utterance that is learned
  /// from. Measured: what is found in music and animals has 0.65 and less, 108 of 117 utterances with noise 10 dB below the
  /// speech have more.
  private static let leastSupportToLearn = 0.7

  /// Recognizes the utterance, aligns the states of its words with the audio, and returns what they tell of the voice.
  ///
  /// The general language model recognizes it, so that domain models do not change ordinary speech in this way either.
  func learn() throws(DecoderError) -> AdaptationStatistics {
    defer { abandon() }
    guard let adaptation, utterance.count >= Self.shortest else { return AdaptationStatistics() }
    use(nil)
    use(warp: VocalTract.warp(of: utterance))
    try searchByGeneralModel()
    let states = Result { () throws(DecoderError) in try alignedStates() }
    if domainWeight > 0 { try searchByAllModels() } else { try searchByGeneralModel() }
    guard let states = try states.get() else { return AdaptationStatistics() }
    return adaptation.statistics(of: states, features: features(of: utterance))
  }

  /// The states of the words of the utterance, with their times; nil if the words are not sure to be speech. The search for
  /// them stays active.
  private func alignedStates() throws(DecoderError) -> [MeanAdaptation.State]? {
    try decodeWhole(utterance)
    // A model adapted to music would recognize words in it.
    guard ps_get_hyp(handle, nil) != nil, support(of: words(ps_seg_iter(handle))) >= Self.leastSupportToLearn,
      ps_set_alignment(handle, nil) == 0
    else { return nil }
    try decodeWhole(utterance)
    return ps_get_alignment(handle).map(Self.states)
  }

  /// Uses means that are adapted, from the next utterance on.
  func use(_ transform: MeanAdaptation.Transform?) {
    guard let adaptation, transform != nil || isAdapted else { return }
    let text = (transform ?? .identity).text(streams: adaptation.parameters.streams)
    guard let file = MemoryFile(Data(text.utf8)), let read = ps_mllr_read(file.path) else { return }
    ps_update_mllr(handle, read)
    ps_mllr_free(read)
    isAdapted = transform != nil
  }

  /// The states of an alignment.
  private static func states(of alignment: OpaquePointer) -> [MeanAdaptation.State] {
    var states: [MeanAdaptation.State] = []
    var phone = ps_alignment_phones(alignment)
    while let current = phone {
      let name = ps_alignment_iter_name(current).map { String(cString: $0) } ?? ""
      var state = ps_alignment_iter_children(current)
      while let part = state {
        var start: Int32 = 0
        var length: Int32 = 0
        ps_alignment_iter_seg(part, &start, &length)
        let senone = ps_alignment_iter_name(part).flatMap { Int(String(cString: $0)) } ?? -1
        states.append(
          .init(phone: name, senone: senone, frames: Int(start)..<Int(start) + max(0, Int(length))))
        state = ps_alignment_iter_next(part)
      }
      phone = ps_alignment_iter_next(current)
    }
    return states
  }

  /// The features of an utterance, by frames and streams, as they are decoded.
  private func features(of samples: [Int16]) -> [[[Float]]] {
    // Before anything is asked for: this replaces the front end.
    guard let adaptation, ps_reinit_feat(handle, nil) == 0, let frontEnd = ps_get_fe(handle),
      let computer = ps_get_feat(handle)
    else { return [] }
    var samples = samples
    Self.disturbDigitalSilence(&samples)
    var cepstra: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var count: Int32 = 0
    guard fe_start_utt(frontEnd) == 0,
      fe_process_utt(frontEnd, samples, samples.count, &cepstra, &count) >= 0
    else { return [] }
    defer { fe_free_2d(cepstra) }
    var rest = [Float](repeating: 0, count: AcousticModelParameters.width)
    var restCount: Int32 = 0
    fe_end_utt(frontEnd, &rest, &restCount)
    // The window of the delta coefficients makes no more frames of a whole utterance than this.
    let room = count + 16
    guard count > 0, let frames = feat_array_alloc(computer, room) else { return [] }
    defer { feat_array_free(frames) }
    let made = feat_s2mfc2feat_live(computer, cepstra, &count, 1, 1, frames)
    return (0..<Int(max(0, made))).map { frame in
      (0..<adaptation.parameters.streams).map { stream in
        guard let values = frames[frame]?[stream] else { return [] }
        return Array(UnsafeBufferPointer(start: values, count: AcousticModelParameters.width))
      }
    }
  }
}
