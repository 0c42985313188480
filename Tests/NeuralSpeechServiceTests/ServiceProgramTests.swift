import ChildProcesses
import Testing

@testable import NeuralSpeechService

@Suite struct ServiceProgramTests {}
