import Dispatch

/// Runs an analyzer, and what recognizers tell it, one after another on one queue.
final class AnalysisExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(priority: TaskPriority?) {
    let quality: DispatchQoS =
      switch priority {
      case .some(.high): .userInitiated
      case .some(.low): .utility
      case .some(.background): .background
      default: .default
      }
    queue = DispatchQueue(label: "speech.analyzer", qos: quality)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
