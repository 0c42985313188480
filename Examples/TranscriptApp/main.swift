import Foundation

#if canImport(SwiftUI)
  TranscriptApp.main()
#else
  FileHandle.standardError.write(
    Data("TranscriptApp: This example needs SwiftUI, so it runs on macOS and iOS only.\n".utf8))
  exit(1)
#endif
