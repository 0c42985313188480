import Foundation
import Longhand

/// Both engines on the same clips: errors and processor time of `--engine analyzer` compared with `--engine rolling`.
///
/// The engines take turns, and each is first equally often, so that a machine that becomes slower favors neither. Ratios
/// are computed within a round.
struct EngineBenchmark {
  private static let engines: [EngineSelection] = [.analyzer, .rolling]

  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    let clips = try Clips(options, folder: folder)
    let program = LonghandProgram(program: options.longhand, folder: folder)
    var seconds: [EngineSelection: [Double]] = [:]
    var hypotheses: [EngineSelection: [[String]]] = [:]
    for round in 1...options.rounds {
      for engine in round.isMultiple(of: 2) ? Self.engines.reversed() : Self.engines {
        let done = try program.transcribe(
          clips.files, engine: engine,
          name: "longhand --engine \(engine), round \(round) of \(options.rounds)")
        seconds[engine, default: []].append(done.run.processorSeconds)
        hypotheses[engine] = done.transcripts.map(\.normalizedWords)
      }
    }

    let rates = Self.engines.map { clips.errors(of: hypotheses[$0] ?? []).rate }
    let times = Self.engines.map { seconds[$0] ?? [] }
    let ratios = Distribution(zip(times[0], times[1]).map { $0 / $1 })
    for (engine, rate) in zip(Self.engines, rates) {
      report.add("word error rate of --engine \(engine)", rate, unit: .share)
    }
    report.add("difference to rolling", (rates[0] - rates[1]) * 100, unit: .points, goal: .atMost(0.2))
    for (engine, times) in zip(Self.engines, times) {
      report.add("processor time of --engine \(engine)", Distribution(times).median ?? 0, unit: .seconds)
    }
    report.add(
      "ratio to rolling, median of the rounds", ratios.median ?? 0, unit: .ratio, goal: .atMost(1.05))
    report.add("ratio to rolling, least", ratios.least ?? 0, unit: .ratio)
    report.add("ratio to rolling, greatest", ratios.longest ?? 0, unit: .ratio)
  }
}
