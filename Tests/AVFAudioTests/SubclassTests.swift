import AVFAudio
import Testing

/// What tests of Apple's clients put in place of the real thing: subclasses outside the module.
@Suite struct SubclassTests {
  private final class Engine: AVAudioEngine {
    private let node = Input()
    private var runs = false
    private(set) var attached = 0

    override var inputNode: AVAudioInputNode { node }
    override var isRunning: Bool { runs }
    override func prepare() {}
    override func start() throws { runs = true }
    override func pause() { runs = false }
    override func stop() { runs = false }
    override func attach(_ node: AVAudioNode) { attached += 1 }
    override func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
  }

  private final class Input: AVAudioInputNode {
    private(set) var tap: AVAudioNodeTapBlock?

    override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { Format() }
    override func installTap(
      onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
      block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
      tap = tapBlock
    }
    override func removeTap(onBus bus: AVAudioNodeBus) { tap = nil }
  }

  private final class Format: AVAudioFormat, @unchecked Sendable {
    override class var supportsSecureCoding: Bool { false }
    override var sampleRate: Double { 12_345 }
    override var channelCount: AVAudioChannelCount { 6 }
  }

  private final class Buffer: AVAudioPCMBuffer {
    override var frameLength: AVAudioFrameCount {
      get { .max }
      set { _ = newValue }
    }
    override var frameCapacity: AVAudioFrameCount { .max }
  }

  private final class File: AVAudioFile, @unchecked Sendable {
    override var url: URL { URL(fileURLWithPath: "/sound.wav") }
    override var length: AVAudioFramePosition { 1234 }
    override func read(into buffer: AVAudioPCMBuffer) throws { throw CocoaError(.fileReadUnknown) }
  }

  private final class Converter: AVAudioConverter, @unchecked Sendable {
    override var outputFormat: AVAudioFormat { Format() }
    override func convert(
      to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
      withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
      outError?.pointee = NSError(domain: "test", code: 1)
      return .error
    }
  }

  private final class Session: AVAudioSession, @unchecked Sendable {
    override var currentRoute: AVAudioSessionRouteDescription { Route() }
    override func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
      throw CocoaError(.featureUnsupported)
    }
    override func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
      throw CocoaError(.featureUnsupported)
    }
  }

  private final class Route: AVAudioSessionRouteDescription, @unchecked Sendable {
    override var inputs: [AVAudioSessionPortDescription] { [Port()] }
  }

  private final class Port: AVAudioSessionPortDescription, @unchecked Sendable {
    override var portType: AVAudioSession.Port { .builtInMic }
  }

  private final class Time: AVAudioTime, @unchecked Sendable {
    override var sampleTime: AVAudioFramePosition { 7 }
  }

  private final class Layout: AVAudioChannelLayout, @unchecked Sendable {
    override var channelCount: AVAudioChannelCount { 9 }
  }

  @Test func anEngineRunsWithoutSound() throws {
    let engine = Engine()
    let mock: AVAudioEngine = engine
    try mock.start()
    #expect(mock.isRunning)
    #expect(engine.attached == 0)
    mock.connect(mock.inputNode, to: mock.mainMixerNode, format: nil)
    mock.inputNode.installTap(onBus: 0, bufferSize: 4096, format: nil) { _, _ in }
    #expect((mock.inputNode as? Input)?.tap != nil)
    #expect(mock.inputNode.outputFormat(forBus: 0).sampleRate == 12_345)
    mock.inputNode.removeTap(onBus: 0)
    mock.pause()
    #expect(!mock.isRunning)
    #expect((mock.inputNode as? Input)?.tap == nil)
    mock.attach(AVAudioMixerNode())
    #expect(engine.attached == 1)
    #expect(mock.attachedNodes.count == 3)
  }

  @Test func aNodeOfNoEngineHasNoSource() {
    let node = AVAudioInputNode()
    node.installTap(onBus: 0, bufferSize: 4096, format: nil) { _, _ in }
    node.removeTap(onBus: 0)
    #expect(node.outputFormat(forBus: 0) == AVAudioFormat())
    #expect(node.source == nil)
    #expect(node.lostFrames == 0)
    #expect(AVAudioFormat().sampleRate == 0)
    #expect(AVAudioFormat().channelCount == 0)
    #expect(AVAudioPCMBuffer(pcmFormat: AVAudioFormat(), frameCapacity: 1) == nil)
  }

  @Test func theRestAnswersWhatItOverrides() throws {
    let session: AVAudioSession = Session()
    #expect(throws: CocoaError.self) { try session.setActive(true) }
    #expect(throws: CocoaError.self) { try session.setCategory(.record, mode: .measurement) }
    #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
    #expect(session.category == .soloAmbient)
    #expect(AVAudioSession.sharedInstance() !== session)
    let file: AVAudioFile = File()
    #expect(file.length == 1234)
    #expect(file.url.path == "/sound.wav")
    #expect(!file.isOpen)
    let buffer = try AVAudioPCMBuffer.make([[0]], rate: 8000)
    #expect(throws: CocoaError.self) { try file.read(into: buffer) }
    #expect(throws: NSError.self) { try file.read(into: buffer, frameCount: 1) }
    let time: AVAudioTime = Time(sampleTime: 3, atRate: 8000)
    #expect(time.sampleTime == 7)
    #expect(time.sampleRate == 8000)
    #expect(Layout(layoutTag: kAudioChannelLayoutTag_Mono)?.channelCount == 9)
    let converter: AVAudioConverter = try #require(Converter(from: buffer.format, to: buffer.format))
    var error: NSError?
    #expect(converter.convert(to: buffer, error: &error) { _, _ in nil } == .error)
    #expect(error?.domain == "test")
    #expect(converter.outputFormat.channelCount == 6)
    #expect(converter.inputFormat.channelCount == 1)
  }

  @Test func memoryClaimsOfASubclassAreChecked() throws {
    let format = try #require(
      Format(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true))
    let buffer = try #require(Buffer(pcmFormat: format, frameCapacity: 100))
    #expect(buffer.format.channelCount == 6)
    #expect(buffer.stride == 2)
    #expect(buffer.frameLength == .max)
    let usual = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
    let target = try #require(AVAudioPCMBuffer(pcmFormat: usual, frameCapacity: 100))
    let converter = try #require(AVAudioConverter(from: format, to: usual))
    try converter.convert(to: target, from: buffer)
    #expect(target.frameLength == 100)
    let folder = try TemporaryFolder()
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"), settings: [AVSampleRateKey: 8000, AVNumberOfChannelsKey: 2],
      commonFormat: .pcmFormatInt16, interleaved: true)
    try file.write(from: buffer)
    #expect(file.length == 100)
    file.close()
    let reading = try AVAudioFile(
      forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt16, interleaved: true)
    try reading.read(into: buffer)
    #expect(reading.framePosition == 100)
  }
}
