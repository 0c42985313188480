import CoreMedia

extension AnalysisSession {
  // MARK: Modules

  /// Puts modules to work from the next audio on, and lets those go that are not among them.
  /// - Throws: `SFSpeechError.moduleOutputFailed` if one belongs to another analyzer.
  func setModules(_ wanted: [any SpeechModule]) throws {
    for module in wanted {
      guard let module = module as? any AnalysisModule, module.claim(for: identity) else {
        let text = "A module is of another analyzer, or none of this framework's."
        throw SFSpeechError(.moduleOutputFailed, userInfo: [NSLocalizedDescriptionKey: text])
      }
    }
    let dropped = modules.filter { old in !wanted.contains { $0 === old } }
    modules = wanted
    for module in dropped {
      guard let run = runs.first(where: { $0.module === module }) else {
        (module as? any AnalysisModule)?.makeSink(at: 0).finish(nil)
        continue
      }
      retire(run)
    }
    if timeline.end != nil {
      startRuns()
      for run in runs { run.open(at: place) }
    }
  }

  private func retire(_ run: AnalysisRun) {
    run.isRetired = true
    if let recognizer = run.recognizer, run.sink != nil {
      // It answers `ended` when what it has taken is recognized.
      recognizer.finish()
    } else {
      run.sink?.commit(through: place)
      close(run)
    }
  }

  private func close(_ run: AnalysisRun) {
    run.recognizer?.cancel()
    run.finish(nil)
    runs.removeAll { $0.id == run.id }
    ledger.answer(nil, by: run.id)
  }

  /// Gives every module that has none a recognizer.
  func startRuns() {
    for case let module as any AnalysisModule in modules where !runs.contains(where: { $0.module === module })
    {
      let id = number()
      let recognizer: (any AnalysisRecognizer)?
      do {
        recognizer = try module.demand.map { demand in
          makeRecognizer(try demand.configuration(context: context), detection(for: demand)) { [self] event in
            executor.queue.async { self.handle(event, of: id) }
          }
        }
      } catch {
        return end(error)
      }
      runs.append(AnalysisRun(id: id, module: module, recognizer: recognizer))
      recognizer?.start()
    }
  }

  /// How speech is told from what is none for a transcriber: by a detector beside it.
  private func detection(for demand: TranscriptionDemand) -> SpeechDetection {
    var detection = modules.lazy.compactMap { $0 as? SpeechDetector }.first?.detection ?? .init()
    if demand.cutsOften { detection.segmentation.minimumPause = 0.25 }
    return detection
  }

  /// Tells the recognizers what is likely to be said from now on.
  func setContext(_ wanted: AnalysisContext) {
    context = wanted
    for run in runs where !run.isRetired {
      // It could be served when the run began; if its language model has gone since, what was said before goes
      // on.
      guard let configuration = try? run.module.demand?.configuration(context: wanted) else { continue }
      run.recognizer?.reconfigure(configuration)
    }
  }

  // MARK: Events

  func handle(_ event: RecognitionEvent, of id: Int) {
    guard !isFinished, let run = runs.first(where: { $0.id == id }) else { return }
    switch event {
    case .hypothesis(let words): run.sink?.hear(words)
    case .utterance(let utterance):
      run.sink?.settle(utterance)
      settle(run, through: utterance.audio.range.upperBound)
    case .failure(let samples, let reason):
      let rate = Double(SpeechSegmenter.sampleRate)
      failures.append(Double(samples.lowerBound) / rate..<Double(samples.upperBound) / rate)
      failureReason = reason
      run.sink?.settle(without: samples)
      settle(run, through: samples.upperBound)
    case .processed(let seconds):
      let place = Int((seconds * Double(SpeechSegmenter.sampleRate)).rounded())
      if place > run.settled { run.sink?.settle(without: run.settled..<place) }
      settle(run, through: place)
    case .flushed(let token): ledger.answer(token, by: id)
    case .ended(let error?): end(RecognitionError.error(error, after: failures))
    case .ended(nil): close(run)
    case .speechDetected, .audioEnded: break
    }
    evaluate()
  }

  private func settle(_ run: AnalysisRun, through end: Int) {
    run.settled = max(run.settled, end)
    run.processed = max(run.processed, end)
    guard let all = runs.filter({ $0.recognizer != nil }).map(\.settled).min() else { return }
    let changed = timeline.finalize(through: AnalysisTimeline.time(of: all))
    report(changedStart: changed, changedEnd: false)
  }
}
