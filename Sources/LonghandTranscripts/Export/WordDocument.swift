import Foundation

/// `docx`: paragraphs as in `html`, for word processors (ISO/IEC 29500, Office Open XML). Title, facts, text, speakers and times
/// are styles that a reader can change; the times stand in the margin and are links into the audio.
struct WordDocument {
  private static let namespaces =
    #"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" "#
    + #"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#
  private static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private static let packageTypes = "http://schemas.openxmlformats.org/package/2006"
  private static let officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  /// A part of the file beside the text.
  private struct Part {
    var name: String
    /// The end of its content type.
    var type: String
    /// The end of the type of the relationship to it.
    var relation: String
    var text: String
  }

  /// The file.
  func data(for transcript: Transcript) -> Data {
    let paragraphs = transcript.timedParagraphs
    let links = paragraphs.enumerated().map { index, paragraph in
      let time = Milliseconds(seconds: paragraph.start)
      let target = MarkupText.escaped(MarkupText.link(to: transcript.source, at: time))
      return "<Relationship Id=\"t\(index)\" Type=\"\(Self.officeTypes)/hyperlink\" Target=\"\(target)\" "
        + "TargetMode=\"External\"/>"
    }
    let document = "wordprocessingml.document.main"
    let parts = [
      Part(
        name: "styles", type: "wordprocessingml.styles", relation: "styles",
        text: WordStyles(language: LineText.of(transcript.locale)).text(Self.namespaces)),
      Part(
        name: "footer", type: "wordprocessingml.footer", relation: "footer",
        text: "<w:ftr \(Self.namespaces)>\(Self.pageNumber)</w:ftr>"),
    ]
    let types = [("document", document)] + parts.map { ($0.name, $0.type) }
    var archive = StoredArchive()
    archive.add(
      "[Content_Types].xml",
      Self.header + "<Types xmlns=\"\(Self.packageTypes)/content-types\">"
        + #"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#
        + types.map { name, type in
          #"<Override PartName="/word/\#(name).xml" ContentType="application/"#
            + #"vnd.openxmlformats-officedocument.\#(type)+xml"/>"#
        }.joined()
        + #"<Override PartName="/docProps/core.xml" "#
        + #"ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>"#)
    archive.add(
      "_rels/.rels",
      relationships([
        "<Relationship Id=\"document\" Type=\"\(Self.officeTypes)/officeDocument\" Target=\"word/document.xml\"/>",
        "<Relationship Id=\"core\" Type=\"\(Self.packageTypes)/relationships/metadata/core-properties\" "
          + "Target=\"docProps/core.xml\"/>",
      ]))
    archive.add("docProps/core.xml", Self.header + properties(of: transcript))
    archive.add("word/document.xml", text(of: transcript, paragraphs))
    for part in parts { archive.add("word/\(part.name).xml", Self.header + part.text) }
    archive.add(
      "word/_rels/document.xml.rels",
      relationships(
        parts.map {
          "<Relationship Id=\"\($0.name)\" Type=\"\(Self.officeTypes)/\($0.relation)\" Target=\"\($0.name).xml\"/>"
        } + links))
    return archive.data
  }

  /// The part of the file that has the text.
  func string(for transcript: Transcript) -> String { text(of: transcript, transcript.timedParagraphs) }

  private func text(of transcript: Transcript, _ paragraphs: [Paragraph]) -> String {
    let heading = DocumentHeading(transcript)
    var body = [
      Self.paragraph(heading.title, .title),
      Self.paragraph(heading.facts.joined(separator: " · "), .facts),
    ]
    for (index, paragraph) in paragraphs.enumerated() {
      let clock = Self.run(Milliseconds(seconds: paragraph.start).clock, .time)
      let name = paragraph.speaker.map {
        Self.run("\(LineText.of($0)):", .speaker) + Self.run(" ")
      }
      body.append(
        Self.paragraph(
          "<w:hyperlink r:id=\"t\(index)\">\(clock)</w:hyperlink><w:r><w:tab/></w:r>" + (name ?? "")
            + Self.run(paragraph.text, paragraph.isRemark ? .remark : nil), style: .said,
          isRightToLeft: paragraph.text.isRightToLeft))
    }
    if let normalized = transcript.normalized {
      let terms = normalized.extractedTerms.map(LineText.of).joined(separator: ", ")
      body.append(Self.paragraph("Normalized by \(normalized.by.rawValue)", .heading))
      body.append(Self.paragraph(LineText.of(normalized.text)))
      if !terms.isEmpty { body.append(Self.paragraph("Terms: \(terms)")) }
    }
    if let translation = transcript.translation {
      body.append(Self.paragraph(LineText.of(translation.label), .heading))
      body.append(Self.paragraph(LineText.of(translation.text)))
    }
    return Self.header
      + "<w:document \(Self.namespaces)><w:body>\n\(body.joined(separator: "\n"))\n\(Self.page)</w:body></w:document>\n"
  }

  /// A4, with room for the times.
  private static let page =
    #"<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/>"#
    + #"<w:pgMar w:top="1304" w:right="1304" w:bottom="1304" w:left="1304" w:header="709" w:footer="709" w:gutter="0"/>"#
    + "</w:sectPr>"

  private static let pageNumber =
    #"<w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r>"#
    + #"<w:instrText xml:space="preserve"> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>"#
    + #"<w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>"#

  private static func paragraph(_ text: String, _ style: WordStyles.Name? = nil) -> String {
    paragraph(run(text), style: style, isRightToLeft: text.isRightToLeft)
  }

  private static func paragraph(
    _ runs: String, style: WordStyles.Name?, isRightToLeft: Bool
  ) -> String {
    let properties =
      (style.map { "<w:pStyle w:val=\"\($0.rawValue)\"/>" } ?? "") + (isRightToLeft ? "<w:bidi/>" : "")
    return "<w:p>\(properties.isEmpty ? "" : "<w:pPr>\(properties)</w:pPr>")\(runs)</w:p>"
  }

  private static func run(_ text: String, _ style: WordStyles.Name? = nil) -> String {
    let properties =
      (style.map { "<w:rStyle w:val=\"\($0.rawValue)\"/>" } ?? "") + (text.isRightToLeft ? "<w:rtl/>" : "")
    let format = properties.isEmpty ? "" : "<w:rPr>\(properties)</w:rPr>"
    return "<w:r>\(format)<w:t xml:space=\"preserve\">\(MarkupText.escaped(text))</w:t></w:r>"
  }

  private func properties(of transcript: Transcript) -> String {
    let date = transcript.date.map {
      "<dcterms:created xsi:type=\"dcterms:W3CDTF\">\($0.formatted(.iso8601))</dcterms:created>"
    }
    return "<cp:coreProperties xmlns:cp=\"\(Self.packageTypes)/metadata/core-properties\" "
      + #"xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" "#
      + #"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">"#
      + "<dc:title>\(MarkupText.escaped(DocumentHeading(transcript).title))</dc:title>"
      + "<dc:language>\(MarkupText.escaped(LineText.of(transcript.locale)))</dc:language>"
      + "\(date ?? "")</cp:coreProperties>\n"
  }

  private func relationships(_ list: [String]) -> String {
    Self.header + "<Relationships xmlns=\"\(Self.packageTypes)/relationships\">\n"
      + "\(list.joined(separator: "\n"))\n</Relationships>"
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
