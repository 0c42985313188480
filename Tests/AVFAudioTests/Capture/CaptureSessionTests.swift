import AVFoundation
import SoundServer
import Synchronization
import TestSupport
import Testing

/// Capture sessions over real servers.
@Suite(.tagged(.soundServer), .serialized, .timeLimit(.minutes(5))) struct CaptureSessionTests {
  /// A session with the default device of `server` that sends to `receiver`.
  private static func session(
    _ server: PulseServer, to receiver: CaptureReceiver, settings: [String: Any]? = nil
  ) throws -> (AVCaptureSession, AVCaptureAudioDataOutput) {
    let session = AVCaptureSession()
    let device = try #require(AVCaptureDevice.preferred(server: server.address))
    let output = AVCaptureAudioDataOutput()
    output.setSampleBufferDelegate(receiver, queue: DispatchQueue(label: "audio"))
    if let settings { output.audioSettings = settings }
    session.beginConfiguration()
    session.addOutput(output)
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.commitConfiguration()
    return (session, output)
  }

  @Test func delegateReceivesAllPlayedAudio() async throws {
    let server = try await PulseServer()
    let (file, noise) = try server.noise(seconds: 4)
    let receiver = CaptureReceiver()
    let (session, output) = try Self.session(server, to: receiver)
    session.startRunning()
    #expect(session.isRunning)
    #expect(await eventually { receiver.samples.count > 0 })
    let player = try server.play(file)
    #expect(await eventually { !player.isRunning })
    let end = receiver.samples.count + 16_000
    #expect(await eventually { receiver.samples.count > end })
    let levels = output.connection(with: .audio)?.audioChannels ?? []
    #expect(levels.count == 1)
    session.stopRunning()
    #expect(!session.isRunning)

    let comparison = SignalComparison(of: noise, in: receiver.samples, rate: 16_000, reach: 1600)
    #expect(comparison.missing == 0)
    #expect(comparison.spread <= 320)
    #expect(receiver.formats == ["16000.0 Hz, 1 channels, 16 bits"])
    #expect(receiver.jumps == [])
    // By the machine's clock, like the host times of `AVAudioEngine`.
    let now = CMTime(value: Int64(AVAudioTime.hostTimeNow), timescale: 1_000_000_000)
    #expect(abs((now - receiver.end).seconds) < 60)
  }

  @Test func buffersHaveTheFormatOfTheSettings() async throws {
    let server = try await PulseServer(rate: 44_100, channels: 2)
    let receiver = CaptureReceiver()
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
    let (session, _) = try Self.session(server, to: receiver, settings: settings)
    session.startRunning()
    #expect(await eventually { receiver.bufferCount > 5 })
    session.stopRunning()
    #expect(receiver.formats == ["8000.0 Hz, 1 channels, 32 bits"])
    #expect(receiver.jumps == [])
  }

  @Test func endOfTheServerIsAnErrorOfTheSession() async throws {
    let server = try await PulseServer()
    let receiver = CaptureReceiver()
    let (session, _) = try Self.session(server, to: receiver)
    let errors = Mutex<[AVError.Code]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { notification in
      let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError
      errors.withLock { $0.append(error?.code ?? .unknown) }
    }
    session.startRunning()
    #expect(await eventually { receiver.bufferCount > 0 })
    server.kill()
    #expect(await eventually { errors.withLock { $0 } == [.deviceWasDisconnected] })
    #expect(!session.isRunning)
    session.startRunning()
    #expect(!session.isRunning)
    #expect(errors.withLock { $0 } == [.deviceWasDisconnected, .deviceNotConnected])
    NotificationCenter.default.removeObserver(observer)
  }

  /// On Apple's platforms a session whose input is changed while it runs does not stop.
  @Test func anotherInputContinuesTheSession() async throws {
    let server = try await PulseServer()
    let receiver = CaptureReceiver()
    let (session, _) = try Self.session(server, to: receiver)
    let names = [
      AVCaptureSession.didStartRunningNotification, AVCaptureSession.didStopRunningNotification,
      AVCaptureSession.runtimeErrorNotification,
    ]
    let posted = PostedNotifications(names, of: session)
    session.startRunning()
    #expect(await eventually { receiver.bufferCount > 0 })
    let device = try #require(AVCaptureDevice.preferred(server: server.address))
    session.beginConfiguration()
    session.removeInput(session.inputs[0])
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.commitConfiguration()
    #expect(session.isRunning)
    let before = receiver.bufferCount
    #expect(await eventually { receiver.bufferCount > before })
    #expect(posted.names == [AVCaptureSession.didStartRunningNotification.rawValue])

    // A change after which nothing can be captured ends it.
    session.beginConfiguration()
    session.removeInput(session.inputs[0])
    server.kill()
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.commitConfiguration()
    #expect(await eventually { posted.count(AVCaptureSession.runtimeErrorNotification.rawValue) == 1 })
    #expect(!session.isRunning)
    #expect(posted.count(AVCaptureSession.didStopRunningNotification.rawValue) == 0)
  }

  /// The thread that captures reads the connections meanwhile.
  @Test func outputCanBeChangedWhileAudioArrives() async throws {
    let server = try await PulseServer()
    let receiver = CaptureReceiver()
    let (session, output) = try Self.session(server, to: receiver)
    session.startRunning()
    #expect(await eventually { receiver.bufferCount > 0 })
    let end = receiver.bufferCount + 10
    let isThrough = await eventually {
      for _ in 0..<1000 {
        session.removeOutput(output)
        session.addOutput(output)
      }
      return receiver.bufferCount > end
    }
    #expect(isThrough)
    #expect(session.connections.count == 1)
    #expect(output.connections.first === session.connections.first)
    session.stopRunning()
  }

  @Test func discoveryFindsMicrophonesAndMonitors() async throws {
    let server = try await PulseServer()
    try server.control(
      "load-module", "module-remap-source", "source_name=phone", "master=mic.monitor",
      "source_properties=device.description=Phone")
    func found(_ types: [AVCaptureDevice.DeviceType], _ media: AVMediaType?) -> [String] {
      AVCaptureDevice.DiscoverySession(
        deviceTypes: types, mediaType: media, position: .unspecified, server: server.address
      ).devices.map(\.uniqueID)
    }
    #expect(found([.microphone], .audio) == ["phone"])
    #expect(found([.external, .microphone], nil) == ["mic.monitor", "phone"])
    #expect(found([.microphone], .video) == [])
    try server.control("set-default-source", "phone")
    let device = try #require(AVCaptureDevice.preferred(server: server.address))
    #expect(device.localizedName == "Phone")
    #expect(device.hasMediaType(.audio))
    #expect(device.isConnected)
    #expect(AVCaptureDevice.default(for: .video) == nil)
  }

  @Test func disabledConnectionDeliversNothing() async throws {
    let server = try await PulseServer()
    let receiver = CaptureReceiver()
    let (session, output) = try Self.session(server, to: receiver)
    #expect(session.connections.count == 1)
    session.startRunning()
    #expect(await eventually { receiver.bufferCount > 0 })
    output.connection(with: .audio)?.isEnabled = false
    session.removeOutput(output)
    #expect(session.connections.isEmpty)
    #expect(session.canAddOutput(output))
    session.stopRunning()
  }
}

extension SessionTests {
  // A server of its own, so that no test captures meanwhile.
  @Test(.tagged(.soundServer)) func captureAsksForThePermissionToRecord() async throws {
    let server = try await PulseServer()
    let device = try #require(AVCaptureDevice.preferred(server: server.address))
    let before = AVAudioApplication.PermissionPolicy.current
    defer { AVAudioApplication.PermissionPolicy.current = before }

    AVAudioApplication.PermissionPolicy.current = .init(.undetermined, answer: .granted)
    #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .notDetermined)
    #expect(await AVCaptureDevice.requestAccess(for: .audio))
    #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .authorized)

    AVAudioApplication.PermissionPolicy.current = .init(.undetermined, answer: .denied)
    let answers = Mutex<[Bool]>([])
    AVCaptureDevice.requestAccess(for: .audio) { answer in answers.withLock { $0.append(answer) } }
    #expect(answers.withLock { $0 } == [false])
    #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .denied)
    let error = #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: device) }
    #expect(error?.code == .applicationIsNotAuthorizedToUseDevice)

    #expect(AVCaptureDevice.authorizationStatus(for: .video) == .restricted)
    #expect(await AVCaptureDevice.requestAccess(for: .video) == false)
  }
}
