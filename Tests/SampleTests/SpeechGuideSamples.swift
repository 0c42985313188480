// The samples are as their document has them.
// swift-format-ignore-file

// "Speech-to-text on iOS": its functions and statements, unchanged. What a statement uses of its surroundings is declared
// around it.
import AVFoundation
import Speech
import Testing

enum PrivacyComplianceError: Error { case onDeviceRequired }

/// The class that the document's functions are members of.
final class SpeechGuide: NSObject, SFSpeechRecognizerDelegate, @unchecked Sendable {
  let audioEngine = AVAudioEngine()
  var recognitionRequest: SFSpeechAudioBufferRecognitionRequest? = SFSpeechAudioBufferRecognitionRequest()
  let speechRecognizer: SFSpeechRecognizer
  let request = SFSpeechAudioBufferRecognitionRequest()
  var events: [String] = []
  var recordButton = UIButton()
  var transcriptLabel = UILabel()
  var currentTranscript = "one two"

  init?(_ recognizer: SFSpeechRecognizer?) {
    guard let recognizer else { return nil }
    speechRecognizer = recognizer
  }

  func pauseRecognition() { events.append("pause") }
  func retryWithExponentialBackoff() { events.append("backoff") }
  func restartRecognition() { events.append("restart") }
  func cancelExistingAndRestart() { events.append("cancel") }
  func showGenericError(_ text: String) { events.append("error") }
  func showQuotaExceededMessage() { events.append("quota") }

  func initialize() -> SFSpeechRecognizer? {
// Core initialization pattern
let speechRecognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US"))
speechRecognizer?.delegate = self  // Monitor availability changes
    return speechRecognizer
  }

func requestSpeechAuthorization(completion: @escaping (Bool) -> Void) {
    SFSpeechRecognizer.requestAuthorization { status in
        DispatchQueue.main.async {
            switch status {
            case .authorized:
                completion(true)
            case .denied:
                // User denied—must enable in Settings manually
                self.promptSettingsNavigation()
                completion(false)
            case .restricted:
                // Device policy prevents usage (MDM, parental controls)
                completion(false)
            case .notDetermined:
                completion(false)
            @unknown default:
                completion(false)
            }
        }
    }
}

func promptSettingsNavigation() {
    if let url = URL(string: UIApplication.openSettingsURLString) {
        UIApplication.shared.open(url)
    }
}

func configureAudioSession() throws {
    let audioSession = AVAudioSession.sharedInstance()
    try audioSession.setCategory(.record, mode: .measurement, options: .duckOthers)
    try audioSession.setActive(true, options: .notifyOthersOnDeactivation)
}

  func observeInterruptions() {
NotificationCenter.default.addObserver(
    forName: AVAudioSession.interruptionNotification,
    object: nil,
    queue: .main
) { [weak self] notification in
    guard let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
          let interruptionType = AVAudioSession.InterruptionType(rawValue: type) else { return }
    
    if interruptionType == .began {
        self?.pauseRecognition()
    }
}
  }

func transcribeAudioFile(url: URL, completion: @escaping (Result<String, Error>) -> Void) {
    guard let speechRecognizer = SFSpeechRecognizer(locale: Locale(identifier: "en-US")),
          speechRecognizer.isAvailable else {
        completion(.failure(NSError(domain: "Speech", code: -1, 
                                   userInfo: [NSLocalizedDescriptionKey: "Recognizer unavailable"])))
        return
    }
    
    let request = SFSpeechURLRecognitionRequest(url: url)
    request.shouldReportPartialResults = false  // Only final result for files
    
    // Prefer on-device for privacy (iOS 13+)
    if #available(iOS 13, *) {
        request.requiresOnDeviceRecognition = speechRecognizer.supportsOnDeviceRecognition
    }
    
    if #available(iOS 16, *) {
        request.addsPunctuation = true
    }
    
    speechRecognizer.recognitionTask(with: request) { result, error in
        DispatchQueue.main.async {
            if let error = error {
                completion(.failure(error))
                return
            }
            
            guard let result = result, result.isFinal else { return }
            completion(.success(result.bestTranscription.formattedString))
        }
    }
}

func processSegments(from result: SFSpeechRecognitionResult) {
    let transcription = result.bestTranscription
    
    for segment in transcription.segments {
        print("Word: \(segment.substring)")
        print("  Timestamp: \(segment.timestamp)s")
        print("  Duration: \(segment.duration)s")
        print("  Confidence: \(segment.confidence)")  // 0.0 to 1.0
        print("  Alternatives: \(segment.alternativeSubstrings)")
        
        // Voice analytics (iOS 13+)
        if #available(iOS 13, *), let analytics = segment.voiceAnalytics {
            print("  Pitch values: \(analytics.pitch.acousticFeatureValuePerFrame)")
        }
    }
}

  func forceOnDevice() {
// Force on-device recognition for privacy-critical apps
if #available(iOS 13, *) {
    if speechRecognizer.supportsOnDeviceRecognition {
        request.requiresOnDeviceRecognition = true
    } else {
        // Handle: on-device not available for this locale
        // Either fall back to server or show user message
    }
}
  }

// Rate limit error detection
func handleRecognitionError(_ error: Error) {
    let nsError = error as NSError
    
    if nsError.domain == "kAFAssistantErrorDomain" {
        switch nsError.code {
        case 203: // Retry error
            retryWithExponentialBackoff()
        case 209: // Recognition failed
            restartRecognition()
        case 216: // Multiple request conflict
            cancelExistingAndRestart()
        default:
            showGenericError(nsError.localizedDescription)
        }
    } else if nsError.domain == "SiriSpeechErrorDomain" {
        // Quota limit reached
        showQuotaExceededMessage()
    }
}

  func printLocales() {
// All supported locales
let allLocales = SFSpeechRecognizer.supportedLocales()
print("Supported locales: \(allLocales.count)")  // 50+

// Check specific locale
if let recognizer = SFSpeechRecognizer(locale: Locale(identifier: "ja-JP")) {
    print("Japanese available: \(recognizer.isAvailable)")
    
    if #available(iOS 13, *) {
        print("Japanese on-device: \(recognizer.supportsOnDeviceRecognition)")
    }
}
  }

  func addTerms() {
request.contextualStrings = ["Kubernetes", "PostgreSQL", "GraphQL"]  // Max ~100 phrases
  }

  func addPunctuation() {
if #available(iOS 16, *) {
    request.addsPunctuation = true  // Adds periods, commas, question marks
}
  }

  func hint() {
request.taskHint = .dictation     // Long-form text entry
// or .search                     // Short search queries  
// or .confirmation               // Yes/no responses
  }

  func requireOnDevice() throws {
// Enforce on-device only—no data transmission
if #available(iOS 13, *) {
    guard speechRecognizer.supportsOnDeviceRecognition else {
        // Fail gracefully—don't fall back to server
        throw PrivacyComplianceError.onDeviceRequired
    }
    request.requiresOnDeviceRecognition = true
}
  }

func cleanup() {
    audioEngine.stop()
    audioEngine.inputNode.removeTap(onBus: 0)  // Critical for memory
    recognitionRequest?.endAudio()
    try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
}

  func describe() {
// Provide clear accessibility labels
recordButton.accessibilityLabel = "Start recording"
recordButton.accessibilityHint = "Double tap to begin speech recognition"

// Announce state changes
UIAccessibility.post(notification: .announcement, argument: "Recording started")

// Update transcript accessibility
transcriptLabel.accessibilityValue = currentTranscript
UIAccessibility.post(notification: .layoutChanged, argument: transcriptLabel)
  }
}
