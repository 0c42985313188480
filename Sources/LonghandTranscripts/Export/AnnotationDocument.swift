import Foundation

/// `eaf`: ELAN's annotations (<https://www.mpi.nl/tools/elan/EAF_Annotation_Format_3.0_and_ELAN.pdf>), with the tiers of `textgrid`.
///
/// The recording is looked for beside the document.
struct AnnotationDocument {
  private static let types = [
    "wav": "audio/x-wav", "mp3": "audio/mpeg", "m4a": "audio/mp4", "mp4": "video/mp4",
    "mov": "video/quicktime",
    "mpg": "video/mpeg", "mpeg": "video/mpeg",
  ]

  func string(for transcript: Transcript) -> String {
    let tiers = TextGridDocument.tiers(of: transcript)
    let source = MarkupText.escaped(MarkupText.link(to: transcript.source))
    let type = Self.types[NSString(string: transcript.source).pathExtension.lowercased()] ?? "unknown"
    let date = (transcript.date ?? Date(timeIntervalSince1970: 0)).ISO8601Format().replacing(
      "Z", with: "+00:00")
    var slots = ""
    var body = ""
    var count = 0
    for (name, captions) in Self.named(tiers) {
      let tier = MarkupText.escaped(name)
      body += "  <TIER LINGUISTIC_TYPE_REF=\"default-lt\" TIER_ID=\"\(tier)\">\n"
      for caption in captions {
        let slot = 2 * count + 1
        count += 1
        slots += "    <TIME_SLOT TIME_SLOT_ID=\"ts\(slot)\" TIME_VALUE=\"\(caption.start.count)\"/>\n"
        slots += "    <TIME_SLOT TIME_SLOT_ID=\"ts\(slot + 1)\" TIME_VALUE=\"\(caption.end.count)\"/>\n"
        body += "    <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID=\"a\(count)\" "
        body += "TIME_SLOT_REF1=\"ts\(slot)\" TIME_SLOT_REF2=\"ts\(slot + 1)\"><ANNOTATION_VALUE>"
        body += MarkupText.escaped(caption.texts.joinedWords())
        body += "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>\n"
      }
      body += "  </TIER>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <ANNOTATION_DOCUMENT AUTHOR="" DATE="\(date)" FORMAT="3.0" VERSION="3.0" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
        <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
          <MEDIA_DESCRIPTOR MEDIA_URL="./\(source)" MIME_TYPE="\(type)" RELATIVE_MEDIA_URL="./\(source)"/>
          <PROPERTY NAME="lastUsedAnnotationId">\(count)</PROPERTY>
        </HEADER>
        <TIME_ORDER>
      \(slots)  </TIME_ORDER>
      \(body)  <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
      </ANNOTATION_DOCUMENT>

      """
  }

  /// The tiers with names of their own, as ELAN needs them.
  private static func named(_ tiers: [(String, [Caption])]) -> [(String, [Caption])] {
    var names: Set<String> = []
    return tiers.map { name, captions in
      var own = name
      var number = 2
      while !names.insert(own).inserted {
        own = "\(name) \(number)"
        number += 1
      }
      return (own, captions)
    }
  }
}

/// `otr`: a document of oTranscribe (<https://otranscribe.com>): paragraphs in HTML with times that play the recording.
struct OTranscribeDocument {
  func string(for transcript: Transcript) -> String {
    let paragraphs = Paragraph.all(of: transcript).map { paragraph in
      let time = Milliseconds(seconds: paragraph.start)
      let name = paragraph.speaker.map { "<b>\(MarkupText.escaped(LineText.of($0))):</b> " } ?? ""
      let clock = time.clock.hasPrefix("00:") ? String(time.clock.dropFirst(3)) : time.clock
      return "<p><span class=\"timestamp\" contenteditable=\"false\" data-timestamp=\"\(time.shortSeconds)\">"
        + "\(clock)</span> \(name)\(MarkupText.escaped(paragraph.text))</p>"
    }
    let document: JSONValue = .object([
      ("text", .string(paragraphs.joined())), ("media", .string(LineText.of(transcript.source))),
      ("media-time", .integer(0)),
    ])
    return document.text + "\n"
  }
}
