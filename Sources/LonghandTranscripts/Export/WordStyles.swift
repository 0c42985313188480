/// The styles of a `docx` document (ISO/IEC 29500-1, 17.7). Word processors list them, so that a reader can change all speakers or
/// all times at once.
struct WordStyles {
  /// The identifiers of the styles.
  enum Name: String, CaseIterable {
    case title = "Title"
    case facts = "Subtitle"
    case heading = "Heading1"
    case said = "Transcript"
    case speaker = "Speaker"
    case time = "Timestamp"
    case remark = "Remark"
    case footer = "Footer"
  }

  /// The language of the text (BCP 47).
  let language: String

  /// The part of the file with the styles.
  func text(_ namespaces: String) -> String {
    let tag = MarkupText.escaped(language)
    return "<w:styles \(namespaces)><w:docDefaults><w:rPrDefault><w:rPr>"
      + #"<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:sz w:val="22"/>"#
      + "<w:szCs w:val=\"22\"/><w:lang w:val=\"\(tag)\" w:eastAsia=\"\(tag)\" w:bidi=\"\(tag)\"/></w:rPr></w:rPrDefault>"
      + #"<w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault>"#
      + "</w:docDefaults>"
      + #"<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>"#
      + #"<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">"#
      + #"<w:name w:val="Default Paragraph Font"/></w:style>"#
      + Name.allCases.map(Self.style).joined() + "</w:styles>\n"
  }

  private static let grey = #"<w:color w:val="595959"/>"#

  private static func style(_ name: Name) -> String {
    switch name {
    case .title:
      paragraph(
        name, "Title", #"<w:keepNext/><w:spacing w:after="60" w:line="240" w:lineRule="auto"/>"#,
        #"<w:b/><w:bCs/><w:sz w:val="40"/><w:szCs w:val="40"/>"#)
    case .facts:
      paragraph(
        name, "Subtitle",
        #"<w:pBdr><w:bottom w:val="single" w:sz="4" w:space="8" w:color="BFBFBF"/></w:pBdr><w:spacing w:after="360"/>"#,
        grey + #"<w:sz w:val="20"/><w:szCs w:val="20"/>"#)
    case .heading:
      paragraph(
        name, "heading 1",
        #"<w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/>"#,
        #"<w:b/><w:bCs/><w:sz w:val="28"/><w:szCs w:val="28"/>"#)
    case .said:
      paragraph(
        name, "Transcript",
        #"<w:widowControl/><w:tabs><w:tab w:val="left" w:pos="1134"/></w:tabs><w:ind w:left="1134" w:hanging="1134"/>"#,
        "")
    case .footer:
      paragraph(
        name, "footer", #"<w:spacing w:after="0"/><w:jc w:val="center"/>"#, grey + #"<w:sz w:val="18"/>"#)
    case .speaker: character(name, "<w:b/><w:bCs/>")
    case .time: character(name, grey + #"<w:sz w:val="18"/><w:szCs w:val="18"/>"#)
    case .remark: character(name, "<w:i/><w:iCs/>" + grey)
    }
  }

  private static func paragraph(
    _ name: Name, _ title: String, _ paragraph: String, _ run: String
  ) -> String {
    style(
      name, "paragraph", title, "Normal",
      "<w:pPr>\(paragraph)</w:pPr>" + (run.isEmpty ? "" : runProperties(run)))
  }

  private static func character(_ name: Name, _ run: String) -> String {
    style(name, "character", name.rawValue, "DefaultParagraphFont", runProperties(run))
  }

  private static func runProperties(_ run: String) -> String { "<w:rPr>\(run)</w:rPr>" }

  private static func style(
    _ name: Name, _ type: String, _ title: String, _ base: String, _ properties: String
  ) -> String {
    "<w:style w:type=\"\(type)\" w:styleId=\"\(name.rawValue)\"><w:name w:val=\"\(title)\"/>"
      + "<w:basedOn w:val=\"\(base)\"/><w:qFormat/>\(properties)</w:style>"
  }
}
