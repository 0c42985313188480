// Measures Longhand beside PocketSphinx's own program, on the same recordings in the same run.
//
// Figures are printed and never asserted: they depend on the machine. See `Options.usage`.
import Foundation

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let work = try WorkFolder()
  defer { work.remove() }
  var report = Report()
  try ClipBenchmark(options: options, folder: work.url).run(&report)
  if options.isLong { try LongBenchmark(options: options, folder: work.url).run(&report) }
  print(report.table)
  print(try report.json())
} catch {
  Log.say("\(error)")
  exit(error is Options.Mistake ? 2 : 1)
}
