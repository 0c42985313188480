import Foundation
import Longhand

/// Short recordings: word error rate and time beside `pocketsphinx single`, which gets each file by itself.
struct ClipBenchmark {
  var options: Options
  var folder: URL

  func run(_ report: inout Report) throws {
    let (rows, source) = try rows()
    guard !rows.isEmpty else {
      throw Program.Failure(description: "no recordings in \(source): run 'make setup', or name a --manifest")
    }
    Log.say("\(rows.count) clips of \(source)")
    let files = try rows.enumerated().map { try convert($1.path, to: "clip-\($0).wav") }
    let references = try rows.map { TextNormalizer().words(in: try $0.reference.scoredText().text) }

    let longhand = try LonghandProgram(program: options.longhand, folder: folder)
      .transcribe(files, name: "longhand, \(files.count) clips")
    let ours = longhand.transcripts.map { TextNormalizer().words(in: $0.text) }
    Log.say("pocketsphinx single, \(files.count) clips …")
    let yardstick = try files.map { try PocketSphinx(program: options.pocketsphinx, folder: folder).run($0) }

    report.add("clips", Double(rows.count), unit: .count)
    report.add("clip audio", longhand.transcripts.reduce(0) { $0 + $1.duration }, unit: .seconds)
    report.compare(
      "clip word error rate", Self.rate(references, ours), Self.rate(references, yardstick.map(\.words)),
      unit: .share)
    report.compare(
      "clip wall time", longhand.run.seconds, yardstick.reduce(0) { $0 + $1.run.seconds }, unit: .seconds)
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

  private static func rate(_ references: [[String]], _ hypotheses: [[String]]) -> Double {
    zip(references, hypotheses).reduce(WordErrorRate()) {
      $0 + WordErrorRate(reference: $1.0, hypothesis: $1.1)
    }.rate
  }

  private func rows() throws -> (rows: [EvaluationManifest.Row], source: String) {
    guard let manifest = options.manifestFile else {
      return (sampleRows(), options.samples)
    }
    var rows = try EvaluationManifest.read(manifest).rows
    if let clips = options.clips, clips < rows.count {
      rows = (0..<clips).map { rows[$0 * rows.count / clips] }
    }
    return (rows, manifest.path)
  }

  private func sampleRows() -> [EvaluationManifest.Row] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: options.samples)) ?? []).sorted()
    let folder = URL(fileURLWithPath: options.samples)
    return names.filter { $0.hasSuffix(".wav") }.enumerated().compactMap { index, name in
      let path = folder.appendingPathComponent(name)
      let text = path.deletingPathExtension().appendingPathExtension("txt")
      guard FileManager.default.fileExists(atPath: text.path) else { return nil }
      return EvaluationManifest.Row(name: name, path: path, reference: .file(text), line: index + 1)
    }
  }

  /// The file as both programs get it: 16 kHz, mono, 16-bit, as PocketSphinx wants it.
  private func convert(_ file: URL, to name: String) throws -> URL {
    let output = folder.appendingPathComponent(name)
    try Program.run(
      [
        "ffmpeg", "-nostdin", "-v", "error", "-i", file.path, "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le",
        output.path,
      ], in: folder)
    return output
  }
}
