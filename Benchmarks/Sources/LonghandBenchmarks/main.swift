// Compares Longhand with PocketSphinx's own program on the same recordings in the same run.
//
// Figures are printed and never asserted, because they depend on the machine. See `Options.usage`.
import Foundation

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  ServiceLocation.set(program: options.longhand)
  ProcessorTime.adoptOrphans()
  let work = try WorkFolder()
  defer { work.remove() }
  var report = Report()
  var hasFailed = false
  for benchmark in Benchmark.allCases where options.only.contains(benchmark) {
    do {
      try await benchmark.run(options, folder: work.url, &report)
    } catch {
      // Keep the results of the other benchmarks.
      Log.say("\(benchmark.rawValue) failed: \(error)")
      hasFailed = true
    }
  }
  print(report.table)
  print(try report.json())
  if hasFailed {
    work.remove()
    exit(1)
  }
} catch {
  Log.say("\(error)")
  exit(error is Options.Mistake ? 2 : 1)
}
