import Foundation
import NeuralRecognition
import ServiceSupport

// Threads that wait for each other must not keep a processor from others. OpenMP reads this when the program starts.
if ProcessInfo.processInfo.environment["OMP_WAIT_POLICY"] == nil {
  setenv("OMP_WAIT_POLICY", "PASSIVE", 1)
  setenv("GOMP_SPINCOUNT", "0", 1)
  var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
  execv("/proc/self/exe", &arguments)
}

// Which instructions the processor has is found out now: in the sandbox, Linux gives no permission to use the tile registers.
_ = WhisperModel.hasKernels

// The weights of the largest model have 3 GB.
ServiceProgram<NeuralRecognizer<WhisperEngine>>(.whisper, memory: 8 << 30, isClosed: true).run()
