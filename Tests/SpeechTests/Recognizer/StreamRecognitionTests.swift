@testable import RecognitionCore
import AVFAudio
import Foundation
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

@Suite(.tagged(.recognizer), .serialized) struct StreamRecognitionTests {
  private static let models = TestedModel.allCases

  private func feed(
    _ samples: [Int16], to request: SFSpeechAudioBufferRecognitionRequest, by size: Int = 1600
  ) throws {
    for start in stride(from: 0, to: samples.count, by: size) {
      request.append(try Recordings.buffer(Array(samples[start..<min(start + size, samples.count)])))
    }
  }

  @Test(arguments: models)
  func partialResultsReplaceEachOtherAndKeepWhatIsFinal(_ model: TestedModel) throws {
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model)
    let task = try recorder.start(request)
    try feed(model.utterances(), to: request)
    request.endAudio()
    try #require(recorder.wait())
    #expect(recorder.finals.count == 1)
    #expect(recorder.errors.isEmpty)
    #expect(recorder.results.count > 10)
    #expect(task.state == .completed)
    let text = recorder.finals[0].bestTranscription.formattedString
    #expect(Recordings.missing(model.textOfUtterances, in: text) < 0.4)
    for partial in recorder.results.dropLast() {
      #expect(partial.bestTranscription.segments.allSatisfy { $0.confidence == 0 })
    }
  }

  @Test(arguments: models) func delegateIsNotifiedInOrder(_ model: TestedModel) throws {
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model)
    let task = try recorder.follow(request)
    try feed(Recordings.silence(0.5) + model.sentence(), to: request)
    task.finish()
    try #require(recorder.wait())
    let calls = recorder.calls.filter { if case .processed = $0 { false } else { true } }
    #expect(calls.first == .detected)
    #expect(calls.count { $0 == .detected } == 1)
    #expect(calls.last == .finished(true))
    let reading = try #require(calls.firstIndex(of: .finishedReading))
    let final = try #require(calls.lastIndex { if case .final = $0 { true } else { false } })
    #expect(reading < final)
    #expect(final < calls.count - 1)
    #expect(calls.contains { if case .hypothesis = $0 { true } else { false } })
  }

  @Test(arguments: models) func audioBeforeTheTaskIsRecognized(_ model: TestedModel) throws {
    let request = SFSpeechAudioBufferRecognitionRequest()
    let samples = try model.sentence()
    try feed(samples, to: request)
    request.endAudio()
    try feed(samples, to: request)
    let recorder = TaskRecorder(model)
    _ = try recorder.start(request)
    try #require(recorder.wait())
    let text = recorder.finals[0].bestTranscription
    #expect(Recordings.missing(model.text, in: text.formattedString) < 0.4)
    // What came after the end is not.
    #expect((text.segments.last?.timestamp ?? 0) < Double(samples.count) / 16_000 + 0.1)
  }

  @Test(arguments: [(44_100.0, 2, false), (8000, 1, true), (48_000, 1, false)])
  func anyFormatIsTaken(_ rate: Double, _ channels: Int, _ interleaved: Bool) throws {
    let source = try AVAudioFile(forReading: Recordings.librivox("0870"))
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: rate, channels: AVAudioChannelCount(channels),
        interleaved: interleaved))
    let input = try #require(
      AVAudioPCMBuffer(pcmFormat: source.processingFormat, frameCapacity: AVAudioFrameCount(source.length)))
    try source.read(into: input)
    let converter = try #require(AVAudioConverter(from: source.processingFormat, to: format))
    let output = try #require(
      AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(Double(source.length) * rate / 16_000) + 4096))
    var given = false
    var error: NSError?
    converter.convert(to: output, error: &error) { _, status in
      status.pointee = given ? .endOfStream : .haveData
      defer { given = true }
      return given ? nil : input
    }
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder()
    _ = try recorder.start(request)
    request.append(output)
    request.endAudio()
    try #require(recorder.wait())
    let text = try #require(recorder.finals.first).bestTranscription
    #expect(Recordings.missing(Recordings.text0870, in: text.formattedString) < (rate == 8000 ? 0.8 : 0.45))
    #expect(abs((text.segments.last.map { $0.timestamp + $0.duration } ?? 0) - 7) < 0.4)
  }

  @Test(arguments: models) func silenceIsReportedAsNoSpeech(_ model: TestedModel) throws {
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model)
    let task = try recorder.start(request)
    request.endAudio()
    try #require(recorder.wait())
    #expect((task.error as NSError?)?.code == 1110)
  }

  @Test(arguments: models) func cancellingGivesNothingMore(_ model: TestedModel) throws {
    let request = SFSpeechAudioBufferRecognitionRequest()
    let recorder = TaskRecorder(model)
    let task = try recorder.start(request)
    try feed(model.sentence(), to: request)
    task.cancel()
    try #require(recorder.wait())
    let count = recorder.results.count
    request.endAudio()
    Thread.sleep(forTimeInterval: 0.3)
    #expect(recorder.results.count == count)
    #expect(recorder.finals.isEmpty)
    #expect(recorder.errors.count == 1)
    #expect((recorder.errors[0] as NSError).code == 301)
  }

  @Test func aStreamThatHasEndedLeavesNothingBehind() throws {
    weak var left: StreamRecognition?
    do {
      let done = DispatchSemaphore(value: 0)
      let stream = StreamRecognition(configuration: ServiceConfiguration(model: .pocketSphinx, mode: .stream))
      { event in
        if case .ended = event { done.signal() }
      }
      left = stream
      stream.start()
      stream.append(
        UncheckedBox(value: try Recordings.buffer(Recordings.goForward())),
        by: UncheckedBox(value: AudioIntake()))
      stream.finish()
      try #require(done.wait(timeout: .now() + 60) == .success)
    }
    // Its threads end a moment later, and with it go its service and the socket to that.
    for _ in 0..<6000 where left != nil { Thread.sleep(forTimeInterval: 0.01) }
    #expect(left == nil)
  }

  /// Recognizes in a stream until it ends or is cancelled, and waits until its service is where it goes then.
  private func stream(
    _ model: TestedModel = .embedded, in pool: SpeechServicePool,
    retention: SpeechServicePool.Retention = .lingering, cancelled: Bool = false, during: () -> Void = {}
  ) throws -> [String] {
    let done = DispatchSemaphore(value: 0)
    let heard = Mutex<[String]>([])
    let stream = StreamRecognition(
      configuration: model.configured(ServiceConfiguration(model: .pocketSphinx, mode: .stream)), pool: pool,
      retention: retention
    ) { event in
      switch event {
      case .utterance(let utterance): heard.withLock { $0.append("\(utterance.candidates)") }
      case .hypothesis: if cancelled { done.signal() }
      case .ended: done.signal()
      default: break
      }
    }
    stream.start()
    let buffer = try Recordings.buffer(model == .embedded ? Recordings.goForward() : model.sentence())
    stream.append(UncheckedBox(value: buffer), by: UncheckedBox(value: AudioIntake()))
    if !cancelled { stream.finish() }
    try #require(done.wait(timeout: .now() + 120) == .success)
    during()
    if cancelled { stream.cancel() }
    for _ in 0..<6000 where pool.streams > 0 { Thread.sleep(forTimeInterval: 0.01) }
    #expect(pool.streams == 0)
    return heard.withLock { $0 }
  }

  @Test(arguments: models)
  func aServiceGoesFromStreamToStreamAndKnowsNothingOfTheLast(_ model: TestedModel) throws {
    let pool = SpeechServicePool(capacity: 1)
    let first = try stream(model, in: pool)
    #expect(pool.idleConfigurations.count == 1)
    var idle: [Int] = []
    _ = try stream(model, in: pool, cancelled: true) { idle.append(pool.idleConfigurations.count) }
    #expect(idle == [0])
    #expect(pool.idleConfigurations.count == 1)
    #expect(try stream(model, in: pool) == first)
    #expect(pool.idleConfigurations.count == 1)
  }

  @Test func aServiceThatIsNotToBeKeptEndsWithItsStream() throws {
    let pool = SpeechServicePool(capacity: 1)
    _ = try stream(in: pool, retention: .none)
    #expect(pool.idleConfigurations.isEmpty)
  }
}
