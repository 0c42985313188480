import AVFAudio
import Testing

@Suite struct TimeTests {
  @Test func hostTimeIsNanoseconds() {
    #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
    #expect(AVAudioTime.seconds(forHostTime: 250_000_000) == 0.25)
    #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
  }

  @Test func extrapolatesBothWays() throws {
    let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 16_000, atRate: 16_000)
    let later = AVAudioTime(sampleTime: 24_000, atRate: 16_000)
    #expect(!later.isHostTimeValid)
    #expect(later.extrapolateTime(fromAnchor: anchor)?.hostTime == 1_500_000_000)
    #expect(AVAudioTime(hostTime: 2_000_000_000).extrapolateTime(fromAnchor: anchor)?.sampleTime == 32_000)
    #expect(AVAudioTime(sampleTime: 1, atRate: 8000).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(later.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
  }
}

@Suite(.serialized) struct SessionTests {
  @Test func sessionKeepsItsSettings() throws {
    let session = AVAudioSession.sharedInstance()
    #expect(session === AVAudioSession.sharedInstance())
    #expect(session.category == .soloAmbient)
    #expect(session.mode == .default)
    try session.setCategory(.playAndRecord, mode: .measurement, options: [.duckOthers, .allowAirPlay])
    try session.setActive(true, options: .notifyOthersOnDeactivation)
    #expect(session.category == .playAndRecord)
    #expect(session.mode == .measurement)
    #expect(session.categoryOptions.rawValue == 0x42)
    try session.setCategory(.record)
    #expect(session.category == .record)
    #expect(session.categoryOptions.isEmpty)
    #expect(throws: NSError.self) { try session.setPreferredSampleRate(.nan) }
    try session.setCategory(.soloAmbient, mode: .default)
  }

  @Test func recordingIsPermitted() async {
    var answer = false
    AVAudioSession.sharedInstance().requestRecordPermission { answer = $0 }
    #expect(answer)
    #expect(AVAudioSession.sharedInstance().recordPermission == .granted)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    #expect(await AVAudioApplication.requestRecordPermission())
  }
}
