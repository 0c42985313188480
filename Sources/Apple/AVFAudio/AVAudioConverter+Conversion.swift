import AudioDecoding
import Foundation

extension AVAudioConverter {
  func convertAll(of inputBuffer: AVAudioPCMBuffer, into outputBuffer: AVAudioPCMBuffer) throws {
    outputBuffer.frameLength = 0
    guard source.basicDescription.mSampleRate == target.basicDescription.mSampleRate else {
      throw AudioError.make(
        .badParameter,
        "cannot convert \(source.sampleRate) Hz to \(target.sampleRate) Hz without an input block: "
          + "call convert(to:error:withInputFrom:)")
    }
    guard inputBuffer.basis.isSame(as: source), outputBuffer.basis.isSame(as: target) else {
      throw AudioError.make(.unsupportedFormat, "a buffer is not of the converter's format")
    }
    let count = inputBuffer.filled
    guard outputBuffer.capacity >= count else {
      throw AudioError.make(.badParameter, "\(count) frames do not fit into \(outputBuffer.capacity)")
    }
    let engine = withLock { SampleConverter(from: input, to: output, options: options) }
    let frames = inputBuffer.planes().map { UnsafePointer($0) }
    guard let written = engine?.convert(frames, count: count, to: outputBuffer.planes(), room: count) else {
      throw AudioError.make(.unspecified, "the conversion failed")
    }
    outputBuffer.frameLength = AVAudioFrameCount(written)
  }

  func convert(
    into outputBuffer: AVAudioBuffer, _ outError: NSErrorPointer,
    from inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    do {
      guard let outputBuffer = outputBuffer as? AVAudioPCMBuffer, outputBuffer.basis.isSame(as: target) else {
        throw AudioError.make(.unsupportedFormat, "the output buffer is not of \(target)")
      }
      return try withLock { try fill(outputBuffer, from: inputBlock) }
    } catch {
      outError?.pointee = error as NSError
      return .error
    }
  }

  private func fill(
    _ target: AVAudioPCMBuffer, from inputBlock: AVAudioConverterInputBlock
  ) throws -> AVAudioConverterOutputStatus {
    target.frameLength = 0
    let capacity = Int(target.capacity)
    var done = 0
    defer { target.frameLength = AVAudioFrameCount(done) }
    while done < capacity {
      done += try step(into: target, at: done, room: capacity - done)
      guard done < capacity, pending == nil else { continue }
      if hasEnded {
        // A step that yields nothing after the end means that the engine is empty.
        let rest = try step(into: target, at: done, room: capacity - done)
        if rest > 0 {
          done += rest
          continue
        }
        return done > 0 ? .haveData : .endOfStream
      }
      switch try ask(inputBlock, wanted: wantedInput(for: capacity - done)) {
      case .haveData: continue
      case .endOfStream: hasEnded = true
      case .noDataNow: return .inputRanDry
      }
    }
    return .haveData
  }

  /// Converts a part of the pending input, or flushes the engine after the end. Returns the number of frames written.
  private func step(into target: AVAudioPCMBuffer, at offset: Int, room: Int) throws -> Int {
    if engine == nil { engine = SampleConverter(from: input, to: output, options: options) }
    // Without pending input, this fetches frames for which the last output buffer had no room.
    var source: [UnsafePointer<UInt8>?]? = Array(repeating: nil, count: input.bufferCount)
    var count = 0
    let buffer = pending
    if let buffer {
      // No more than the output has room for, so that few frames wait inside the engine.
      count = min(buffer.filled - pendingOffset, wantedInput(for: room))
      source = buffer.planes(from: pendingOffset).map { UnsafePointer($0) }
      pendingOffset += count
      if pendingOffset >= buffer.filled { pending = nil }
    } else if hasEnded {
      source = nil
    }
    let written = withExtendedLifetime(buffer) {
      engine?.convert(source, count: count, to: target.planes(from: offset), room: room)
    }
    guard let written else { throw AudioError.make(.unspecified, "the conversion failed") }
    return written
  }

  /// How many frames of input make about `room` frames of output; at least 1.
  private func wantedInput(for room: Int) -> Int {
    max(1, Int((Double(room) * Double(input.rate) / Double(output.rate)).rounded(.up)))
  }

  private func ask(
    _ inputBlock: AVAudioConverterInputBlock, wanted: Int
  ) throws -> AVAudioConverterInputStatus {
    var status = AVAudioConverterInputStatus.noDataNow
    guard let buffer = inputBlock(AVAudioPacketCount(clamping: wanted), &status), status == .haveData else {
      return status == .haveData ? .noDataNow : status
    }
    guard let buffer = buffer as? AVAudioPCMBuffer, buffer.basis.isSame(as: source) else {
      throw AudioError.make(.unsupportedFormat, "the input buffer is not of \(source)")
    }
    // A block that always returns empty buffers must not keep this call from returning.
    guard buffer.filled > 0 else { return .noDataNow }
    pending = buffer
    pendingOffset = 0
    return .haveData
  }
}
