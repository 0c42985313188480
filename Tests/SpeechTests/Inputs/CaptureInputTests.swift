import AVFoundation
import SoundServer
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Audio from a device of a sound server.
@Suite(.tagged(.soundServer), .serialized, .timeLimit(.minutes(5))) struct CaptureInputTests {
  private static func microphone(_ server: PulseServer) throws -> AVCaptureDevice {
    try #require(AVCaptureDevice.preferred(server: server.address))
  }

  /// The inputs so far of a sequence, and whether it has ended.
  private final class Reader: Sendable {
    private let state = Mutex((inputs: [AnalyzerInput](), hasEnded: false))
    var inputs: [AnalyzerInput] { state.withLock(\.inputs) }
    var hasEnded: Bool { state.withLock(\.hasEnded) }
    var seconds: Double { inputs.reduce(0) { $0 + $1.bufferDuration.seconds } }

    init(_ sequence: some Sendable & AsyncSequence<AnalyzerInput, any Error>) {
      Task {
        for try await input in sequence { state.withLock { $0.inputs.append(input) } }
        state.withLock { $0.hasEnded = true }
      }
    }
  }

  @Test func newSessionGivesTheAudioOfTheDevice() async throws {
    let server = try await PulseServer(rate: 44_100, channels: 2)
    var provider: CaptureInputSequenceProvider? = try await .providerWithSession(
      from: Self.microphone(server), compatibleWith: [SpeechDetector()], priority: .high)
    var session = provider?.captureSession
    #expect(session?.outputs.first === provider?.captureAudioDataOutput)
    #expect(session?.inputs.count == 1 && session?.isRunning == false)
    let reader = Reader(try #require(provider?.analyzerInputs))
    session?.startRunning()
    #expect(await eventually { reader.seconds > 0.3 })
    // A sequence has only what is captured after it was made. It does not need the provider.
    let before = reader.seconds
    let late = Reader(try #require(provider?.analyzerInputs))
    provider = nil
    #expect(await eventually { late.seconds > 0.2 })
    // On a busy machine the first reader may be behind the other one for a moment.
    #expect(await eventually { reader.seconds - late.seconds > before - 0.2 })
    // A pause is a gap, whose length the start time gives.
    session?.stopRunning()
    try await Task.sleep(for: .milliseconds(300))
    let paused = reader.inputs.count
    let length = reader.seconds
    session?.startRunning()
    #expect(await eventually { reader.inputs.count > paused + 3 })
    let resumed = try #require(reader.inputs.dropFirst(paused).first { $0.bufferStartTime != nil })
    #expect(try #require(resumed.bufferStartTime).seconds > length + 0.2)
    #expect(reader.inputs.count { $0.bufferStartTime != nil } == 1)
    #expect(reader.inputs.allSatisfy { $0.bufferFormat == AudioIntake.format })
    session?.stopRunning()
    #expect(!reader.hasEnded)
    session = nil
    #expect(await eventually { reader.hasEnded && late.hasEnded })
  }

  @Test func sessionOfTheProgramIsNotChanged() async throws {
    let server = try await PulseServer()
    let device = try Self.microphone(server)
    let session = AVCaptureSession()
    let provider = try await CaptureInputSequenceProvider.provider(
      from: device, in: session, compatibleWith: [SpeechDetector()])
    #expect(provider.captureSession === session)
    #expect(session.inputs.isEmpty && session.outputs.isEmpty)
    let reader = Reader(provider.analyzerInputs)
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.startRunning()
    // Without the output, as on Apple platforms, there is no audio and no error.
    try await Task.sleep(for: .milliseconds(200))
    #expect(reader.inputs.isEmpty)
    session.addOutput(provider.captureAudioDataOutput)
    #expect(await eventually { reader.seconds > 0.1 })
    session.stopRunning()
  }

  /// What programs do that keep the provider: nothing but the session's stop says that no more audio comes.
  @Test(.tagged(.recognizer), arguments: [false, true])
  func stoppedSessionEndsTheInputThatIsToEnd(isRead: Bool) async throws {
    let server = try await PulseServer()
    let transcriber = SpeechTranscriber(
      locale: Locale(identifier: "en-US"), preset: .progressiveTranscription)
    let provider = try await CaptureInputSequenceProvider.providerWithSession(
      from: Self.microphone(server), compatibleWith: [transcriber])
    let analyzer = SpeechAnalyzer(modules: [transcriber])
    let reading = Task {
      try await transcriber.results.reduce("") { $1.isFinal ? $0 + String($1.text.characters) : $0 }
    }
    let inputs = provider.analyzerInputs
    let analysis = Task {
      if isRead {
        #expect(try await analyzer.analyzeSequence(inputs) != nil)
      } else {
        try await analyzer.start(inputSequence: inputs)
      }
    }
    provider.captureSession.startRunning()
    let player = try server.play(Recordings.librivox("0880"))
    #expect(await eventually { !player.isRunning })
    // A pause does not end it.
    provider.captureSession.stopRunning()
    provider.captureSession.startRunning()
    let again = try server.play(Recordings.librivox("0930"))
    #expect(await eventually { !again.isRunning })
    provider.captureSession.stopRunning()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    try await analysis.value
    let words = try await reading.value.split(separator: " ").map { $0.lowercased() }
    #expect(words.count > 12, "\(words)")
  }

  @Test func inputThatIsToEndEndsWithItsSession() async throws {
    let server = try await PulseServer()
    let detector = SpeechDetector()
    let provider = try await CaptureInputSequenceProvider.providerWithSession(
      from: Self.microphone(server), compatibleWith: [detector])
    let other = Reader(provider.analyzerInputs)
    let analyzer = SpeechAnalyzer(inputSequence: provider.analyzerInputs, modules: [detector])
    provider.captureSession.startRunning()
    #expect(await eventually { other.seconds > 0.2 })
    let isOver = Mutex(false)
    let ending = Task {
      try await analyzer.finalizeAndFinishThroughEndOfInput()
      isOver.withLock { $0 = true }
    }
    let before = other.seconds
    #expect(await eventually { other.seconds > before + 0.5 })
    #expect(!isOver.withLock { $0 })
    // A session whose input is changed does not stop.
    let session = provider.captureSession
    session.removeInput(session.inputs[0])
    session.addInput(try AVCaptureDeviceInput(device: Self.microphone(server)))
    let changed = other.seconds
    #expect(await eventually { other.seconds > changed + 0.5 })
    #expect(!isOver.withLock { $0 })
    session.stopRunning()
    try await ending.value
    // Nobody asked that this one end.
    #expect(!other.hasEnded)
  }

  /// An input that did would end the analysis.
  @Test func noInputBeginsBeforeTheEndOfTheOneBefore() async throws {
    let provider = try CaptureInputSequenceProvider(
      session: AVCaptureSession(), analyzerFormat: AudioIntake.format, priority: nil)
    let reader = Reader(provider.analyzerInputs)
    let output = provider.captureAudioDataOutput
    let connection = AVCaptureConnection(inputPorts: [], output: output)
    let description = try CMFormatDescription(
      audioStreamBasicDescription: AudioStreamBasicDescription(
        mSampleRate: 16_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2,
        mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0))
    for start in [5, 5.1, 5.15, 5.25, 5.3, 6] {
      let buffer = try CMSampleBuffer(
        dataBuffer: CMBlockBuffer(length: 3200), formatDescription: description,
        numSamples: 1600, presentationTimeStamp: CMTime(seconds: start, preferredTimescale: 1000),
        packetDescriptions: [])
      output.sampleBufferDelegate?.captureOutput(output, didOutput: buffer, from: connection)
    }
    #expect(await eventually { reader.inputs.count == 6 })
    #expect(reader.inputs.map { $0.bufferStartTime?.seconds } == [nil, nil, nil, nil, nil, 1])
  }

  @Test func unusableFormatIsRefused() throws {
    #expect {
      _ = try CaptureInputSequenceProvider(
        session: AVCaptureSession(), analyzerFormat: AVAudioFormat(), priority: nil)
    } throws: { SFSpeechError.cannotConfigureAudioSystem ~= $0 }
    #expect(SFSpeechError.Code.cannotConfigureAudioSystem.rawValue == 18)
  }
}
