import Foundation
import Longhand

/// Audio without speech: every recognized word is false. Compared with `pocketsphinx single` on the same files.
struct NonspeechBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    let sounds = options.nonspeechFiles
    guard !sounds.isEmpty else {
      return Log.say("skipped nonspeech: \(options.audio)/nonspeech has no files")
    }
    let converter = Converter(folder: folder)
    let files = try sounds.enumerated().map { try converter.convert($1, to: "nonspeech-\($0).wav") }
    let transcripts = try LonghandProgram(program: options.longhand, folder: folder)
      .transcribe(files, name: "longhand, \(files.count) files without speech").transcripts

    Log.say("pocketsphinx single, \(files.count) files, at most \(Figure.seconds(options.timeout)) each …")
    let program = PocketSphinx(program: options.pocketsphinx, folder: folder)
    var compared = (files: 0, seconds: 0.0, ours: 0, theirs: 0)
    var all = 0
    for (index, sound) in sounds.enumerated() {
      let name = sound.lastPathComponent
      let ours = transcripts[index].normalizedWords.count
      all += ours
      do {
        let theirs = try program.run(files[index], timeout: options.timeout).words.count
        compared.files += 1
        compared.seconds += transcripts[index].duration
        compared.ours += ours
        compared.theirs += theirs
        if ours + theirs > 0 { Log.say("\(name): \(ours) false words, pocketsphinx \(theirs)") }
      } catch let failure as Program.Failure {
        let why = failure.status == PocketSphinx.timedOut ? "timeout" : failure.description
        Log.say("\(name): \(ours) false words; left out of the comparison: pocketsphinx: \(why)")
      }
    }
    report.add("files without speech", Double(files.count), unit: .count)
    report.add("audio without speech", transcripts.reduce(0) { $0 + $1.duration }, unit: .seconds)
    report.add("false words in them", Double(all), unit: .count)
    report.add("files that pocketsphinx finished too", Double(compared.files), unit: .count)
    report.add("audio of those", compared.seconds, unit: .seconds)
    report.compare("false words in those", Double(compared.ours), Double(compared.theirs), unit: .count)
  }
}
