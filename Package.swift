// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

// For modules that only call others, and wait for people and networks: to optimize them takes three quarters of the time that
// they are compiled in.
let unoptimized =
  settings + [.unsafeFlags(["-Onone", "-assert-config", "Release"], .when(configuration: .release))]

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

  // Apple's frameworks under their own names, and what stands behind them.
  let appleFrameworks: [Target.Dependency] = [
    "Speech", "AVFoundation", "AVFAudio", "CoreMedia", "FoundationModels", "SQLite3",
  ]
  let audioFramework: [Target.Dependency] = ["AVFAudio"]
  let speechFramework: [Target.Dependency] = ["Speech"]
  // The page and what other programs call.
  let server: [Target.Dependency] = ["LonghandServer"]
  // The recognizer's models, which the user installs.
  let models: [Target.Dependency] = ["ModelStorage", "ModelInstallation"]
  // A sound server for tests.
  let soundServer: [Target.Dependency] = ["SoundServer", "AVFAudio"]
  let childProcesses: [Target.Dependency] = ["ChildProcesses"]
  // SHA-256, which Apple's CryptoKit has.
  let hashFunctions: [Target.Dependency] = ["CNettle"]
  // What reads a model's folder and talks to its process.
  let modelServices: [Target.Dependency] = ["ModelStorage", "SpeechServiceProtocol"]
  // Sessions whose recognizer is the scripted service.
  let sessionSweep: [Target.Dependency] = ["SessionSweep", "ScriptedSpeechService"]
  let platformProducts: [Product] = [
    .library(
      name: "AppleFrameworks",
      targets: ["Speech", "AVFoundation", "AVFAudio", "CoreMedia", "CoreAudioTypes", "FoundationModels"]),
    .executable(name: "speech-service", targets: ["SpeechService"]),
    .executable(name: "neural-speech-service", targets: ["NeuralSpeechService"]),
    .executable(name: "whisper-service", targets: ["WhisperService"]),
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
      path: "Sources/Apple/AVFAudio", swiftSettings: appleSettings),
    .target(
      name: "AVFoundation", dependencies: ["AVFAudio", "AudioStreams", "CoreMedia"],
      path: "Sources/Apple/AVFoundation", swiftSettings: appleSettings),
    .target(
      name: "Speech",
      dependencies: [
        "SpeechServiceProtocol", "ModelStorage", "ModelInstallation", "ChildProcesses", "LanguageModeling",
        "FileSupport", "AudioStreams", "SentenceFormatting", "VoiceMeasurement", "AVFoundation", "AVFAudio",
        "CoreMedia", "CArchive", "CSilero",
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
      dependencies: ["Longhand", "AVFAudio", "ChildProcesses", "CMicrohttpd", "CPage"],
      exclude: ["Page"], swiftSettings: settings),
    .target(
      name: "CPage", path: "Sources/LonghandServer/Page", sources: ["page.c"], publicHeadersPath: "."),
    .target(name: "SpeechServiceProtocol", dependencies: ["ChildProcesses"], swiftSettings: settings),
    // What a service does with its messages, whatever recognizes.
    .target(
      name: "SpeechServiceLoop", dependencies: ["SpeechServiceProtocol", "Sandboxing"],
      swiftSettings: settings),
    .target(name: "ChildProcesses", swiftSettings: settings),
    .target(name: "Sandboxing", dependencies: ["CSandbox"], swiftSettings: settings),
    .target(
      name: "AudioDecoding",
      dependencies: ["ChildProcesses", "SpeechServiceProtocol", "Sandboxing", "CFFmpeg"],
      swiftSettings: settings),
    .executableTarget(
      name: "SpeechService",
      dependencies: [
        "SpeechServiceProtocol", "SpeechServiceLoop", "AudioDecoding", "Sandboxing", "LanguageModeling",
        "VoiceMeasurement", "CPocketSphinx", "CFlite",
      ],
      swiftSettings: settings),
    // Models that users install: their folders and what is in them.
    .target(
      name: "ModelStorage", dependencies: ["ModelConversion", "FileSupport", "SpeechServiceProtocol"],
      swiftSettings: settings),
    // The files of Whisper models. It stands alone, because `Scripts/setup` compiles it before the package.
    .target(name: "ModelConversion", swiftSettings: settings),
    // Apart from `ModelStorage`, so that the service, which opens no socket, has no code for networks and archives.
    .target(
      name: "ModelInstallation",
      dependencies: ["ModelStorage", "ModelConversion", "SpeechServiceProtocol", "FileSupport", "CArchive"],
      resources: [.embedInCode("catalogue.json")], swiftSettings: unoptimized),
    // What neural recognizers share: candidates, phrases, words out of tokens.
    .target(
      name: "NeuralRecognition",
      dependencies: ["SpeechServiceProtocol", "SpeechServiceLoop", "SentenceFormatting"],
      swiftSettings: settings),
    .executableTarget(
      name: "NeuralSpeechService",
      dependencies: [
        "NeuralRecognition", "SpeechServiceProtocol", "SpeechServiceLoop", "ModelStorage", "Sandboxing",
        "CSherpaOnnx",
      ],
      swiftSettings: settings,
      // Installed, the program is in libexec/longhand, and the library in lib.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../../lib"])]),
    .executableTarget(
      name: "WhisperService",
      dependencies: [
        "NeuralRecognition", "SpeechServiceProtocol", "SpeechServiceLoop", "ModelConversion", "Sandboxing",
        "CWhisper",
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CWhisper", path: "Sources/System/CWhisper", pkgConfig: "longhand-whisper"),
    .systemLibrary(
      name: "CSherpaOnnx", path: "Sources/System/CSherpaOnnx", pkgConfig: "sherpa-onnx"),
    .systemLibrary(name: "CSandbox", path: "Sources/System/CSandbox"),
    .target(name: "CSilero", path: "Sources/System/CSilero", publicHeadersPath: "."),
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
      name: "CoreMediaTests", dependencies: ["CoreMedia", "AVFoundation", "ScriptedSpeech"],
      swiftSettings: settings),
    .target(
      name: "SoundServer", dependencies: ["AVFAudio"], path: "Tests/Support/SoundServer",
      swiftSettings: settings),
    .testTarget(
      name: "AVFAudioTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "AudioDecoding", "AudioStreams", "CoreMedia", "Sandboxing", "SoundServer",
        "SpeechService", "TestSupport",
      ],
      swiftSettings: settings),
    // The code of the documents that describe the system, as it is: in the language mode that they were written for.
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "Longhand", "Speech", "AVFoundation", "FoundationModels", "SoundServer", "SpeechService",
        "TestSupport",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "LonghandServerTests",
      dependencies: ["LonghandServer", "Longhand", "ScriptedSpeech", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SpeechServiceProtocolTests", dependencies: ["SpeechServiceProtocol"], swiftSettings: settings),
    .testTarget(
      name: "ModelStorageTests",
      dependencies: [
        "ModelStorage", "ModelInstallation", "ModelConversion", "FileSupport", "ScriptedSpeech",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NeuralRecognitionTests",
      dependencies: ["NeuralRecognition", "SpeechServiceLoop", "SpeechServiceProtocol"],
      swiftSettings: settings),
    .testTarget(
      name: "NeuralSpeechServiceTests",
      dependencies: [
        "NeuralSpeechService", "WhisperService", "ModelStorage", "SpeechServiceProtocol", "ChildProcesses",
        "Sandboxing", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "LanguageModelingTests", dependencies: ["LanguageModeling"], swiftSettings: settings),
    .testTarget(
      name: "FoundationModelsTests", dependencies: ["FoundationModels", "ScriptedSpeech", "TestSupport"],
      exclude: ["server.py", "model.py", "foundationmodels-26.5-names.txt"], swiftSettings: settings),
    .executableTarget(
      name: "ScriptedSpeechService", dependencies: ["ScriptedSpeech", "SpeechServiceProtocol"],
      path: "Tests/Support/ScriptedSpeechService", swiftSettings: settings),
    .executableTarget(
      name: "SessionSweep",
      dependencies: ["Longhand", "LonghandTesting", "ScriptedSpeech", "SpeechServiceProtocol"],
      path: "Tests/Support/SessionSweep", swiftSettings: settings),
    .testTarget(
      name: "SpeechTests",
      dependencies: [
        "Speech", "VoiceMeasurement", "ModelStorage", "ModelInstallation", "ChildProcesses", "FileSupport",
        "Sandboxing", "SoundServer", "SpeechService", "ScriptedSpeech", "ScriptedSpeechService",
        "TestSupport",
      ],
      exclude: ["VoiceAnalytics/praat.py", "speech-26.5-names.txt", "speech-27-declarations.txt"],
      swiftSettings: settings),
  ]
#else
  let appleFrameworks: [Target.Dependency] = []
  let server: [Target.Dependency] = []
  let models: [Target.Dependency] = []
  let audioFramework: [Target.Dependency] = []
  let speechFramework: [Target.Dependency] = []
  let soundServer: [Target.Dependency] = []
  let childProcesses: [Target.Dependency] = []
  let hashFunctions: [Target.Dependency] = []
  let modelServices: [Target.Dependency] = []
  let sessionSweep: [Target.Dependency] = []
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
    .target(name: "FileSupport", dependencies: hashFunctions, swiftSettings: settings),
    // Separates speakers by their voices, without a model.
    .target(
      name: "SpeakerDiarization", dependencies: ["VoiceMeasurement"] + childProcesses + modelServices,
      swiftSettings: settings),
    // Marks and capitals by a model that the user installs.
    .target(name: "Punctuation", dependencies: childProcesses + modelServices, swiftSettings: settings),
    // Words as they are spoken, and n-gram models of them.
    .target(name: "LanguageModeling", swiftSettings: settings),
    .target(name: "AudioStreams", dependencies: audioFramework, swiftSettings: settings),
    // Sentences from words and pauses, the same for Speech and for stored transcripts.
    .target(
      name: "SentenceFormatting", dependencies: ["VoiceMeasurement", "CWords"], exclude: ["Words"],
      swiftSettings: settings),
    .target(
      name: "CWords", path: "Sources/SentenceFormatting/Words", sources: ["words.c"],
      publicHeadersPath: "."),
    // Pitch, jitter, shimmer and pauses, the same for Speech and for stored transcripts.
    .target(name: "VoiceMeasurement", swiftSettings: settings),
    .target(
      name: "Longhand",
      dependencies: [
        "AudioStreams", "FileSupport", "LanguageModeling", "SentenceFormatting", "Punctuation",
        "VoiceMeasurement", "SpeakerDiarization",
      ]
        + appleFrameworks,
      swiftSettings: settings),
    .target(name: "LonghandTesting", dependencies: ["Longhand"], swiftSettings: settings),
    .executableTarget(
      name: "LonghandCommand", dependencies: ["Longhand", "FileSupport"] + server + models + childProcesses,
      swiftSettings: unoptimized),
    .target(
      name: "ExampleSupport", dependencies: speechFramework, path: "Examples/Support",
      swiftSettings: settings),
    .executableTarget(
      name: "LiveRecognition", dependencies: ["ExampleSupport"] + speechFramework,
      path: "Examples/LiveRecognition", swiftSettings: settings),
    .executableTarget(
      name: "FileRecognition", dependencies: speechFramework, path: "Examples/FileRecognition",
      swiftSettings: settings),
    .executableTarget(
      name: "FileCaptions", dependencies: speechFramework, path: "Examples/FileCaptions",
      swiftSettings: settings),
    .executableTarget(
      name: "LiveTranscription", dependencies: ["ExampleSupport"] + speechFramework,
      path: "Examples/LiveTranscription", swiftSettings: settings),
    .executableTarget(
      name: "PhraseDictation", dependencies: speechFramework, path: "Examples/PhraseDictation",
      swiftSettings: settings),
    .executableTarget(
      name: "SpokenChess", dependencies: speechFramework, path: "Examples/SpokenChess",
      swiftSettings: settings),
    .executableTarget(
      name: "TranscriptApp", dependencies: ["Longhand"], path: "Examples/TranscriptApp",
      exclude: ["Info.plist", "TranscriptApp.entitlements"], swiftSettings: settings),
    .testTarget(
      name: "SpeakerDiarizationTests", dependencies: ["SpeakerDiarization", "TestSupport"] + models,
      swiftSettings: settings),
    .testTarget(
      name: "PunctuationTests", dependencies: ["Punctuation", "TestSupport"] + models, swiftSettings: settings
    ),
    .testTarget(name: "FileSupportTests", dependencies: ["FileSupport"], swiftSettings: settings),
    .testTarget(
      name: "SentenceFormattingTests", dependencies: ["SentenceFormatting", "ScriptedSpeech", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: childProcesses, path: "Tests/Support/TestSupport",
      exclude: ["FileServer/server.py", "Chapters/chapters.tsv"],
      swiftSettings: settings),
    .target(name: "ScriptedSpeech", path: "Tests/Support/ScriptedSpeech", swiftSettings: settings),
    .executableTarget(
      name: "RecordingProcess", dependencies: ["Longhand"], path: "Tests/Support/RecordingProcess",
      swiftSettings: settings),
    .testTarget(
      name: "LonghandTests",
      dependencies: [
        "Longhand", "LonghandTesting", "ScriptedSpeech", "RecordingProcess", "TestSupport", "AudioStreams",
        "SentenceFormatting", "Punctuation", "FileSupport",
      ]
        + soundServer + sessionSweep,
      swiftSettings: settings),
    .testTarget(
      name: "EndToEnd",
      dependencies: [
        "Longhand", "LonghandTesting", "LonghandCommand", "FileCaptions", "TranscriptApp", "ScriptedSpeech",
        "TestSupport",
      ]
        + speechFramework + soundServer + server,
      exclude: ["Domains", "MCP", "OpenAI", "Page", "Shells"], swiftSettings: settings),
  ] + platformTargets
)
