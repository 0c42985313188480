import Foundation

/// `docx`: paragraphs as in `html`, for word processors (ISO/IEC 29500, Office Open XML).
struct WordDocument {
  private static let namespaces =
    #"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" "#
    + #"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#
  private static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private static let packageTypes = "http://schemas.openxmlformats.org/package/2006"
  private static let officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  /// The file.
  func data(for transcript: Transcript) -> Data {
    let paragraphs = transcript.timedParagraphs
    let links = paragraphs.enumerated().map { index, paragraph in
      let time = Milliseconds(seconds: paragraph.start)
      let target = MarkupText.escaped(MarkupText.link(to: transcript.source, at: time))
      return "<Relationship Id=\"t\(index)\" Type=\"\(Self.officeTypes)/hyperlink\" Target=\"\(target)\" "
        + "TargetMode=\"External\"/>"
    }
    var archive = StoredArchive()
    archive.add(
      "[Content_Types].xml",
      Self.header + "<Types xmlns=\"\(Self.packageTypes)/content-types\">"
        + #"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#
        + #"<Override PartName="/word/document.xml" ContentType="application/"#
        + #"vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#)
    archive.add(
      "_rels/.rels",
      relationships(
        "<Relationship Id=\"document\" Type=\"\(Self.officeTypes)/officeDocument\" "
          + "Target=\"word/document.xml\"/>"))
    archive.add("word/document.xml", text(of: transcript, paragraphs))
    archive.add("word/_rels/document.xml.rels", relationships(links.joined(separator: "\n")))
    return archive.data
  }

  /// The part of the file that has the text.
  func string(for transcript: Transcript) -> String { text(of: transcript, transcript.timedParagraphs) }

  private func text(of transcript: Transcript, _ paragraphs: [Paragraph]) -> String {
    let names = transcript.speakers.map { LineText.of($0.name) }.joined(separator: ", ")
    let length = Milliseconds(seconds: transcript.duration).clock
    var body = [
      Self.paragraph(Self.run(LineText.of(transcript.source), "<w:b/><w:sz w:val=\"36\"/>")),
      Self.paragraph(Self.run(names.isEmpty ? length : "\(length) · \(names)")),
    ]
    for (index, paragraph) in paragraphs.enumerated() {
      let clock = Milliseconds(seconds: paragraph.start).clock
      let name = paragraph.speaker.map { Self.run(" \(LineText.of($0)):", "<w:b/>") } ?? ""
      body.append(
        Self.paragraph(
          "<w:hyperlink r:id=\"t\(index)\">\(Self.run(clock, "<w:u w:val=\"single\"/>"))</w:hyperlink>"
            + name + Self.run(" \(paragraph.text)"), isRightToLeft: paragraph.text.isRightToLeft))
    }
    if let normalized = transcript.normalized {
      let terms = normalized.extractedTerms.map(LineText.of).joined(separator: ", ")
      body.append(Self.paragraph(Self.run("Normalized by \(normalized.by.rawValue)", "<w:b/>")))
      let text = LineText.of(normalized.text)
      body.append(Self.paragraph(Self.run(text), isRightToLeft: text.isRightToLeft))
      if !terms.isEmpty { body.append(Self.paragraph(Self.run("Terms: \(terms)"))) }
    }
    if let translation = transcript.translation {
      body.append(Self.paragraph(Self.run(LineText.of(translation.label), "<w:b/>")))
      body.append(Self.paragraph(Self.run(LineText.of(translation.text))))
    }
    return Self.header
      + "<w:document \(Self.namespaces)><w:body>\n\(body.joined(separator: "\n"))\n</w:body></w:document>\n"
  }

  private static func paragraph(_ runs: String, isRightToLeft: Bool = false) -> String {
    "<w:p><w:pPr>\(isRightToLeft ? "<w:bidi/>" : "")<w:spacing w:after=\"160\"/></w:pPr>\(runs)</w:p>"
  }

  private static func run(_ text: String, _ properties: String = "") -> String {
    let properties = properties + (text.isRightToLeft ? "<w:rtl/>" : "")
    let format = properties.isEmpty ? "" : "<w:rPr>\(properties)</w:rPr>"
    return "<w:r>\(format)<w:t xml:space=\"preserve\">\(MarkupText.escaped(text))</w:t></w:r>"
  }

  private func relationships(_ list: String) -> String {
    Self.header + "<Relationships xmlns=\"\(Self.packageTypes)/relationships\">\n\(list)\n</Relationships>"
  }
}

/// A ZIP archive whose files are not compressed (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). Its times are
/// those of 1980, so that the same files are the same bytes.
private struct StoredArchive {
  private var files = Data()
  private var directory = Data()
  private var count: UInt16 = 0

  mutating func add(_ name: String, _ text: String) {
    let content = Data(text.utf8)
    let size = UInt32(content.count)
    // Version 2.0, names in UTF-8, no compression, no time, 1 January 1980.
    let common =
      Self.bytes([20, 0x800, 0, 0, 0x21] as [UInt16]) + Self.bytes([Self.checksum(content), size, size])
      + Self.bytes([UInt16(name.utf8.count), 0] as [UInt16])
    directory +=
      Self.bytes([0x0201_4b50] as [UInt32]) + Self.bytes([20] as [UInt16]) + common
      + Self.bytes([0, 0, 0] as [UInt16]) + Self.bytes([0, UInt32(files.count)] as [UInt32]) + Data(name.utf8)
    files += Self.bytes([0x0403_4b50] as [UInt32]) + common + Data(name.utf8) + content
    count += 1
  }

  var data: Data {
    files + directory + Self.bytes([0x0605_4b50] as [UInt32]) + Self.bytes([0, 0, count, count] as [UInt16])
      + Self.bytes([UInt32(directory.count), UInt32(files.count)]) + Self.bytes([0] as [UInt16])
  }

  private static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> Data {
    numbers.reduce(into: Data()) { data, number in
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
  }

  /// CRC-32 (ITU-T V.42).
  private static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
