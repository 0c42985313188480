import RecognitionCore

extension AnalysisSession {
  // MARK: Modules

  /// Starts modules with the next audio, and retires the modules that are not in the list.
  /// - Throws: `SFSpeechError.moduleOutputFailed` if a module belongs to another analyzer.
  func setModules(_ wanted: [any SpeechModule]) throws {
    for module in wanted {
      guard let module = module as? any AnalysisModule, module.claim(for: identity) else {
        let text =
          "A module belongs to another analyzer, or is not one of this framework's. Create a new module."
        throw SFSpeechError(.moduleOutputFailed, userInfo: [NSLocalizedDescriptionKey: text])
      }
    }
    let dropped = modules.filter { old in !wanted.contains { $0 === old } }
    modules = wanted
    for module in dropped {
      guard let run = runs.first(where: { $0.module === module }) else {
        (module as? any AnalysisModule)?.makeSink(at: 0, SinkSetup()).finish(nil)
        continue
      }
      retire(run)
    }
    if timeline.end != nil {
      startRuns()
      for run in runs { run.open(at: position) }
    }
  }

  private func retire(_ run: AnalysisRun) {
    run.isRetired = true
    if let recognizer = run.recognizer, run.sink != nil {
      // It reports `ended` when the audio that it has received is recognized.
      recognizer.finish()
    } else {
      run.sink?.finalize(through: position)
      close(run)
    }
  }

  private func close(_ run: AnalysisRun) {
    run.recognizer?.cancel()
    run.finish(nil)
    runs.removeAll { $0.id == run.id }
    ledger.answer(nil, by: run.id)
  }

  /// Creates a recognizer for each module that has none.
  func startRuns() {
    for case let module as any AnalysisModule in modules where !runs.contains(where: { $0.module === module })
    {
      let id = number()
      let recognizer: (any AnalysisRecognizer)?
      var setup = SinkSetup(reportsUtterances: context.reportsUtterances)
      do {
        (recognizer, setup.model) = try recognizerWithModel(for: module) { [self] event in
          executor.queue.async { self.handle(event, of: id) }
        }
      } catch {
        return end(error)
      }
      runs.append(AnalysisRun(id: id, module: module, recognizer: recognizer, setup: setup))
      recognizer?.start()
    }
  }

  /// The recognizer for a module, and its model; nothing for a module that needs none.
  private func recognizerWithModel(
    for module: any AnalysisModule, _ emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) throws -> ((any AnalysisRecognizer)?, SpeechModel?) {
    guard let demand = module.demand else { return (nil, nil) }
    let model = try demand.model(context: context)
    let configuration = try demand.configuration(context: context, model: model)
    var detection = detection(for: demand)
    detection.languages = context.detectsLanguages.map {
      .init(start: Self.position(at: $0.start), isKnown: $0.isKnown)
    }
    return (makeRecognizer(configuration, detection, emit), model)
  }

  /// How speech is detected for a transcriber: as the analyzer's detector does it.
  private func detection(for demand: TranscriptionDemand) -> SpeechDetection {
    var detection = modules.lazy.compactMap { $0 as? SpeechDetector }.first?.detection ?? .init()
    if demand.cutsOften { detection.segmentation.minimumPause = 0.25 }
    // Words before they are final do not wait for the end of a window.
    detection.packsWindows = !modules.contains {
      ($0 as? any AnalysisModule)?.demand?.wantsHypotheses == true
    }
    return detection
  }

  /// Applies a context to the audio from now on.
  func setContext(_ wanted: AnalysisContext) {
    context = wanted
    for run in runs where !run.isRetired {
      // The configuration was valid when the run started. If its language model has disappeared since, the old one
      // stays.
      guard let model = run.setup.model,
        let configuration = try? run.module.demand?.configuration(context: wanted, model: model)
      else { continue }
      run.recognizer?.reconfigure(configuration)
    }
  }

  // MARK: Events

  func handle(_ event: RecognitionEvent, of id: Int) {
    guard !isFinished, let run = runs.first(where: { $0.id == id }) else { return }
    switch event {
    case .hypothesis(let words): run.sink?.update(words)
    case .utterance(let utterance):
      run.sink?.finalize(utterance)
      finalize(run, through: utterance.audio.range.upperBound)
    case .failure(let samples, let reason):
      let rate = Double(SpeechSegmenter.sampleRate)
      failures.append(Double(samples.lowerBound) / rate..<Double(samples.upperBound) / rate)
      failureReason = reason
      run.sink?.finalize(withoutResult: samples)
      finalize(run, through: samples.upperBound)
    case .decoded(let seconds): run.processed = max(run.processed, Self.position(at: seconds))
    case .processed(let seconds):
      let position = Self.position(at: seconds)
      if position > run.finalized { run.sink?.finalize(withoutResult: run.finalized..<position) }
      finalize(run, through: position)
    case .flushed(let token): ledger.answer(token, by: id)
    case .ended(let error?): end(RecognitionError.error(error, after: failures))
    case .ended(nil): close(run)
    case .speechDetected, .audioEnded: break
    }
    evaluate()
  }

  private static func position(at seconds: TimeInterval) -> Int {
    Int((seconds * Double(SpeechSegmenter.sampleRate)).rounded())
  }

  private func finalize(_ run: AnalysisRun, through end: Int) {
    run.finalized = max(run.finalized, end)
    run.processed = max(run.processed, end)
    guard let all = runs.filter({ $0.recognizer != nil }).map(\.finalized).min() else { return }
    let changed = timeline.finalize(through: AnalysisTimeline.time(of: all))
    report(changedStart: changed, changedEnd: false)
  }
}
