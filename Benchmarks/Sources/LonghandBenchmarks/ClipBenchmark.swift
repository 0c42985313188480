import Foundation
import Longhand

/// Short recordings: word error rate and time, compared with `pocketsphinx single`, which gets each file separately.
struct ClipBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    let clips = try Clips(options, folder: folder)
    let files = clips.files

    let longhand = try LonghandProgram(program: options.longhand, folder: folder)
      .transcribe(files, name: "longhand, \(files.count) clips")
    Log.say("pocketsphinx single, \(files.count) clips …")
    let baseline = try files.map { try PocketSphinx(program: options.pocketsphinx, folder: folder).run($0) }

    report.add("clips", Double(files.count), unit: .count)
    report.add("clip audio", longhand.transcripts.reduce(0) { $0 + $1.duration }, unit: .seconds)
    report.compare(
      "clip word error rate", clips.errors(of: longhand.transcripts.map(\.normalizedWords)).rate,
      clips.errors(of: baseline.map(\.words)).rate, unit: .share)
    report.compare(
      "clip wall time", longhand.run.seconds, baseline.reduce(0) { $0 + $1.run.seconds }, unit: .seconds)
    try compareJobs(files, &report)
  }

  private func compareJobs(_ files: [URL], _ report: inout Report) throws {
    let program = LonghandProgram(program: options.longhand, folder: folder)
    let first = try program.transcribe(files, jobs: 1, name: "longhand --jobs 1, clips")
    let second = try program.transcribe(files, jobs: 2, name: "longhand --jobs 2, clips")
    report.add(
      "clip transcripts that differ with --jobs 1 and 2",
      Double(zip(first.documents, second.documents).filter { $0 != $1 }.count), unit: .count)
  }
}
