import Foundation
import ScriptedSpeech
import TestSupport
import Testing

/// Names of inputs and outputs on the command line. The recognizer is scripted.
@Suite(.tagged(.childProcess)) struct InputNameTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = try SpeechScript(faults: [:]).environment(in: folder.url).merging([
      "LONGHAND_LIBRARY": folder.path("library"), "LC_ALL": "C.UTF-8",
    ]) { $1 }
    let samples = SpokenTones.sound(of: [1, 2, 3])
    try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("talk.wav"))
  }

  private func shell(_ line: String) async throws -> LonghandProcess.Result {
    try await LonghandProcess.shell(line, environment: environment, in: folder.url)
  }

  @Test func nameThatIsNotUnicodeWorks() async throws {
    let result = try await shell(
      #"""
      cp talk.wav $'caf\xe9.wav' && mkdir $'d\xe9' && cp talk.wav $'d\xe9/x.wav'
      longhand transcribe $'caf\xe9.wav' && longhand transcribe $'caf\xe9.wav' -o $'\xff.txt' &&
        longhand transcribe $'caf\xe9.wav' $'d\xe9' --output-dir $'o\xfe' && longhand import -q $'caf\xe9.wav' &&
        longhand sessions && cat $'\xff.txt' $'o\xfe/caf\xe9.txt' $'o\xfe/x.txt'
      longhand transcribe $'n\xe9.wav'
      """#)
    let lines = result.outputLines
    let text = "Bravo Charlie delta."
    #expect(lines.filter { $0 == text }.count == 4, "\(result.errors)")
    #expect(lines.contains { $0.hasSuffix(#"caf\xE9.wav"#) })
    #expect(result.errorLines == [#"longhand: n\xE9.wav: No such file. Check the name."#])
    #expect(result.status == 1)
  }

  @Test func textAndAudioWhoseNamesAreNotUnicodeAreCompared() async throws {
    let result = try await shell(
      #"""
      cp talk.wav $'caf\xe9.wav' && echo 'Bravo Charlie delta.' > $'caf\xe9.txt' &&
        mkdir $'d\xe9' && cp talk.wav $'caf\xe9.txt' $'d\xe9' && mv $'d\xe9/talk.wav' $'d\xe9/caf\xe9.wav'
      longhand audit $'caf\xe9.txt' $'caf\xe9.wav' && longhand audit $'d\xe9' $'d\xe9' &&
        longhand align $'caf\xe9.wav' $'caf\xe9.txt' -q
      """#)
    #expect(result.errors == "")
    #expect(result.output.contains("Bravo Charlie delta."), "\(result.output)")
    #expect(result.status == 0)
  }

  /// A table or a text beside the recording has its name, too.
  @Test func onlyAudioIsTakenForTheAudioOfAText() async throws {
    let result = try await shell(
      "mkdir texts talks && echo 'Bravo Charlie delta.' > texts/talk.txt && cp talk.wav talks && "
        + "touch talks/talk.csv talks/talk.json talks/talk.TextGrid && longhand audit texts talks")
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  /// Every line of standard error is an object, and what is no failure has none.
  @Test func programsThatReadErrorsAsJSONGetNoPlainLines() async throws {
    let result = try await shell(
      "mkdir a b && cp talk.wav a/x.wav && cp talk.wav b/x.wav && "
        + "longhand transcribe a/x.wav b/x.wav --output-dir flat --json-errors && "
        + "longhand transcribe --join a/x.wav b/x.wav --json-errors && "
        + "longhand record --from - --json-errors < talk.wav")
    #expect(result.status == 0)
    #expect(result.errorLines.filter { !$0.hasPrefix("{") } == [])
  }

  @Test func folderIsTranscribedIntoTheSameFolders() async throws {
    let result = try await shell(
      "mkdir -p in/a in/b && cp talk.wav in/a/x.wav && cp talk.wav in/b/x.wav && cp talk.wav in/x.wav && "
        + "longhand transcribe in --recursive --output-dir out && "
        + "longhand transcribe in/a/x.wav in/b/x.wav --output-dir flat")
    #expect(result.status == 0, "\(result.errors)")
    for file in ["out/x.txt", "out/a/x.txt", "out/b/x.txt", "flat/x.txt", "flat/x-2.txt"] {
      #expect(try folder.read(file) == "Bravo Charlie delta.\n")
    }
    #expect(
      result.errorLines == [
        "longhand: in/b/x.wav: The output is named x-2, because in/a/x.wav has the same name."
      ])
  }

  @Test func sessionIsRenamedAndFoundByItsName() async throws {
    let result = try await shell(
      "longhand import -q talk.wav && longhand sessions --rename last='my talk' && longhand show 'my talk' && "
        + "longhand sessions && longhand sessions --rename 'my talk'= && longhand show 'my talk'")
    #expect(result.status == 1)
    #expect(result.outputLines.count == 3)
    #expect(result.outputLines.dropFirst().first?.hasSuffix("Bravo Charlie delta.") == true)
    #expect(result.outputLines.last?.hasSuffix("complete          my talk  talk.wav") == true)
    #expect(result.errors.contains("No session has an ID that starts with 'my talk', or this name."))
  }

  @Test func severalImportsRunAtOnceAndAreNamedInOrder() async throws {
    let result = try await shell(
      "for i in 1 2 3 4; do cp talk.wav $i.wav; done; longhand import -q --jobs 4 4.wav 3.wav none.wav 2.wav 1.wav"
    )
    #expect(result.status == 1)
    #expect(result.errorLines.count == 1)
    #expect(result.outputLines.count == 4)
    struct Session: Decodable {
      var id: String
      var source: String
    }
    let sessions = try JSONDecoder().decode(
      [Session].self, from: Data(try await shell("longhand sessions --json").output.utf8))
    let names = result.outputLines.map { id in sessions.first { $0.id == id }?.source }
    #expect(names == ["4.wav", "3.wav", "2.wav", "1.wav"])
  }
}
