#if os(Linux)
  import Foundation

  /// Sockets that processes hold open, by the numbers that `/proc` gives them.
  enum OpenSockets {
    /// The sockets of a process and of all that descend from it.
    static func ofTree(under root: Int32) -> Set<String> {
      tree(under: root).reduce(into: []) { $0.formUnion(held(by: $1)) }
    }

    /// A process and all that descend from it.
    static func tree(under root: Int32) -> [Int32] {
      let parents = parents()
      var found: [Int32] = []
      var waiting = [root]
      while let process = waiting.popLast() {
        found.append(process)
        waiting += parents.filter { $0.value == process }.keys
      }
      return found
    }

    /// The sockets of one process.
    static func held(by process: Int32) -> Set<String> {
      let folder = "/proc/\(process)/fd"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let targets = files.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      return Set(targets.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
    }

    /// The parent of every process.
    private static func parents() -> [Int32: Int32] {
      var parents: [Int32: Int32] = [:]
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      for process in names.compactMap({ Int32($0) }) {
        // The name stands in parentheses and may hold anything; the parent is the second field after it.
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
          let end = line.lastIndex(of: ")")
        else { continue }
        let fields = line[line.index(after: end)...].split(separator: " ")
        if fields.count > 1 { parents[process] = Int32(fields[1]) }
      }
      return parents
    }

    /// Those of `ofTree` that are not local (`AF_UNIX`): bound and connected or not, of whatever protocol.
    static func beyondThisMachine(under root: Int32) -> Set<String> {
      var found = ofTree(under: root)
      // The table is read in parts while others open and close sockets (a browser hundreds of them), and a line may
      // fall between two of them; a socket that is closed meanwhile is in no table. What is meant stays open and is in
      // the table at no look.
      for look in 0..<50 where !found.isEmpty {
        if look > 0 { usleep(2000) }
        found = found.intersection(ofTree(under: root)).subtracting(local())
      }
      return found
    }

    /// Every local socket of this machine.
    static func local() -> Set<String> {
      // Not `String(contentsOfFile:)`, which ends at the first 4 KB of such a file.
      let table = FileHandle(forReadingAtPath: "/proc/net/unix").flatMap { try? $0.readToEnd() } ?? Data()
      return Set(
        String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
          let fields = line.split(separator: " ")
          return fields.count > 6 ? String(fields[6]) : nil
        })
    }
  }
#endif
