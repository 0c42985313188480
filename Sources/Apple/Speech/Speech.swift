// `import Speech` on Apple platforms also gives clients the audio and time types of its interface, and `@Observable`.
@_exported import AVFoundation
@_exported import CoreMedia
@_exported import Foundation
@_exported import Observation
@_exported import RecognitionCore

// The folders of this module use each other's types one way (`Scripts/check-folders Sources/Apple/Speech`):
//
//   Bridging, Results ← Recognizer                   SFSpeechRecognizer
//   Bridging, Results ← Modules ← Analyzer ← Inputs  SpeechAnalyzer
//   LanguageModel ← Modules, Recognizer              SFSpeechLanguageModel
//   Modules ← Assets                                 AssetInventory
//
// What recognizes is not here but in RecognitionCore; Bridging has what translates its audio and its errors.
//
// Apple's interface forces one exception, which the check does not see because it is an extension. The
// modules' `installedLocales` and `availableCompatibleAudioFormats` depend on the installed models, and
// `AssetInventory` takes modules. So Modules uses `SpeechLocales.installed` and `offered`, which Assets declares.
