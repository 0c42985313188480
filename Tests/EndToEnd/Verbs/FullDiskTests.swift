#if os(Linux)
  import Foundation
  import ScriptedSpeech
  import TestSupport
  import Testing

  /// A library on a disk without a free byte: it can be read, and the verb that makes room works.
  @Suite(
    .tagged(.childProcess),
    .enabled(if: MountNamespace.command != nil, "this system does not let the tests mount a file system"))
  struct FullDiskTests {
    private static let words = [[3, 11, 19, 4], [22, 7]]

    /// Two sessions on a disk of their own, which has no free byte before each step. Each step prints its name, its status
    /// and how many bytes are free then. Text and errors go to another disk.
    private static let script = """
      disk=$PWD/disk
      mkdir disk
      mount -t tmpfs -o size=8m none disk
      export LONGHAND_LIBRARY=$disk/library TMPDIR=$disk
      for name in long short; do longhand import -q $name.wav > $name.id || exit 1; done
      fill() {
        while dd if=/dev/zero bs=4k >> $disk/filler; do :; done 2> errors
        test $(df --output=avail $disk | tail -1) = 0 || exit 1
      }
      step() {
        name=$1
        shift
        fill
        longhand "$@" > $name.txt 2> $name.errors
        echo "$name: $?"
      }
      step sessions sessions
      step shown show "$(cat short.id)"
      step document export "$(cat short.id)" --format json
      step captions export "$(cat short.id)" --format srt
      step coverage coverage "$(cat short.id)"
      step found search delta
      step deleted delete "$(cat short.id)" --yes
      step left sessions
      step emptied delete "$(cat long.id)" --yes
      step none sessions
      rm $disk/filler
      longhand recover
      longhand sessions > after.txt
      ! grep -q whiskey $disk/library/transcripts.sqlite*
      echo "forgotten: $?"
      """

    @Test func libraryIsReadExportedAndDeletedWithoutAFreeByte() async throws {
      let folder = try TemporaryFolder()
      let environment = try ToneRecognizer.environment(in: folder)
      try ToneRecognizer.write(Self.words[0], Self.words[0], to: folder.path("long.wav"))
      try ToneRecognizer.write(Self.words[1], to: folder.path("short.wav"))
      try folder.write(Self.script, to: "steps.sh")
      let mounting = try #require(MountNamespace.command).joined(separator: " ")
      let result = try await LonghandProcess.shell(
        "exec \(mounting) bash -u steps.sh", environment: environment, in: folder.url)
      let steps = [
        "sessions", "shown", "document", "captions", "coverage", "found", "deleted", "left", "emptied",
        "none",
        "forgotten",
      ]
      let errors = try steps.dropLast().map { try folder.read("\($0).errors") }.joined()
      #expect(result.outputLines == steps.map { "\($0): 0" }, "\(result.errors) \(errors)")
      let text = SpokenTones.text(of: Self.words[1])
      #expect(try folder.read("sessions.txt").split(separator: "\n").count == 2)
      #expect(try folder.read("shown.txt").lowercased().contains(text))
      let document = try JSONDecoder().decode(
        TranscriptDocument.self, from: Data(try folder.read("document.txt").utf8))
      #expect(document.segments.map(\.text) == [text])
      #expect(try folder.read("captions.txt").lowercased().contains(text))
      #expect(try folder.read("coverage.txt").contains("total"))
      #expect(try folder.read("found.txt").contains("elta"))
      #expect(try folder.read("left.txt").contains("long.wav"))
      #expect(try !folder.read("left.txt").contains("short.wav"))
      #expect(try !folder.read("none.txt").contains(".wav"))
      #expect(try folder.read("after.txt").isEmpty)
    }
  }

  /// Mounts that other programs do not see.
  private enum MountNamespace {
    /// The command that gives a program mounts of its own, where that is possible.
    static let command: [String]? = [["unshare", "-rm"], ["unshare", "-m"]].first { command in
      let mount = command + ["mount", "-t", "tmpfs", "none", NSTemporaryDirectory()]
      return (try? Program.run(mount).status) == 0
    }
  }
#endif
