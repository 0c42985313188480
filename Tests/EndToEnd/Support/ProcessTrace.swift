#if os(Linux)
  import Foundation

  /// What a process held while it worked: its resident memory and its descriptors, by how far it had come.
  struct ProcessTrace {
    /// One look at it.
    struct Sample {
      /// Hours of sound until then.
      var hours: Double
      /// Resident memory in bytes.
      var memory: Double
      /// Open descriptors.
      var descriptors: Int
    }

    private(set) var samples: [Sample] = []

    /// Looks at a process; one that has ended has nothing to show.
    mutating func look(at process: Int32, after hours: Double) {
      let folder = "/proc/\(process)"
      guard let pages = try? String(contentsOfFile: "\(folder)/statm", encoding: .utf8).split(separator: " "),
        pages.count > 1, let resident = Double(pages[1]),
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
      else { return }
      add(
        Sample(
          hours: hours, memory: resident * Double(sysconf(Int32(_SC_PAGESIZE))), descriptors: descriptors))
    }

    mutating func add(_ sample: Sample) { samples.append(sample) }

    /// What was looked at after the first quarter: by then everything has been used once.
    private var warm: ArraySlice<Sample> { samples.dropFirst(samples.count / 4) }

    /// Megabytes of memory that an hour of sound adds, by the least squares; nil for too few samples.
    var slope: Double? {
      guard warm.count >= 8 else { return nil }
      let count = Double(warm.count)
      let hours = warm.reduce(0) { $0 + $1.hours } / count
      let memory = warm.reduce(0) { $0 + $1.memory } / count
      let spread = warm.reduce(0) { $0 + ($1.hours - hours) * ($1.hours - hours) }
      guard spread > 0 else { return nil }
      return warm.reduce(0) { $0 + ($1.hours - hours) * ($1.memory - memory) } / spread / 1_048_576
    }

    /// What a program that may run for days must not do; empty when all is well.
    /// - Parameter slope: the most megabytes that an hour may add.
    func complaints(slope most: Double) -> [String] {
      guard let slope else { return ["too few samples: \(samples.count)"] }
      var complaints: [String] = []
      if slope > most { complaints.append("memory grows by \(slope) MB an hour") }
      let half = warm.prefix(warm.count / 2).map(\.descriptors).max() ?? 0
      let end = warm.suffix(warm.count / 2).map(\.descriptors).max() ?? 0
      if end > half { complaints.append("descriptors grow from \(half) to \(end)") }
      return complaints
    }
  }
#endif
