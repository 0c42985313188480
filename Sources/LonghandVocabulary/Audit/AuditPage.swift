import Foundation
import LonghandTranscripts
import SentenceFormatting

/// The report as one page: what is wrong, each with its time, and the whole text with marks. It plays the recording that lies
/// beside it.
package struct AuditPage {
  private let report: AuditReport
  private let title: String

  /// - Parameters:
  ///   - report: the report.
  ///   - title: the name of the text.
  package init(_ report: AuditReport, title: String) { (self.report, self.title) = (report, title) }

  package var html: String {
    let name = escaped("\(title) · \(report.source)")
    let address = MarkupText.link(to: report.source, at: Milliseconds(seconds: 0))
    let audio = escaped(String(address.prefix { $0 != "#" }))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(name)</title>
      <style>
      \(Self.style)</style>
      </head>
      <body>
      <h1>\(name)</h1>
      <p>\(escaped(report.summary))</p>
      <p class="quiet">\(escaped(report.coverage))</p>
      <audio controls preload="metadata" src="\(audio)"></audio>
      \(list(of: \.isOfWords, "What is wrong"))\(list(of: { $0.isFinding && !$0.isOfWords }, "Times and speakers"))\
      \(list(of: { !$0.isFinding }, "What was not heard clearly"))\
      <h2>The text</h2>
      <p class="quiet legend"><mark class="heard-otherwise">heard otherwise</mark> <mark class="not-said">not said</mark> <mark class="not-in-text">not in the text</mark> <mark class="not-heard-clearly">not heard \
      clearly</mark></p>
      <div class="text">
      \(text)</div>
      <script>
      \(Self.script)</script>
      </body>
      </html>

      """
  }

  private func escaped(_ text: String) -> String { MarkupText.escaped(LineText.of(text)) }

  private func time(_ seconds: TimeInterval) -> String {
    let time = Milliseconds(seconds: seconds)
    let target = MarkupText.escaped(MarkupText.link(to: report.source, at: time))
    return "<a href=\"\(target)\">\(time.clock)</a>"
  }

  private func list(of kinds: (AuditReport.Kind) -> Bool, _ heading: String) -> String {
    let found = report.listed.filter { kinds($0.finding.kind) }
    guard !found.isEmpty else { return "" }
    let rows = found.map { finding, sentence in
      "<li>\(time(finding.start)) <span dir=\"auto\">\(escaped(sentence))</span></li>\n"
    }
    return "<h2>\(heading)</h2>\n<ul>\n\(rows.joined())</ul>\n"
  }

  /// The text, with what is different marked in its place, and what it leaves out after that.
  private var text: String {
    let shown = report.findings.filter { $0.kind.isOfWords || !$0.kind.isFinding }
    let marks = Dictionary(grouping: shown.filter { !$0.words.isEmpty }, by: \.words.lowerBound)
    let added = Dictionary(
      grouping: shown.filter { $0.kind == .notInText || $0.words.isEmpty }, by: \.words.upperBound)
    let starts = Set(report.starts)
    var html = "<p dir=\"auto\">"
    var end: Int?
    for index in 0...report.words.count {
      if end == index { (html, end) = (html + "</mark>", nil) }
      for finding in added[index] ?? [] {
        html += " " + mark(finding, as: finding.kind) + "+ " + escaped(finding.heard) + "</mark>"
      }
      guard index < report.words.count else { break }
      html +=
        index > 0 && starts.contains(index) && end == nil ? "</p>\n<p dir=\"auto\">" : space(before: index)
      if let finding = marks[index]?.first, end == nil {
        // Other words are said in place of them.
        html += mark(finding, as: finding.kind == .notInText ? .heardOtherwise : finding.kind)
        end = finding.words.upperBound
      }
      html += escaped(report.words[index].text)
    }
    return html + "</p>\n"
  }

  /// Writing without spaces has none between two words.
  private func space(before index: Int) -> String {
    guard index > 0 else { return " " }
    let pair = [report.words[index - 1].text, report.words[index].text]
    return pair.joinedWords() == pair.joined() ? "" : " "
  }

  private func mark(_ finding: AuditReport.Finding, as kind: AuditReport.Kind) -> String {
    let sentence = escaped(AuditReport.sentence(finding))
    return "<mark class=\"\(kind.rawValue)\" title=\"\(sentence)\" data-time=\"\(seconds(finding))\">"
  }

  private func seconds(_ finding: AuditReport.Finding) -> String { String(format: "%.2f", finding.start) }

  private static let style = """
    :root { --wrong: #b3261e; --more: #1f5fbf; --unsure: #7a6a00; --quiet: #5b6168; }
    @media (prefers-color-scheme: dark) {
      :root { --wrong: #ff8a80; --more: #8ab8ff; --unsure: #e0cf6a; --quiet: #a3abb3; }
    }
    body { max-width: 46em; margin: 0 auto; padding: 1em; font: 1em/1.5 sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 1.6em; }
    audio { width: 100%; position: sticky; top: 0; }
    ul { padding: 0; list-style: none; } li { margin: .4em 0; }
    a { color: inherit; font-variant-numeric: tabular-nums; }
    .quiet { color: var(--quiet); font-size: .9em; }
    .legend mark { margin-right: 1em; white-space: nowrap; }
    mark { background: none; color: inherit; border-bottom: .15em solid; cursor: pointer; }
    .heard-otherwise { border-color: var(--wrong); }
    .not-said { border-color: var(--wrong); text-decoration: line-through; }
    .not-in-text { color: var(--more); border-color: var(--more); }
    .not-heard-clearly { border-bottom-style: dotted; border-color: var(--unsure); }

    """

  private static let script = """
    const audio = document.querySelector('audio');
    document.addEventListener('click', (event) => {
      const mark = event.target.closest('[data-time], a[href*="#t="]');
      if (!mark) return;
      event.preventDefault();
      audio.currentTime = Number(mark.dataset.time ?? mark.hash.slice(3));
      audio.play().catch(() => {});
    });

    """
}
