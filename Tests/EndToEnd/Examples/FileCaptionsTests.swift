import Foundation
import Testing

extension RecognizerTests {
  /// `Examples/FileCaptions`, run on real recordings.
  @Suite struct FileCaptionsTests {
    @Test func fileCaptionsTimesEveryWord() async throws {
      let result = try await LonghandProcess.shell("FileCaptions '\(Recordings.long)'")
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let captions = try Captions(result.output)
      var text = ""
      var end = 0.0
      for cue in captions.cues {
        #expect(cue.start >= end)
        #expect(cue.end > cue.start)
        // No times but those of words after the first, in order and inside.
        let times = [cue.start] + cue.times + [cue.end]
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(cue.times.count >= cue.text.split(separator: " ").count * 2 / 3)
        #expect(cue.lines.allSatisfy { !$0.isEmpty && $0.count <= 42 })
        text += cue.text + " "
        end = cue.end
      }
      #expect((6...7.11).contains(end))
      #expect(try Recordings.errorRate(text, of: Recordings.long) < 0.6)
    }

    @Test func fileCaptionsGivesEachSentenceACueThatPlayersRead() async throws {
      let folder = try TemporaryFolder()
      let talk = Recordings.paths.prefix(3).map { "-i '\($0)'" }.joined(separator: " ")
      let result = try await LonghandProcess.shell(
        """
        set -e
        ffmpeg -nostdin -v error \(talk) -filter_complex \
        '[0]apad=pad_dur=2[a];[1]apad=pad_dur=2[b];[a][b][2]concat=n=3:v=0:a=1' talk.wav
        FileCaptions talk.wav > talk.vtt
        ffprobe -v error -show_entries packet=pts_time -of csv=p=0 talk.vtt
        """, in: folder.url)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
      let captions = try Captions(folder.read("talk.vtt"))
      #expect(captions.cues.count >= 3)
      #expect(result.outputLines.map { Double($0) } == captions.cues.map(\.start))
      // The last sentence lies where it is said: after two others and two pauses.
      let before = try Recordings.paths.prefix(2).map { try Recordings.seconds(of: $0) + 2 }.reduce(0, +)
      #expect(captions.cues.contains { $0.start > before - 0.5 && $0.start < before + 1.5 })
    }
  }
}
