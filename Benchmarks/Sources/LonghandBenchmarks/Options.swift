import Foundation

/// The command line options.
struct Options {
  /// A mistake in the command line.
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  static let usage = """
    usage: LonghandBenchmarks [options]
      --longhand PATH       the program to measure (default: longhand)
      --pocketsphinx PATH   the program to compare with (default: pocketsphinx)
      --only NAME[,NAME]    run only these benchmarks (default: all):
                            clips      errors and time, compared with pocketsphinx
                            long       an assembled hour of talk: errors, time, memory, times of words
                            engines    errors and processor time of --engine analyzer, compared with rolling
                            latency    how soon an analyzer returns results of live speech
                            silence    an hour, two thirds of it silent: processor time, memory, lost or repeated words
                            nonspeech  false words in audio without speech, compared with pocketsphinx
                            detector   how much of that audio it reports as speech, and how many words of the clips it loses
                            domains    vocabularies: found phrases, errors in other speech, time to compile
                            store      the transcript store: append, last page, search, erasure
                            text       finding names in an hour of text, and choosing among candidates
                            page       the page in Chromium, with 2,000 sessions and one of ten hours: first paint, search,
                                       scrolling, memory, and how soon it shows a new segment
      --samples DIR         recordings with a text beside each
                            (default: /usr/local/share/pocketsphinx/samples/librivox)
      --audio DIR           a folder with dev/manifest.tsv, make-long.py, nonspeech and orders (default: ../shared/audio);
                            benchmarks without their files are skipped; without a manifest, clips uses the samples
      --domains DIR         vocabularies and their terms (default: Tests/EndToEnd/Domains)
      --manifest FILE       the clips to measure: path, tab, text
      --clips N             at most N clips, taken evenly from the manifest
      --minutes M           use only the first M minutes in long and silence
      --live-minutes M      minutes of audio for latency, played in real time (default: 4)
      --rounds N            how often engines runs each engine (default: 3)
      --timeout S           maximum seconds of pocketsphinx for a file in nonspeech (default: 120)
      --store-hours H       hours of talk in the store (default: 100)
    """

  var only = Set(Benchmark.allCases)
  var longhand = "longhand"
  var pocketsphinx = "pocketsphinx"
  var samples = "/usr/local/share/pocketsphinx/samples/librivox"
  var audio = "../shared/audio"
  var domains = "Tests/EndToEnd/Domains"
  var manifest: String?
  var clips: Int?
  var minutes: Double?
  var liveMinutes = 4.0
  var rounds = 3
  var timeout = 120.0
  var storeHours = 100.0

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    func value(of option: String) throws(Mistake) -> String {
      guard let value = rest.popFirst() else { throw Mistake(description: "\(option) needs a value") }
      return value
    }
    func number(of option: String) throws(Mistake) -> Double {
      let text = try value(of: option)
      guard let number = Double(text), number > 0 else {
        throw Mistake(description: "\(option) needs a number above 0, not '\(text)'")
      }
      return number
    }
    while let option = rest.popFirst() {
      switch option {
      case "--only": only = try Self.benchmarks(try value(of: option))
      case "--longhand": longhand = try value(of: option)
      case "--pocketsphinx": pocketsphinx = try value(of: option)
      case "--samples": samples = try value(of: option)
      case "--audio": audio = try value(of: option)
      case "--domains": domains = try value(of: option)
      case "--manifest": manifest = try value(of: option)
      case "--clips": clips = Int(try number(of: option).rounded(.up))
      case "--minutes": minutes = try number(of: option)
      case "--live-minutes": liveMinutes = try number(of: option)
      case "--rounds": rounds = Int(try number(of: option).rounded(.up))
      case "--timeout": timeout = try number(of: option)
      case "--store-hours": storeHours = try number(of: option)
      default: throw Mistake(description: "unknown option '\(option)'\n\(Self.usage)")
      }
    }
  }

  private static func benchmarks(_ names: String) throws(Mistake) -> Set<Benchmark> {
    var chosen: Set<Benchmark> = []
    for name in names.split(separator: ",") {
      guard let benchmark = Benchmark(rawValue: String(name)) else {
        let known = Benchmark.allCases.map(\.rawValue).joined(separator: ", ")
        throw Mistake(description: "unknown benchmark '\(name)' after --only: use \(known)")
      }
      chosen.insert(benchmark)
    }
    guard !chosen.isEmpty else { throw Mistake(description: "--only needs a name") }
    return chosen
  }

  /// The manifest: from --manifest, else from the audio folder; nil if there is none.
  var manifestFile: URL? {
    if let manifest { return URL(fileURLWithPath: manifest) }
    return audioFile("dev/manifest.tsv")
  }

  /// The files without speech; empty if there are none.
  var nonspeechFiles: [URL] {
    guard let folder = audioFile("nonspeech") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".flac") }.sorted().map { folder.appendingPathComponent($0) }
  }

  /// The program that assembles the long recordings; nil if it does not exist.
  var assembler: URL? { audioFile("make-long.py") }

  /// A file in the audio folder; nil if it does not exist.
  func audioFile(_ name: String) -> URL? {
    guard !audio.isEmpty else { return nil }
    let file = URL(fileURLWithPath: audio).appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }
}
