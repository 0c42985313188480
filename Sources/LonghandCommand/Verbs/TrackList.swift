import Foundation
import Longhand

/// `longhand transcribe --list-tracks`: the audio tracks of files, with a line for each.
struct TrackList {
  let inputs: [AudioInput]

  func run(_ console: Console) throws -> Int32 {
    var status = ExitStatus.done
    for input in inputs {
      do {
        if try input.check() {
          throw Failure(
            .unreadable, "The tracks of a stream cannot be listed.", input: input.name,
            hint: "Write it into a file first.")
        }
        let tracks = try NamedFile(input.operand).withURL { try AudioFileSource.tracks(of: $0) }
        for track in tracks {
          let name = inputs.count > 1 ? "\(input.name)  " : ""
          try console.output.write((name + Self.line(track)).escapingControls + "\n")
        }
      } catch let closed as ClosedOutput {
        throw closed
      } catch {
        console.report(Failure(error, input: input.name))
        status = ExitStatus.failed
      }
    }
    return status
  }

  private static func line(_ track: TranscriptTrack) -> String {
    let rate = track.sampleRate > 0 ? ", \(track.sampleRate) Hz" : ""
    let channels = track.channels > 0 ? ", \(track.channels) channel\(track.channels == 1 ? "" : "s")" : ""
    let language = track.language.map { ", language \($0)" } ?? ""
    return "\(track.number)  \(track.name)  (\(track.codec)\(rate)\(channels)\(language))"
  }
}
