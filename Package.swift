// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]
// A release that only tests use, as .ci/run builds it, is compiled quickly.
let isQuick = Context.environment["LONGHAND_BUILD"] == "quick"
let settings = strict + (isQuick ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : [])

// What `Longhand` consists of.
let parts: [Target.Dependency] = [
  "LonghandTranscripts", "LonghandVocabulary", "LonghandRecording", "LonghandTranscription",
  "LonghandArchive",
]

/// Targets that exist on Linux only, where they stand for Apple's frameworks or are the programs that recognize.
func onLinux(_ targets: Target.Dependency...) -> [Target.Dependency] {
  #if os(Linux)
    targets
  #else
    []
  #endif
}

// For modules that only call others, and wait for people and networks: to optimize them takes three quarters of the time that
// they are compiled in.
let unoptimized =
  settings + [.unsafeFlags(["-Onone", "-assert-config", "Release"], .when(configuration: .release))]

// For the little code that computes with every sample, word or token: the tests of a debug build spend more time in it than it
// takes to optimize. It checks as much as without.
let optimized = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

#if os(Linux)
  // Apple's frameworks, as a program for Apple's platforms sees them: `@preconcurrency import Speech` is silent about types
  // that are not Sendable, which the compiler does for modules in Swift 5 mode only. The checks are those of Swift 6.
  let appleSettings: [SwiftSetting] =
    settings + [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]
    + [
      "InferSendableFromCaptures", "RegionBasedIsolation", "DisableOutwardActorInference",
      "GlobalActorIsolatedTypesUsability", "GlobalConcurrency", "IsolatedDefaultValues", "ConciseMagicFile",
      "BareSlashRegexLiterals", "ForwardTrailingClosures", "ImplicitOpenExistentials",
    ].map { .enableUpcomingFeature($0) }

  // The compiler's own SwiftSyntax, which macros are written with, lies beside the library that this manifest
  // is loaded with.
  let compilerModules: String = {
    let library = "/pm/ManifestAPI/libPackageDescription.so"
    // Not `String(contentsOfFile:)`, which ends at the first 4 KB of such a file.
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps").flatMap { try? $0.readToEnd() } ?? Data()
    let loaded = String(decoding: maps, as: UTF8.self)
    let line = loaded.split(separator: "\n").first { $0.hasSuffix(library) }
    guard let line, let start = line.firstIndex(of: "/") else {
      fatalError("Cannot find the running toolchain: no \(library) in /proc/self/maps.")
    }
    let folder = line[start...].dropLast(library.count) + "/host"
    guard FileManager.default.fileExists(atPath: "\(folder)/SwiftSyntaxMacros.swiftmodule") else {
      fatalError("The toolchain has no SwiftSyntax in \(folder); install Swift from swift.org as a whole.")
    }
    return String(folder)
  }()

  let platformProducts: [Product] = [
    .library(
      name: "AppleFrameworks",
      targets: ["Speech", "AVFoundation", "AVFAudio", "CoreMedia", "CoreAudioTypes", "FoundationModels"]),
    .executable(name: "pocketsphinx-service", targets: ["PocketSphinxService"]),
    .executable(name: "sherpa-service", targets: ["SherpaService"]),
    .executable(name: "whisper-service", targets: ["WhisperService"]),
    .executable(name: "audio-decoder", targets: ["AudioDecoder"]),
    .executable(name: "scripted-speech-service", targets: ["ScriptedSpeechService"]),
  ]
  let platformTargets: [Target] = [
    .target(name: "CoreAudioTypes", path: "Sources/Apple/CoreAudioTypes", swiftSettings: appleSettings),
    .target(
      name: "CoreMedia", dependencies: ["CoreAudioTypes"],
      path: "Sources/Apple/CoreMedia", swiftSettings: appleSettings),
    .target(
      name: "AVFAudio",
      dependencies: ["AudioDecoding", "CoreAudioTypes", "CoreMedia", "CFFmpeg", "CSndFile", "CPulse"],
      // The views of a buffer's samples live no longer than the buffer.
      path: "Sources/Apple/AVFAudio", swiftSettings: appleSettings + [.enableExperimentalFeature("Lifetimes")]
    ),
    .target(
      name: "AVFoundation", dependencies: ["AVFAudio", "AudioStreams", "CoreMedia"],
      path: "Sources/Apple/AVFoundation", swiftSettings: appleSettings),
    // The recognition core: audio in, utterances with evidence out.
    .target(
      name: "RecognitionCore",
      dependencies: [
        "RecognitionProtocol", "ModelStorage", "ChildProcesses", "FileSupport", "SentenceFormatting",
        "VoiceMeasurement", "CSilero",
      ],
      path: "Sources/Recognition/Core", swiftSettings: optimized),
    .target(
      name: "Speech",
      dependencies: [
        "RecognitionCore", "RecognitionProtocol", "ModelStorage", "ModelInstallation", "ChildProcesses",
        "LanguageModeling",
        "FileSupport", "AudioStreams", "SentenceFormatting", "VoiceMeasurement", "AVFoundation", "AVFAudio",
        "CoreMedia", "CArchive",
      ],
      path: "Sources/Apple/Speech", swiftSettings: appleSettings),
    .macro(
      name: "FoundationModelsMacros", path: "Sources/Apple/FoundationModelsMacros",
      swiftSettings: unoptimized + [.unsafeFlags(["-I", compilerModules])],
      linkerSettings: [
        .unsafeFlags(["-L", compilerModules, "-Xlinker", "-rpath", "-Xlinker", compilerModules])
      ]),
    .target(
      name: "FoundationModels", dependencies: ["FoundationModelsMacros"],
      path: "Sources/Apple/FoundationModels", swiftSettings: unoptimized),
    // The page goes into the program, which is then all there is to install.
    .target(
      name: "LonghandServer",
      dependencies: ["Longhand", "AVFAudio", "ChildProcesses", "FileSupport", "CMicrohttpd", "CPage"],
      exclude: ["Page"]),
    .target(
      name: "CPage", path: "Sources/LonghandServer/Page", sources: ["page.c"], publicHeadersPath: "."),
    .target(
      name: "RecognitionProtocol", dependencies: ["ChildProcesses"], path: "Sources/Recognition/Protocol",
      swiftSettings: optimized),
    // What a service does with its messages, whatever recognizes.
    .target(
      name: "ServiceSupport", dependencies: ["RecognitionProtocol", "Sandboxing", "ChildProcesses"],
      path: "Sources/Programs/ServiceSupport"),
    .target(name: "ChildProcesses", dependencies: ["CSandbox"]),
    .target(name: "Sandboxing", dependencies: ["CSandbox"]),
    .target(
      name: "AudioDecoding",
      dependencies: ["ChildProcesses", "Sandboxing", "CFFmpeg"]),
    .executableTarget(
      name: "AudioDecoder", dependencies: ["AudioDecoding", "ChildProcesses"],
      path: "Sources/Programs/AudioDecoder"),
    .executableTarget(
      name: "PocketSphinxService",
      dependencies: [
        "RecognitionProtocol", "ServiceSupport", "ChildProcesses", "Sandboxing", "LanguageModeling",
        "VoiceMeasurement", "CPocketSphinx", "CFlite",
      ], path: "Sources/Programs/PocketSphinxService"),
    // Models that users install: their folders and what is in them.
    .target(
      name: "ModelStorage", dependencies: ["ModelConversion", "FileSupport", "RecognitionProtocol"],
      path: "Sources/Recognition/Models/ModelStorage"),
    // The files of Whisper models. It stands alone, because `Scripts/setup` compiles it before the package.
    .target(name: "ModelConversion", path: "Sources/Recognition/Models/ModelConversion"),
    // Apart from `ModelStorage`, so that the service, which opens no socket, has no code for networks and archives.
    .target(
      name: "ModelInstallation",
      dependencies: ["ModelStorage", "ModelConversion", "RecognitionProtocol", "FileSupport", "CArchive"],
      path: "Sources/Recognition/Models/ModelInstallation", resources: [.embedInCode("catalogue.json")],
      swiftSettings: unoptimized),
    // What neural recognizers share: candidates, phrases, words out of tokens.
    .target(
      name: "NeuralRecognition",
      dependencies: ["RecognitionProtocol", "ServiceSupport", "SentenceFormatting", "Sandboxing"],
      path: "Sources/Programs/NeuralRecognition", swiftSettings: optimized),
    .executableTarget(
      name: "SherpaService",
      dependencies: [
        "NeuralRecognition", "RecognitionProtocol", "ServiceSupport", "ModelStorage", "Sandboxing",
        "SpeakerDiarization", "CSherpaOnnx", "COnnxRuntime",
      ],
      // Installed, the program is in libexec/longhand, and the library in lib.
      path: "Sources/Programs/SherpaService",
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../../lib"])]),
    .executableTarget(
      name: "WhisperService",
      dependencies: [
        "NeuralRecognition", "RecognitionProtocol", "ServiceSupport", "ModelConversion", "Sandboxing",
        "CWhisper",
      ], path: "Sources/Programs/WhisperService"),
    .systemLibrary(name: "CWhisper", path: "Sources/System/CWhisper", pkgConfig: "longhand-whisper"),
    .systemLibrary(
      name: "CSherpaOnnx", path: "Sources/System/CSherpaOnnx", pkgConfig: "sherpa-onnx"),
    // Comes with sherpa-onnx.
    .systemLibrary(
      name: "COnnxRuntime", path: "Sources/System/COnnxRuntime", pkgConfig: "sherpa-onnx"),
    .systemLibrary(name: "CSandbox", path: "Sources/System/CSandbox"),
    .target(
      name: "CSilero", path: "Sources/System/CSilero", publicHeadersPath: ".",
      cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    // libavformat and libavcodec are loaded when a file is decoded; see `FFmpegLibrary`.
    .systemLibrary(
      name: "CFFmpeg", path: "Sources/System/CFFmpeg", pkgConfig: "libswresample libavutil",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libavutil-dev"])]),
    .systemLibrary(
      name: "CSndFile", path: "Sources/System/CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"])]),
    // Without pkg-config, whose flags for threads the package manager warns of.
    .systemLibrary(
      name: "CPulse", path: "Sources/System/CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(
      name: "CArchive", path: "Sources/System/CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(
      name: "CNettle", path: "Sources/System/CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    // Without pkg-config, as above.
    .systemLibrary(
      name: "CMicrohttpd", path: "Sources/System/CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    // Named as on Apple platforms, where it is part of the system.
    .systemLibrary(
      name: "SQLite3", path: "Sources/System/SQLite3", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CPocketSphinx", path: "Sources/System/CPocketSphinx", pkgConfig: "pocketsphinx"),
    .systemLibrary(
      name: "CFlite", path: "Sources/System/CFlite", providers: [.apt(["flite1-dev"])]),
    .testTarget(
      name: "CoreMediaTests", dependencies: ["CoreMedia", "AVFoundation", "ScriptedSpeech"]),
    .target(
      name: "SoundServer", dependencies: ["AVFAudio"], path: "Tests/Support/SoundServer"),
    .testTarget(
      name: "AVFAudioTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "AudioDecoding", "AudioStreams", "CoreMedia", "Sandboxing", "SoundServer",
        "AudioDecoder", "TestSupport",
      ]),
    // The code of the documents that describe the system, as it is: in the language mode that they were written for.
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "Longhand", "Speech", "AVFoundation", "FoundationModels", "SoundServer", "PocketSphinxService",
        "AudioDecoder",
        "TestSupport",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "LonghandServerTests",
      dependencies: [
        "LonghandServer", "Longhand", "LonghandTesting", "ScriptedSpeech", "StoreAuditing", "TestSupport",
      ] + parts),
    .testTarget(
      name: "RecognitionProtocolTests", dependencies: ["RecognitionProtocol"]),
    .testTarget(
      name: "ModelStorageTests",
      dependencies: [
        "ModelStorage", "ModelInstallation", "ModelConversion", "FileSupport", "ScriptedSpeech",
        "TestSupport",
      ]),
    .testTarget(
      name: "NeuralRecognitionTests",
      dependencies: ["NeuralRecognition", "ServiceSupport", "RecognitionProtocol"]),
    .testTarget(
      name: "RecognizerProgramTests",
      dependencies: [
        "PocketSphinxService", "SherpaService", "WhisperService", "ModelStorage", "RecognitionProtocol",
        "ChildProcesses", "Sandboxing", "TestSupport", "CWhisper",
      ]),
    .testTarget(
      name: "LanguageModelingTests", dependencies: ["LanguageModeling"]),
    .testTarget(
      name: "FoundationModelsTests", dependencies: ["FoundationModels", "ScriptedSpeech", "TestSupport"],
      exclude: ["server.py", "model.py", "foundationmodels-26.5-names.txt"]),
    .executableTarget(
      name: "ScriptedSpeechService",
      dependencies: ["ScriptedSpeech", "RecognitionProtocol", "ChildProcesses"],
      path: "Tests/Support/ScriptedSpeechService"),
    .executableTarget(
      name: "SessionSweep",
      dependencies: ["Longhand", "LonghandTesting", "ScriptedSpeech", "RecognitionProtocol"],
      path: "Tests/Support/SessionSweep"),
    .testTarget(
      name: "SpeechTests",
      dependencies: [
        "Speech", "VoiceMeasurement", "ModelStorage", "ModelInstallation", "ChildProcesses", "FileSupport",
        "Sandboxing", "SoundServer", "PocketSphinxService", "AudioDecoder", "ScriptedSpeech",
        "ScriptedSpeechService",
        "TestSupport",
      ],
      exclude: ["VoiceAnalytics/praat.py", "speech-26.5-names.txt", "speech-27-declarations.txt"]),
  ]
#else
  let platformProducts: [Product] = []
  let platformTargets: [Target] = []
#endif

let package = Package(
  name: "longhand",
  platforms: [.macOS("15.0"), .iOS("18.0")],
  products: [
    .library(name: "Longhand", targets: ["Longhand"]),
    .library(name: "LonghandTesting", targets: ["LonghandTesting"]),
    .executable(name: "longhand", targets: ["LonghandCommand"]),
  ] + platformProducts,
  targets: [
    .target(name: "FileSupport", dependencies: onLinux("CNettle")),
    // Separates speakers by their voices, without a model.
    .target(
      name: "SpeakerDiarization",
      dependencies: ["VoiceMeasurement"] + onLinux("ChildProcesses", "ModelStorage", "RecognitionProtocol")),
    // Marks and capitals by a model that the user installs.
    .target(
      name: "Punctuation", dependencies: onLinux("ChildProcesses", "ModelStorage", "RecognitionProtocol")),
    // Words as they are spoken, and n-gram models of them.
    .target(name: "LanguageModeling"),
    .target(name: "AudioStreams", dependencies: onLinux("AVFAudio")),
    // Sentences from words and pauses, the same for Speech and for stored transcripts.
    .target(
      name: "SentenceFormatting", dependencies: ["VoiceMeasurement", "CWords"], exclude: ["Words"],
      // Foundation's own ICU, whose dictionaries divide writing without spaces into words.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    .target(
      name: "CWords", path: "Sources/SentenceFormatting/Words", sources: ["words.c"],
      publicHeadersPath: "."),
    // Pitch, jitter, shimmer and pauses, the same for Speech and for stored transcripts.
    .target(name: "VoiceMeasurement", swiftSettings: optimized),
    // Transcripts, what is said in them, and the formats in which they are written.
    .target(
      name: "LonghandTranscripts", dependencies: ["FileSupport", "LanguageModeling", "SentenceFormatting"]),
    // The words that a user expects: vocabularies, names put into a text, and how much of a known text was recognized.
    .target(
      name: "LonghandVocabulary",
      dependencies: ["LonghandTranscripts", "FileSupport", "LanguageModeling", "SentenceFormatting"]
        + onLinux("Speech", "FoundationModels", "CArchive")),
    // Sound: files that are read, microphones, and recordings that survive a crash.
    .target(
      name: "LonghandRecording",
      dependencies: [
        "LonghandTranscripts", "AudioStreams", "FileSupport", "SentenceFormatting", "SpeakerDiarization",
      ] + onLinux("AVFoundation", "AVFAudio")),
    // From sound to a transcript.
    .target(
      name: "LonghandTranscription",
      dependencies: [
        "LonghandTranscripts", "LonghandVocabulary", "LonghandRecording", "AudioStreams", "FileSupport",
        "Punctuation", "SentenceFormatting", "SpeakerDiarization", "VoiceMeasurement",
      ] + onLinux("Speech", "AVFAudio", "CoreMedia", "FoundationModels", "ChildProcesses")),
    // Transcripts and recordings that are kept.
    .target(
      name: "LonghandArchive",
      dependencies: [
        "LonghandTranscripts", "LonghandVocabulary", "LonghandRecording", "LonghandTranscription",
        "FileSupport", "LanguageModeling", "SentenceFormatting", "SpeakerDiarization",
      ] + onLinux("Speech", "AVFAudio", "CoreMedia", "SQLite3")),
    // What programs import: all of these.
    .target(name: "Longhand", dependencies: parts),
    .target(name: "LonghandTesting", dependencies: ["Longhand"]),
    .executableTarget(
      name: "LonghandCommand",
      dependencies: ["Longhand", "FileSupport"]
        + onLinux("LonghandServer", "ModelStorage", "ModelInstallation", "ChildProcesses"),
      swiftSettings: unoptimized),
    .target(
      name: "ExampleSupport", dependencies: onLinux("Speech"), path: "Examples/Support"),
    .executableTarget(
      name: "LiveRecognition", dependencies: ["ExampleSupport"] + onLinux("Speech"),
      path: "Examples/LiveRecognition"),
    .executableTarget(
      name: "FileRecognition", dependencies: onLinux("Speech"), path: "Examples/FileRecognition"),
    .executableTarget(
      name: "FileCaptions", dependencies: onLinux("Speech"), path: "Examples/FileCaptions"),
    .executableTarget(
      name: "LiveTranscription", dependencies: ["ExampleSupport"] + onLinux("Speech"),
      path: "Examples/LiveTranscription"),
    .executableTarget(
      name: "PhraseDictation", dependencies: onLinux("Speech"), path: "Examples/PhraseDictation"),
    .executableTarget(
      name: "SpokenChess", dependencies: onLinux("Speech"), path: "Examples/SpokenChess"),
    .executableTarget(
      name: "TranscriptApp", dependencies: ["Longhand"], path: "Examples/TranscriptApp",
      exclude: ["Info.plist", "TranscriptApp.entitlements"]),
    .testTarget(
      name: "SpeakerDiarizationTests",
      dependencies: ["SpeakerDiarization", "TestSupport"] + onLinux("ModelStorage", "ModelInstallation")),
    .testTarget(
      name: "PunctuationTests",
      dependencies: ["Punctuation", "TestSupport"] + onLinux("ModelStorage", "ModelInstallation")
    ),
    .testTarget(name: "FileSupportTests", dependencies: ["FileSupport"]),
    .testTarget(
      name: "SentenceFormattingTests", dependencies: ["SentenceFormatting", "ScriptedSpeech", "TestSupport"]),
    .target(
      name: "TestSupport", dependencies: onLinux("ChildProcesses"), path: "Tests/Support/TestSupport",
      exclude: ["FileServer/server.py", "Chapters/chapters.tsv"]),
    .target(name: "ScriptedSpeech", path: "Tests/Support/ScriptedSpeech", swiftSettings: optimized),
    // Checks a library's database, for tests.
    .target(
      name: "StoreAuditing",
      dependencies: ["LonghandArchive", "LonghandTranscription", "LonghandTranscripts"],
      path: "Tests/Support/StoreAuditing"),
    .executableTarget(
      name: "RecordingProcess", dependencies: ["Longhand"], path: "Tests/Support/RecordingProcess"),
    .testTarget(
      name: "LonghandTests",
      dependencies: [
        "Longhand", "LonghandTesting", "ScriptedSpeech", "RecordingProcess", "StoreAuditing", "TestSupport",
        "AudioStreams", "SentenceFormatting", "Punctuation", "FileSupport",
      ] + parts
        + onLinux("SoundServer", "AVFAudio", "SessionSweep", "ScriptedSpeechService"),
      exclude: ["Store/unordered-store.sql"]),
    .testTarget(
      name: "EndToEnd",
      dependencies: [
        "Longhand", "LonghandRecording", "LonghandTesting", "LonghandCommand", "FileCaptions",
        "TranscriptApp",
        "ScriptedSpeech", "StoreAuditing", "TestSupport",
      ]
        + onLinux("Speech", "SoundServer", "AVFAudio", "LonghandServer"),
      exclude: ["Domains", "MCP", "OpenAI", "Page", "Shells", "Verbs/mutated_audio.py"]),
  ] + platformTargets
)

for target in package.targets where target.type != .system && target.swiftSettings == nil {
  target.swiftSettings = settings
}
