// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

#if os(Linux)
  // Apple's frameworks under their own names, and what stands behind them.
  let appleFrameworks: [Target.Dependency] = [
    "Speech", "AVFoundation", "AVFAudio", "CoreMedia", "Digests", "SQLite3",
  ]
  let speechFramework: [Target.Dependency] = ["Speech"]
  let platformProducts: [Product] = [
    .library(
      name: "AppleFrameworks",
      targets: ["Speech", "AVFoundation", "AVFAudio", "CoreMedia", "CoreAudioTypes"]),
    .executable(name: "speech-service", targets: ["SpeechService"]),
  ]
  let platformTargets: [Target] = [
    .target(name: "CoreAudioTypes", path: "Sources/Apple/CoreAudioTypes", swiftSettings: settings),
    .target(
      name: "CoreMedia", dependencies: ["CoreAudioTypes"],
      path: "Sources/Apple/CoreMedia", swiftSettings: settings),
    .target(
      name: "AVFAudio", dependencies: ["CoreAudioTypes", "CoreMedia", "CFFmpeg", "CSndFile", "CPulse"],
      path: "Sources/Apple/AVFAudio", swiftSettings: settings),
    .target(
      name: "AVFoundation", dependencies: ["AVFAudio", "CoreMedia"],
      path: "Sources/Apple/AVFoundation", swiftSettings: settings),
    .target(
      name: "Speech",
      dependencies: [
        "SpeechServiceProtocol", "LanguageModeling", "Digests", "AVFoundation", "AVFAudio", "CoreMedia",
        "CArchive",
      ],
      path: "Sources/Apple/Speech", swiftSettings: settings),
    .target(name: "SpeechServiceProtocol", swiftSettings: settings),
    .target(name: "LanguageModeling", swiftSettings: settings),
    .target(name: "Digests", swiftSettings: settings),
    .executableTarget(
      name: "SpeechService",
      dependencies: ["SpeechServiceProtocol", "LanguageModeling", "CPocketSphinx", "CFlite"],
      swiftSettings: settings),
    .systemLibrary(
      name: "CFFmpeg", path: "Sources/System/CFFmpeg",
      pkgConfig: "libavformat libavcodec libswresample libavutil",
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
    // Named as on Apple platforms, where it is part of the system.
    .systemLibrary(
      name: "SQLite3", path: "Sources/System/SQLite3", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CPocketSphinx", path: "Sources/System/CPocketSphinx", pkgConfig: "pocketsphinx"),
    .systemLibrary(
      name: "CFlite", path: "Sources/System/CFlite", providers: [.apt(["flite1-dev"])]),
    .testTarget(
      name: "CoreMediaTests", dependencies: ["CoreMedia", "AVFoundation"], swiftSettings: settings),
    .testTarget(name: "AVFAudioTests", dependencies: ["AVFAudio", "CoreMedia"], swiftSettings: settings),
    .testTarget(
      name: "SpeechServiceProtocolTests", dependencies: ["SpeechServiceProtocol"], swiftSettings: settings),
    .testTarget(
      name: "LanguageModelingTests", dependencies: ["LanguageModeling"], swiftSettings: settings),
    .executableTarget(
      name: "FaultySpeechService", dependencies: ["SpeechServiceProtocol"],
      path: "Tests/Support/FaultySpeechService", swiftSettings: settings),
    .testTarget(
      name: "SpeechTests", dependencies: ["Speech", "Digests", "SpeechService", "FaultySpeechService"],
      exclude: ["VoiceAnalytics/praat.py", "Assets/server.py", "speech-26.5-names.txt"],
      swiftSettings: settings),
  ]
#else
  let appleFrameworks: [Target.Dependency] = []
  let speechFramework: [Target.Dependency] = []
  let platformProducts: [Product] = []
  let platformTargets: [Target] = []
#endif

let package = Package(
  name: "longhand",
  platforms: [.macOS("26.0"), .iOS("26.0")],
  products: [
    .library(name: "Longhand", targets: ["Longhand"]),
    .library(name: "LonghandTesting", targets: ["LonghandTesting"]),
    .executable(name: "longhand", targets: ["LonghandCommand"]),
  ] + platformProducts,
  targets: [
    .target(name: "Longhand", dependencies: appleFrameworks, swiftSettings: settings),
    .target(name: "LonghandTesting", dependencies: ["Longhand"], swiftSettings: settings),
    .executableTarget(name: "LonghandCommand", dependencies: ["Longhand"], swiftSettings: settings),
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
      name: "RecordingProcess", dependencies: ["Longhand"], path: "Tests/Support/RecordingProcess",
      swiftSettings: settings),
    .testTarget(
      name: "LonghandTests", dependencies: ["Longhand", "LonghandTesting", "RecordingProcess"],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEnd", dependencies: ["Longhand", "LonghandCommand", "FileCaptions"] + speechFramework,
      exclude: ["Domains"], swiftSettings: settings),
  ] + platformTargets
)
