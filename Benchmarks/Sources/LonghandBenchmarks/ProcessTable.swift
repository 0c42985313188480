import Foundation

/// The processes of the machine, by `/proc`; empty where there is none.
struct ProcessTable {
  /// The parent of each process.
  private let parents: [Int32: Int32]

  init() {
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
    self.parents = parents
  }

  /// What a process started itself, or adopted.
  func children(of process: Int32) -> Set<Int32> {
    Set(parents.filter { $0.value == process }.keys)
  }

  /// A process and all that descend from it.
  func tree(under root: Int32) -> Set<Int32> {
    var tree: Set<Int32> = [root]
    while true {
      let children = parents.filter { tree.contains($0.value) && !tree.contains($0.key) }.keys
      if children.isEmpty { return tree }
      tree.formUnion(children)
    }
  }
}
