import AVFAudio
import SoundServer
import Testing

@testable import AVFAudio

extension EngineTests {
  @Test func errorWithoutServerSaysWhatToDo() throws {
    let folder = try TemporaryFolder()
    let engine = AVAudioEngine(server: "unix:\(folder.file("native").path)")
    #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 0)
    let begin = Date()
    let error = #expect(throws: NSError.self) { try engine.start() }
    #expect(Date().timeIntervalSince(begin) < 60)
    let message = error?.localizedDescription ?? ""
    #expect(message.contains("no sound server"))
    #expect(message.contains("pulseaudio --start"))
    #expect(!engine.isRunning)
  }

  @Test func startFailsIfServerDoesNotAnswer() async throws {
    let server = try await PulseServer()
    let engine = AVAudioEngine(server: server.address)
    server.suspend(true)
    let begin = Date()
    let error = #expect(throws: NSError.self) { try engine.start() }
    #expect(Date().timeIntervalSince(begin) < 60)
    #expect(try #require(error).localizedDescription.contains("does not answer"))
    server.suspend(false)
    try engine.start()
    #expect(engine.isRunning)
  }

  @Test func startFailsForMissingSource() async throws {
    let server = try await PulseServer()
    let engine = AVAudioEngine(server: server.address)
    engine.inputNode.source = try CaptureDevice.preferred(server: server.address)
    try server.control("unload-module", "module-null-sink")
    let error = #expect(throws: NSError.self) { try engine.start() }
    #expect(try #require(error).localizedDescription.contains("no source named mic.monitor"))
  }

  @Test func startFailsForTapWithOtherRate() async throws {
    let server = try await PulseServer(hasSink: false)
    let engine = AVAudioEngine(server: server.address)
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
    engine.inputNode.installTap(onBus: 0, bufferSize: 4800, format: format) { _, _ in }
    try server.control("load-module", "module-null-sink", "sink_name=mic", "rate=16000")
    let error = #expect(throws: NSError.self) { try engine.start() }
    #expect(
      try #require(error).localizedDescription.contains(
        "its sample rate is 16000.0 Hz and that of the tap is 48000.0"))
  }

  @Test func listsSourcesAndMonitors() async throws {
    let server = try await PulseServer()
    try server.control(
      "load-module", "module-null-sink", "sink_name=wide", "rate=48000", "channels=6",
      "sink_properties=device.description=Wide")
    let sources = try CaptureDevice.all(server: server.address)
    #expect(sources.map(\.name).sorted() == ["mic.monitor", "wide.monitor"])
    let wide = try #require(sources.first { $0.name == "wide.monitor" })
    #expect(wide.isMonitor)
    #expect(wide.sampleRate == 48_000)
    #expect(wide.channelCount == 6)
    #expect(wide.description == "Monitor of Wide")
    #expect(wide.format?.channelLayout?.channelCount == 6)
    try server.control("set-default-source", "wide.monitor")
    #expect(try CaptureDevice.preferred(server: server.address).name == "wide.monitor")
  }

  @Test func graphKeepsConnections() throws {
    let engine = AVAudioEngine()
    let mixer = AVAudioMixerNode()
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
    engine.attach(mixer)
    engine.connect(mixer, to: engine.mainMixerNode, format: format)
    #expect(mixer.engine === engine)
    #expect(engine.attachedNodes.count == 4)
    #expect(mixer.outputFormat(forBus: 0) == format)
    #expect(engine.mainMixerNode.inputFormat(forBus: 0) == format)
    #expect(engine.mainMixerNode.nextAvailableInputBus == 1)
    engine.detach(mixer)
    #expect(mixer.engine == nil)
    #expect(engine.mainMixerNode.nextAvailableInputBus == 0)
    #expect(throws: NSError.self) { try engine.inputNode.setVoiceProcessingEnabled(true) }
  }
}
