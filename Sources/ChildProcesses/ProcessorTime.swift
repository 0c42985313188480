import Foundation
import Glibc

/// The processor time of this program and of all programs that it started, and that these started.
package enum ProcessorTime {
  /// Seconds of processor time so far. It never decreases while the children collect the status of their own children.
  package static var seconds: TimeInterval {
    seconds(of: RUSAGE_SELF) + seconds(of: RUSAGE_CHILDREN)
      + descendants(of: getpid()).reduce(0) { $0 + seconds(ofProcess: $1) }
  }

  /// Seconds of processor time so far, of a process and of each one below it, with those of their children that have ended.
  package static func ofEach(from process: pid_t) -> [pid_t: TimeInterval] {
    ([process] + descendants(of: process)).reduce(into: [:]) { $0[$1] = seconds(ofProcess: $1) }
  }

  /// Seconds that a process had work to do, but no processor, because others had them: of its threads, the one that waited
  /// longest. 0 where the system does not count them (proc(5): schedstat), and of a process that is gone.
  package static func waiting(_ process: pid_t) -> TimeInterval {
    names(in: "/proc/\(process)/task").map { task in
      let fields = (text(ofFile: "/proc/\(process)/task/\(task)/schedstat") ?? "").split(separator: " ")
      return fields.count > 1 ? (Double(fields[1]) ?? 0) / 1e9 : 0
    }.max() ?? 0
  }

  /// Asked later, it says how many seconds from now on a process waited for a processor.
  package static func waiting(fromNowOn process: pid_t) -> @Sendable () -> TimeInterval {
    let before = waiting(process)
    return { waiting(process) - before }
  }

  /// Of this process, or of its children that have ended.
  private static func seconds(of scope: __rusage_who) -> TimeInterval {
    var usage = rusage()
    getrusage(__rusage_who_t(scope.rawValue), &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }

  /// Of a process and of its children that have ended.
  private static func seconds(ofProcess process: pid_t) -> TimeInterval {
    // proc(5): utime, stime, cutime and cstime, in clock ticks.
    guard let fields = statistics(of: process), fields.count > 14 else { return 0 }
    return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The fields of a process's statistics from its state on; nil if it is gone.
  private static func statistics(of process: pid_t) -> [Substring]? {
    // Not by Foundation's functions for files, which are many times slower.
    guard let text = text(ofFile: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    return text[end...].dropFirst(2).split(separator: " ")
  }

  /// The processes below one.
  private static func descendants(of process: pid_t) -> [pid_t] {
    var found: [pid_t] = []
    var parents = [process]
    // A kernel that does not list children has no such file.
    let children =
      text(ofFile: "/proc/self/task/\(getpid())/children") == nil ? Self.scannedChildren() : nil
    while let parent = parents.popLast() {
      let next = children.map { $0[parent] ?? [] } ?? listedChildren(of: parent)
      found += next
      parents += next
    }
    return found
  }

  private static func listedChildren(of parent: pid_t) -> [pid_t] {
    names(in: "/proc/\(parent)/task").flatMap { task in
      (text(ofFile: "/proc/\(parent)/task/\(task)/children") ?? "").split(separator: " ")
        .compactMap { pid_t($0) }
    }
  }

  /// The children of every process.
  private static func scannedChildren() -> [pid_t: [pid_t]] {
    var children: [pid_t: [pid_t]] = [:]
    for process in names(in: "/proc").compactMap({ pid_t($0) }) {
      guard let fields = statistics(of: process), fields.count > 1, let parent = pid_t(fields[1]) else {
        continue
      }
      children[parent, default: []].append(process)
    }
    return children
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  private static func text(ofFile path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
