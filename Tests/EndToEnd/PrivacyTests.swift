#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// `docs/privacy.md` against what runs leave, hold open and connect to.
    @Suite struct PrivacyTests {
      /// What the table of a section names as places: `~` is the home folder, and `*` stands for any end.
      private static func places(in section: String = "What is kept", home: String) throws -> [String] {
        let page = try String(
          contentsOf: Documents.package.appendingPathComponent("docs/privacy.md"), encoding: .utf8)
        let kept = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(section)\n") })
        return kept.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row -> [String] in
          let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
          guard cells.count == 3, cells[1].hasPrefix("`") else { return [] }
          return cells[1].components(separatedBy: ", ").map { place in
            place.trimmingCharacters(in: ["`", "*"])
              .replacing("$TMPDIR", with: "\(home)/tmp").replacing("~", with: home)
          }
        }
      }

      /// The files below a folder, each of which only its owner can read, as the folders.
      private static func kept(below home: String, except isOther: (String) -> Bool) throws -> Set<String> {
        var kept: Set<String> = []
        for name in try #require(FileManager.default.enumerator(atPath: home)).compactMap({ $0 as? String })
        where !isOther(name) {
          var status = stat()
          guard lstat("\(home)/\(name)", &status) == 0 else { continue }
          #expect(status.st_mode & 0o77 == 0, "others may read \(name)")
          if status.st_mode & S_IFMT != S_IFDIR { kept.insert("\(home)/\(name)") }
        }
        return kept
      }

      /// What a server keeps, also for others on this computer to find: they read none of it.
      @Test func serverKeepsWhatThePageSays() async throws {
        let folder = try TemporaryFolder()
        let home = folder.url.resolvingSymlinksInPath().path
        for name in ["tmp", "in"] {
          try FileManager.default.createDirectory(
            atPath: "\(home)/\(name)", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        }
        let server = try await ServeProcess(
          in: folder,
          environment: [
            "HOME": home, "TMPDIR": home + "/tmp", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "",
            "XDG_STATE_HOME": "",
          ])
        let talk = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
        func put(_ path: String, _ body: Data) throws -> Int {
          try HTTPConnection.ask(server.port, "PUT", path, server.signedIn, body: body).status
        }
        #expect(try put("/api/vocabularies/names/file?name=names.txt", Data("Dashwood\n".utf8)) < 300)
        let upload = try server.ask(
          "POST", "/api/uploads", json: #"{"name": "talk.wav", "size": \#(talk.count), "modified": 1}"#)
        let id = try #require(upload.json["id"] as? String)
        #expect(try put("/api/uploads/\(id)?offset=0", talk.prefix(1000)) < 300)
        try folder.write(talk, to: "in/talk.wav")
        #expect(
          try server.ask("PUT", "/api/watch", json: #"{"folder": "\#(folder.path("in"))"}"#).status == 200)
        #expect(
          await eventually {
            let sessions = (try? server.ask("/api/sessions"))?.json["sessions"] as? [[String: Any]]
            return sessions?.first?["state"] as? String == "complete"
          })
        // The folder of the test has the server's output, the file that was there before, and the user's configuration.
        let isOther = { (name: String) in
          name.hasPrefix("serve-") || name.hasPrefix("in") || name == "config"
        }
        var kept = try Self.kept(below: home, except: isOther)
        #expect(kept.contains { $0.hasPrefix("\(home)/library/servers/") })
        #expect(try await server.stop().status == 130)
        kept.formUnion(try Self.kept(below: home, except: isOther))
        func here(_ place: String) -> String {
          place.replacing("\(home)/.local/share/longhand/", with: "\(home)/library/")
            .replacing("\(home)/.config/", with: "\(home)/config/")
        }
        let own = try Self.places(in: "What `longhand serve` keeps besides", home: home).map(here)
        let places = try Self.places(home: home).map(here) + own
        for file in kept { #expect(places.contains(where: file.hasPrefix), "\(file) is not on the page") }
        for name in [
          "config/longhand/token", "library/vocabularies/", "library/watched.json", "library/uploads/",
        ] {
          #expect(own.contains("\(home)/\(name)"))
          #expect(kept.contains { $0.hasPrefix("\(home)/\(name)") }, "\(name)")
        }
      }

      /// The files that processes hold open for writing.
      private static func written(under root: Int32) -> Set<String> {
        var found: Set<String> = []
        for process in OpenSockets.tree(under: root) {
          let folder = "/proc/\(process)"
          for number in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")) ?? [] {
            guard let info = try? String(contentsOfFile: "\(folder)/fdinfo/\(number)", encoding: .utf8),
              let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(number)"),
              path.hasPrefix("/"), !path.hasPrefix("/dev/"), !path.hasPrefix("/memfd:"),
              let flags = info.split(separator: "\n").first(where: { $0.hasPrefix("flags:") })?.split(
                separator: "\t"
              ).last.flatMap({ Int32($0, radix: 8) }), flags & O_ACCMODE != O_RDONLY
            else { continue }
            found.insert(path)
          }
        }
        return found
      }

      @Test func nothingElseIsKeptOrSent() async throws {
        let folder = try TemporaryFolder()
        let home = folder.url.resolvingSymlinksInPath().path
        try FileManager.default.createDirectory(
          atPath: home + "/tmp", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let vocabulary = try folder.write(#"{name: "x", terms: [{text: "Dashwood"}]}"#, to: "tmp/names.json5")
        let environment = [
          "HOME": home, "TMPDIR": home + "/tmp", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "",
          "XDG_STATE_HOME": "",
          "LONGHAND_LIBRARY": "",
        ]
        let runs = [
          "import --vocabulary '\(vocabulary)' '\(Recordings.short)'",
          // Slowly, so that the copy is there to be seen.
          "transcribe - < <(head -c 60000 '\(Recordings.short)'; sleep 0.3; tail -c +60001 '\(Recordings.short)')",
          "record --from - --raw s16le:16000:1 < '\(Recordings.short)'",
        ]
        var seen: Set<String> = []
        for run in runs {
          // Without what other tests have open at the moment and hand down.
          let line = """
            for file in /proc/$$/fd/*; do
              number=${file##*/}
              if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
            done
            exec longhand \(run)
            """
          let process = try LonghandProcess([line], environment: environment, shell: true)
          _ = await eventually { !process.isRunning || process.program == LonghandProcess.executable.path }
          let result = Task { try await process.result() }
          while process.isRunning {
            seen.formUnion(Self.written(under: process.identifier))
            #expect(OpenSockets.beyondThisMachine(under: process.identifier) == [], "\(run)")
            try await Task.sleep(for: .milliseconds(5))
          }
          let (status, errors) = try await (result.value.status, result.value.errors)
          #expect(status == 0, "\(run): \(errors)")
        }
        let kept = try Self.kept(below: home) { $0.hasPrefix("tmp/names") }
        let places = try Self.places(home: home)
        let all = kept.union(seen.map { $0.replacing(" (deleted)", with: "") })
        for file in all { #expect(places.contains(where: file.hasPrefix), "\(file) is not on the page") }
        #expect(!kept.contains { $0.hasPrefix(home + "/tmp/") })
        let empty = places.filter { place in !all.contains { $0.hasPrefix(place) } }
        // These runs write neither voices nor models nor the mark of a terminal. What is temporary may be gone too soon.
        #expect(
          empty.filter { !$0.hasPrefix("\(home)/tmp/") }
            == ["share/longhand-speakers/", "share/speech-service/", "state/longhand/"].map {
              "\(home)/.local/\($0)"
            })
      }
    }
  }
#endif
