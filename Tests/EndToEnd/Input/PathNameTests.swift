import Testing

@testable import LonghandCommand

@Suite struct PathNameTests {
  @Test(arguments: [
    ("talk.wav", ".", "talk", "wav"), ("a/talk.2.WAV", "a", "talk.2", "wav"), ("/talk", "/", "talk", ""),
    ("a/.wav", "a", ".wav", ""), ("a.b/talk", "a.b", "talk", ""), ("talk.", ".", "talk", ""),
  ])
  func pathIsSplitIntoFolderStemAndExtension(
    _ path: String, _ folder: String, _ stem: String, _ fileExtension: String
  ) {
    #expect(PathName.folder(of: path) == folder)
    #expect(PathName.stem(of: path) == stem)
    #expect(PathName.fileExtension(of: path) == fileExtension)
  }
}
