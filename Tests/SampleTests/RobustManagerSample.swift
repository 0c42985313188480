// The sample is as its document has it.
// swift-format-ignore-file

// "Speech-to-text on iOS": its reactions to errors, unchanged.
import Foundation

class RobustSpeechManager {
    private var retryCount = 0
    private let maxRetries = 3
    
    func handleError(_ error: Error) {
        let nsError = error as NSError
        
        switch (nsError.domain, nsError.code) {
        case ("kAFAssistantErrorDomain", 203):
            // Transient error—retry with backoff
            retryWithBackoff()
            
        case ("kAFAssistantErrorDomain", 209):
            // Recognition failed—check audio input
            validateAudioInputAndRetry()
            
        case ("kAFAssistantErrorDomain", 216):
            // Concurrent request conflict
            cancelAllTasksAndRestart()
            
        case ("kAFAssistantErrorDomain", 1101), ("kAFAssistantErrorDomain", 1107):
            // System service issues—retry later
            scheduleDelayedRetry(delay: 5.0)
            
        case ("SiriSpeechErrorDomain", _):
            // Rate limit exceeded
            handleQuotaExceeded()
            
        default:
            // Fallback: attempt on-device if available
            attemptOnDeviceFallback()
        }
    }
    
    private func retryWithBackoff() {
        guard retryCount < maxRetries else {
            notifyUserOfPersistentFailure()
            return
        }
        
        retryCount += 1
        let delay = pow(2.0, Double(retryCount))
        
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { [weak self] in
            self?.restartRecognition()
        }
    }
}

// What the document leaves to its reader.
extension RobustSpeechManager {
  nonisolated(unsafe) static var reactions: [String] = []

  func validateAudioInputAndRetry() { Self.reactions.append("validate") }
  func cancelAllTasksAndRestart() { Self.reactions.append("cancel") }
  func scheduleDelayedRetry(delay: TimeInterval) { Self.reactions.append("delay \(delay)") }
  func handleQuotaExceeded() { Self.reactions.append("quota") }
  func attemptOnDeviceFallback() { Self.reactions.append("on device") }
  func notifyUserOfPersistentFailure() { Self.reactions.append("give up") }
  func restartRecognition() { Self.reactions.append("restart") }
}
