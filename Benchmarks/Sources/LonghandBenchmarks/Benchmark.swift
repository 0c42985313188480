import Foundation

/// The benchmarks, in the order in which they run.
enum Benchmark: String, CaseIterable {
  case clips
  case long
  case engines
  case latency
  case silence
  case nonspeech
  case detector
  case domains
  case store
  case text
  case page

  /// Runs this benchmark.
  func run(_ options: Options, folder: URL, _ report: inout Report) async throws {
    switch self {
    case .clips: try ClipBenchmark(options: options, folder: folder).run(&report)
    case .long: try LongBenchmark(options: options, folder: folder).run(&report)
    case .engines: try EngineBenchmark(options: options, folder: folder).run(&report)
    case .latency: try await LatencyBenchmark(options: options, folder: folder).run(&report)
    case .silence: try SilenceBenchmark(options: options, folder: folder).run(&report)
    case .nonspeech: try NonspeechBenchmark(options: options, folder: folder).run(&report)
    case .detector: try await DetectorBenchmark(options: options, folder: folder).run(&report)
    case .domains: try await DomainBenchmark(options: options, folder: folder).run(&report)
    case .store: try StoreBenchmark(options: options, folder: folder).run(&report)
    case .text: try TextBenchmark(options: options).run(&report)
    case .page: try PageBenchmark(options: options, folder: folder).run(&report)
    }
  }
}

/// A temporary folder for one run.
struct WorkFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("longhand-benchmarks-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
