import Foundation
import Testing

/// What `make setup` and others bring, and the licences of it.
@Suite struct SetupTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// A build in isolation installs the newest build tools, whatever they contain.
  @Test func setupRunsNothingThatIsNotPinned() throws {
    let lines = try Self.text("Scripts/setup").replacing("\\\n", with: "").split(separator: "\n")
    let ofPip = lines.filter { $0.contains(#/(^|[\s/])pip\s/#) && !$0.hasPrefix("#") }
    #expect(!ofPip.isEmpty)
    for line in ofPip {
      #expect(line.contains("pip download"), "\(line)")
      #expect(line.contains("--require-hashes"), "\(line)")
      #expect(line.contains("--only-binary :all:"), "\(line)")
    }
    for line in lines where line.contains(#/^\s*fetch_(source|wheel)\s/#) {
      #expect(line.contains(#/_sha256|_package|<<<"\$package"/#), "\(line)")
    }
  }

  /// A tag can be given to other content at any time; a digest belongs to one content.
  @Test func imagesAndActionsAreNamedByDigest() throws {
    let files = try #require(FileManager.default.enumerator(at: Self.root, includingPropertiesForKeys: nil))
    var found: [String] = []
    for case let file as URL in files {
      let name = file.lastPathComponent
      if [".build", ".git"].contains(name) { files.skipDescendants() }
      guard name.contains(#/Containerfile|Dockerfile|\.ya?ml$/#.ignoresCase()) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      let stages = text.matches(of: #/(?mi)^FROM .* AS (\S+)/#).map { String($0.1) }
      let lines = #/(?mi)^[ -]*(?:FROM|image:|container:|uses:)(?: +--\S+)* +["']?([^\s"']+)/#
      let options = #/(?mi)(?:[,-]from|# *syntax)=([^\s,]+)/#
      for image in (text.matches(of: lines) + text.matches(of: options)).map({ String($0.1) }) {
        found.append(image)
        let isPinned = image.contains(#/@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/#)
        #expect(isPinned || (["scratch"] + stages).contains(image), "\(name): \(image)")
      }
    }
    #expect(found.contains("scratch"), "The container's image was not found.")
  }

  /// The documents are not installed with the programs.
  @Test func messagesNameNoFileOfTheRepository() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let data = try Data(contentsOf: file)
      guard data.range(of: Data("docs/".utf8)) != nil else { continue }
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.contains("docs/") {
        #expect(line.contains("//") || !line.contains(".md"), "\(file.lastPathComponent): \(line)")
      }
    }
  }

  @Test func licencesOfAllPartsAreInstalled() throws {
    let table = try Self.text("Licenses/README.md")
    for name in [
      "PocketSphinx]", "PocketSphinx's English acoustic model]", "whisper.cpp]", "sherpa-onnx]", "Silero",
    ] {
      #expect(table.contains(name), "\(name)")
    }
    let files = table.matches(of: /\]\(([\w.-]+\.txt)\)/).map { String($0.1) }
    #expect(Set(files).count >= 8)
    for file in files {
      #expect(try Self.text("Licenses/" + file).contains(/copyright/.ignoresCase()), "\(file)")
    }
    let installed = try Self.text("Scripts/install-tree")
    #expect(installed.contains("/share/doc/longhand\" LICENSE Licenses/*"))
  }
}
